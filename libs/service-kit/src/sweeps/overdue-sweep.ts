import type { Tenant } from '@event-commerce/contracts';
import type { Logger } from '../process/logger.ts';
import type { SweepPage, SweepPosition } from './sweep-page.ts';

const AT_ONCE = 50;
/** When a run leaves the rest to the next one: a check that fails may take long. */
const RUN_MS_MAX = 2_000;

interface Seen {
  sinceMs: number;
  tries: number;
}

/**
 * Ends what sweeps have found for `ttlMs`, by this process's monotonic clock, so that a wrong wall clock ends nothing.
 * Each run continues where the last one stopped. It begins with what was tried least, and companies take turns, so that
 * what cannot be ended delays nothing else. A run returns whether it found anything, overdue or not.
 */
export function overdueSweep<One extends { id: string; companyId: Tenant }>(
  { what, ttlMs, logger }: { what: string; ttlMs: number; logger: Logger },
  read: (from: SweepPosition | undefined) => Promise<SweepPage<One>>,
  end: (one: One) => Promise<void>,
): () => Promise<boolean> {
  /** What was seen in this round, which began with the first page; `before` has the previous round. */
  let round = new Map<string, Seen>();
  let before = new Map<string, Seen>();
  let next: SweepPosition | undefined;

  const endOne = async (one: One): Promise<void> => {
    try {
      await end(one);
    } catch (err) {
      logger.warn({ err, [what]: one.id }, `a ${what} could not be settled yet`);
    }
  };

  return async () => {
    const page = await read(next);
    const nowMs = performance.now();
    const seen = page.found.map((one) => ({ one, seen: before.get(one.id) ?? { sinceMs: nowMs, tries: 0 } }));
    for (const each of seen) round.set(each.one.id, each.seen);
    next = page.next;
    if (next === undefined) [before, round] = [round, new Map()];

    const overdue = seen.filter(({ seen: { sinceMs } }) => nowMs - sinceMs >= ttlMs);
    const ordered = inTurns(overdue.toSorted((a, b) => a.seen.tries - b.seen.tries));
    for (let done = 0; done < ordered.length && performance.now() - nowMs < RUN_MS_MAX; done += AT_ONCE) {
      const some = ordered.slice(done, done + AT_ONCE);
      for (const each of some) each.seen.tries += 1;
      await Promise.all(some.map(async ({ one }) => endOne(one)));
    }
    return seen.length > 0 || next !== undefined;
  };
}

/** The first of each company, then the second of each, and so on. */
function inTurns<Each extends { one: { companyId: Tenant } }>(all: readonly Each[]): Each[] {
  const turns: Each[][] = [];
  for (const ofCompany of Map.groupBy(all, ({ one }) => one.companyId).values()) {
    for (const [turn, each] of ofCompany.entries()) (turns[turn] ??= []).push(each);
  }
  return turns.flat();
}
