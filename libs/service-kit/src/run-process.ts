import { parseArgs } from 'node:util';
import { startTelemetry } from '@event-commerce/telemetry';
import closeWithGrace from 'close-with-grace';
import type { z } from 'zod';
import { ConfigError, processSettings, readConfig } from './config.ts';
import { databaseOf } from './database.ts';
import { type IndexesOn, migrateIndexes } from './indexes.ts';
import { createLogger, type Logger } from './logger.ts';

/** How long a process may take to finish what it is doing before it is ended. */
const CLOSE_DEADLINE_MS = 9_000;

type ProcessConfig = Pick<
  z.output<typeof processSettings>,
  | 'HOST'
  | 'LOG_LEVEL'
  | 'METRICS_PORT'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'OTEL_BSP_SCHEDULE_DELAY'
>;

/**
 * Runs a process: `start` connects and serves, and answers what to do at the end. SIGTERM and SIGINT end it in order;
 * an error that nobody caught ends it too, logged and with exit code 1. Bad settings are one readable message, not a stack.
 * With the argument `migrate` it makes the indexes of its database instead, and ends; with `migrate --drop` it also drops those of
 * earlier releases.
 */
export async function runProcess<Config extends ProcessConfig>(
  service: string,
  loadConfig: () => Config,
  start: (config: Config, logger: Logger) => Promise<() => Promise<void>>,
  indexesOn: IndexesOn,
): Promise<void> {
  let logger = createLogger({ service, level: 'info' });
  try {
    if (process.argv[2] === 'migrate') {
      const { values } = parseArgs({
        args: process.argv.slice(3),
        options: { drop: { type: 'boolean', default: false } },
      });
      const config = readConfig(processSettings.pick({ MONGO_URL: true, MONGO_DB_PREFIX: true }), process.env);
      await migrateIndexes(
        config.MONGO_URL,
        { ...databaseOf(config, service), logger, dropOutdated: values.drop },
        indexesOn,
      );
      return;
    }
    const config = loadConfig();
    logger = createLogger({ service, level: config.LOG_LEVEL });
    const stopTelemetry = await startTelemetry({
      service,
      metrics: { host: config.HOST, port: config.METRICS_PORT },
      traces:
        config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
          ? undefined
          : {
              sampler: config.OTEL_TRACES_SAMPLER,
              samplerArg: config.OTEL_TRACES_SAMPLER_ARG,
              sendEveryMs: config.OTEL_BSP_SCHEDULE_DELAY,
            },
      warn: (message) => logger.warn(`reporting traces: ${message}`),
    });
    const stop = await start(config, logger);
    closeWithGrace({ delay: CLOSE_DEADLINE_MS, logger: false }, async ({ signal, err }) => {
      if (err) logger.fatal({ err }, 'ending after an error that nobody caught');
      else logger.info({ signal }, 'stopping');
      await stop();
      await stopTelemetry();
      logger.info('stopped');
    });
  } catch (error) {
    if (error instanceof ConfigError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}
