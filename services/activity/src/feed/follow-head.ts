import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '../log/domain/position.ts';
import type { LogRepository } from '../log/log.repository.ts';

/**
 * How often a replica that does not keep the log checks whether it has grown, while somebody waits: at first, and at
 * the longest; the time doubles while it does not grow. Events are in the log within a second.
 */
const LOOK_EVERY_MS = 200;
const IDLE_LOOK_EVERY_MS = 800;
/** How often the one that keeps it checks: it is told of growth, but another may have taken over unnoticed. */
const KEEPER_LOOK_EVERY_MS = 2_000;

/** Lets many wait for the log to grow. The database is asked only while somebody waits, once for all of them. */
export function headFollower(log: Pick<LogRepository, 'head'>) {
  let waiting: { after: Position; resolve: () => void }[] = [];
  let looking: Promise<void> | undefined;
  let known: Position = 0;
  let pauseMs = LOOK_EVERY_MS;
  let isKeeper = false;

  const resolveBelow = (head: Position): void => {
    const ready = waiting.filter(({ after }) => after < head);
    waiting = waiting.filter(({ after }) => after >= head);
    for (const { resolve } of ready) resolve();
  };

  const grownTo = (head: Position): void => {
    pauseMs = head > known ? LOOK_EVERY_MS : Math.min(pauseMs * 2, IDLE_LOOK_EVERY_MS);
    known = head;
    resolveBelow(head);
  };

  const look = async (): Promise<void> => {
    while (waiting.length > 0) {
      await delay(isKeeper ? KEEPER_LOOK_EVERY_MS : pauseMs);
      const head = await log.head().catch(() => undefined);
      if (head !== undefined) grownTo(head.position);
    }
    looking = undefined;
  };

  return {
    /** Tells that the log has grown. */
    grownTo,

    /** Tells whether this process keeps the log, and so calls `grownTo` each time that it grows. */
    setKeeper(is: boolean): void {
      isKeeper = is;
    },

    /** Ends every wait. */
    wakeAll: () => resolveBelow(Infinity),

    /** Resolves when the log has grown beyond `after`, when `ms` have passed, or when `stopped` is aborted. */
    async grownBeyond(after: Position, ms: number, stopped?: AbortSignal): Promise<void> {
      if (stopped?.aborted === true) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = () => resolve();
      const one = { after, resolve };
      waiting.push(one);
      looking ??= look();
      const timer = setTimeout(end, ms);
      stopped?.addEventListener('abort', end);
      await promise;
      clearTimeout(timer);
      stopped?.removeEventListener('abort', end);
      waiting = waiting.filter((other) => other !== one);
    },
  };
}

export type HeadFollower = ReturnType<typeof headFollower>;
