import { setTimeout as delay } from 'node:timers/promises';
import { type Loop, RENEW_EVERY_MS } from '@event-commerce/service-kit';
import type { HeadFollower } from '../feed/follow-head.ts';
import type { LogRepository } from '../log/log.repository.ts';
import type { SalesRepository } from './sales.repository.ts';

/** What happens in this time is counted together: events of one moment are about the same days. */
const TOGETHER_MS = 250;
/** How many entries are counted together at most. */
const ENTRIES_TOGETHER = 500;
/** How much of the log is looked through for entries that count, in positions, and how much more if there is none. */
const FIRST_SPAN = 4_096;
const SPAN_GROWTH = 8;

interface CountSalesDeps {
  log: Pick<LogRepository, 'head' | 'salesIn'>;
  sales: Pick<SalesRepository, 'count' | 'countedTo' | 'setCountedTo'>;
  head: Pick<HeadFollower, 'grownBeyond'>;
  holdsLease: () => Promise<boolean>;
}

/** Counts the sales of the log as it grows, from where it left off. One replica does; if two do, each counts once. */
export function countSales({ log, sales, head, holdsLease }: CountSalesDeps): Loop {
  return {
    name: 'counting sales',
    everyMs: RENEW_EVERY_MS,
    firstAfterMs: 0,
    async run(stopped) {
      if (!(await holdsLease())) return;
      let after = await sales.countedTo();
      let span = FIRST_SPAN;
      do {
        const end = (await log.head())?.position ?? after;
        if (end <= after) {
          await head.grownBeyond(after, RENEW_EVERY_MS, stopped);
          await delay(TOGETHER_MS, undefined, { signal: stopped }).catch(() => undefined);
          continue;
        }
        const upTo = Math.min(end, after + span);
        const entries = await log.salesIn({ after, upTo }, ENTRIES_TOGETHER);
        await sales.count(entries);
        span = entries.length === 0 ? span * SPAN_GROWTH : FIRST_SPAN;
        after = entries.length === ENTRIES_TOGETHER ? (entries.at(-1)?.position ?? upTo) : upTo;
        await sales.setCountedTo(after);
      } while (!stopped.aborted && (await holdsLease()));
    },
  };
}
