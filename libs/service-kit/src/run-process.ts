import closeWithGrace from 'close-with-grace';
import { ConfigError } from './config.ts';
import { createLogger, type Logger } from './logger.ts';

/** How long a process may take to finish what it is doing before it is ended. */
const CLOSE_DEADLINE_MS = 9_000;

/**
 * Runs a process: `start` connects and serves, and answers what to do at the end. SIGTERM and SIGINT end it in order;
 * an error that nobody caught ends it too, logged and with exit code 1. Bad settings are one readable message, not a stack.
 */
export async function runProcess<Config extends { LOG_LEVEL: string }>(
  service: string,
  loadConfig: () => Config,
  start: (config: Config, logger: Logger) => Promise<() => Promise<void>>,
): Promise<void> {
  let logger = createLogger({ service, level: 'info' });
  try {
    const config = loadConfig();
    logger = createLogger({ service, level: config.LOG_LEVEL });
    const stop = await start(config, logger);
    closeWithGrace({ delay: CLOSE_DEADLINE_MS, logger: false }, async ({ signal, err }) => {
      if (err) logger.fatal({ err }, 'ending after an error that nobody caught');
      else logger.info({ signal }, 'stopping');
      await stop();
      logger.info('stopped');
    });
  } catch (error) {
    if (error instanceof ConfigError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}
