import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '../log/domain/position.ts';
import type { LogRepository } from '../log/log.repository.ts';

/** How often a replica that does not keep the log looks for its growth, while somebody waits. */
const LOOK_EVERY_MS = 200;

/** Lets many wait for the log to grow. The database is asked only while somebody waits, once for all of them. */
export function headFollower(log: Pick<LogRepository, 'head'>) {
  let waiting: { after: Position; resolve: () => void }[] = [];
  let looking: Promise<void> | undefined;

  const grownTo = (head: Position): void => {
    const ready = waiting.filter(({ after }) => after < head);
    waiting = waiting.filter(({ after }) => after >= head);
    for (const { resolve } of ready) resolve();
  };

  const look = async (): Promise<void> => {
    while (waiting.length > 0) {
      await delay(LOOK_EVERY_MS);
      const head = await log.head().catch(() => undefined);
      if (head !== undefined) grownTo(head.position);
    }
    looking = undefined;
  };

  return {
    /** Tells that the log has grown. */
    grownTo,

    /** Ends every wait. */
    wakeAll: () => grownTo(Infinity),

    /** Resolves when the log has grown beyond `after`, or when `ms` have passed. */
    async grownBeyond(after: Position, ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { after, resolve };
      waiting.push(one);
      looking ??= look();
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      waiting = waiting.filter((other) => other !== one);
    },
  };
}

export type HeadFollower = ReturnType<typeof headFollower>;
