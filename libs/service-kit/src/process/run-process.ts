import { parseArgs } from 'node:util';
import { counter, startTelemetry } from '@event-commerce/telemetry';
import closeWithGrace from 'close-with-grace';
import type { z } from 'zod';
import { ConfigError, processSettings, readConfig } from './config.ts';
import { databaseOf } from '../mongo/database.ts';
import { type IndexesOn, migrateIndexes } from '../mongo/indexes.ts';
import { createLogger, type Logger } from './logger.ts';
import { VERSION } from './version.ts';

/** Longer than the gateway's slowest request. */
const CLOSE_DEADLINE_MS = 14_000;

const countUnhandled = counter(
  'process.unhandled_errors',
  'Unhandled promise rejections. Each is a defect, and is logged.',
);

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
 * Runs a process: `start` connects and serves, and returns its shutdown. SIGTERM and SIGINT end it in order. Bad
 * settings are one readable message, not a stack.
 *
 * An unhandled rejection is logged and counted, and the process continues. It is the outcome of one piece of background
 * work; the sender of the request gets its own response, and ending the process would fail all other requests.
 *
 * An uncaught exception ends the process, logged and with exit code 1, and its supervisor restarts it. The exception
 * interrupted code that is not prepared for it, in the middle of a timer or an event of a socket, and left an unknown
 * state. No input reaches such code unguarded: `tests/hostile` tries every entry point.
 *
 * With the argument `migrate` it creates the indexes of its database instead, and exits; with `migrate --drop` it also
 * drops those of earlier releases.
 *
 * `closeWithinMs`: how long it may take to finish before it is killed.
 */
export async function runProcess<Config extends ProcessConfig>(
  service: string,
  loadConfig: () => Config,
  start: (config: Config, logger: Logger) => Promise<() => Promise<void>>,
  indexesOn: IndexesOn,
  closeWithinMs = CLOSE_DEADLINE_MS,
): Promise<void> {
  let logger = createLogger({ service, level: 'info' });
  process.on('unhandledRejection', (err) => {
    countUnhandled(1);
    logger.error({ err }, 'unhandled rejection');
  });
  const couldNotStart = (error: unknown): never => {
    if (error instanceof ConfigError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  };
  process.on('uncaughtException', couldNotStart);
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
      version: VERSION.version,
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
    countUnhandled(0);
    const stop = await start(config, logger);
    process.off('uncaughtException', couldNotStart);
    const closing = {
      delay: closeWithinMs,
      logger: false,
      skip: ['unhandledRejection'],
      onTimeout: () => logger.fatal('shutdown timed out'),
      onSecondError: (err: unknown) => logger.fatal({ err }, 'another uncaught exception, during shutdown'),
    } satisfies closeWithGrace.Options;
    closeWithGrace(closing, async ({ signal, err }) => {
      if (err) logger.fatal({ err }, 'uncaught exception; shutting down');
      else logger.info({ signal }, 'stopping');
      try {
        await stop();
        await stopTelemetry();
      } catch (failure) {
        logger.fatal({ err: failure }, 'shutdown failed');
        throw failure;
      }
      logger.info('stopped');
    });
    // For a supervisor that waits, such as that of npm start. From here on, a signal ends this process in order.
    process.send?.('serving');
  } catch (error) {
    couldNotStart(error);
  }
}
