import type { Logger } from '../process/logger.ts';

/** Work that is repeated in the background. */
export interface Loop {
  name: string;
  everyMs: number;
  /** The first run begins after this time (ms) if it is not `everyMs`. */
  firstAfterMs?: number;
  /** Ends early once `stopped` is aborted, if it may take long. */
  run: (stopped: AbortSignal) => Promise<void>;
}

/**
 * Runs `loop` repeatedly, `everyMs` after the last run ended, never twice at once. A failure is logged, and the next
 * run follows. Returns a function that ends the loop and waits for the run in progress.
 */
export function startLoop(loop: Loop, logger: Logger): () => Promise<void> {
  const { name, everyMs, firstAfterMs = everyMs, run } = loop;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const next = (afterMs: number) => {
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = Promise.try(run, stop.signal)
        .catch((err: unknown) => logger.warn({ err }, `${name} failed; the next run follows`))
        .finally(() => next(everyMs));
    }, afterMs);
  };
  next(firstAfterMs);
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
