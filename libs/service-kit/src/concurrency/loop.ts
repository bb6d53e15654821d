import type { Logger } from '../process/logger.ts';

/**
 * The longest pause of sweeps that find nothing: what a killed process left is found at most that late, and a platform
 * at rest hardly queries its databases.
 */
export const IDLE_MS = 5_000;

/** A sweep for what ends at a set time does not lengthen its pause while something ends within this time. */
export const SOON_MS = 2 * IDLE_MS;

/** Work that is repeated in the background. */
export interface Loop {
  name: string;
  everyMs: number;
  /** The pause doubles up to this while runs find nothing. Absent: it does not. */
  idleMs?: number;
  /** The first run begins after this time (ms) if it is not `everyMs`. */
  firstAfterMs?: number;
  /** Returns `false` if it found nothing to do, now or soon. Ends early once `stopped` is aborted, if it may take long. */
  run: (stopped: AbortSignal) => Promise<boolean | void>;
}

/**
 * Runs `loop` repeatedly, a pause after the last run ended, never twice at once. A failure is logged, and the next
 * run follows. Returns a function that ends the loop and waits for the run in progress.
 */
export function startLoop(loop: Loop, logger: Logger): () => Promise<void> {
  const { name, everyMs, idleMs = everyMs, firstAfterMs = everyMs, run } = loop;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let pauseMs = everyMs;

  const next = (afterMs: number) => {
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = runOnce();
    }, afterMs);
  };
  const runOnce = async (): Promise<void> => {
    try {
      const found = await run(stop.signal);
      pauseMs = found === false ? Math.min(pauseMs * 2, idleMs) : everyMs;
    } catch (err) {
      logger.warn({ err }, `${name} failed; the next run follows`);
      pauseMs = everyMs;
    }
    next(pauseMs);
  };
  next(firstAfterMs);
  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
