import type { Logger } from '../logger.ts';

/**
 * Runs `run` repeatedly, `everyMs` after the last run ended, never twice at once. A failure is logged, and the next run
 * follows. Returns a function that ends the loop and waits for the run in progress.
 */
export function startLoop(options: {
  name: string;
  everyMs: number;
  logger: Logger;
  run: () => Promise<void>;
}): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const next = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = Promise.try(options.run)
        .catch((err: unknown) => options.logger.warn({ err }, `${options.name} failed; the next run follows`))
        .finally(next);
    }, options.everyMs);
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
