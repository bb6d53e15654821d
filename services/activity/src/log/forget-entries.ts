import { tenantOfKey } from '@event-commerce/contracts';
import type { Loop } from '@event-commerce/service-kit';
import type { Position } from './domain/position.ts';
import type { LogRepository } from './log.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 10 * 60 * 1000;
/** A log that is too large is cut to this share of its bound, so that it is not cut at every run. */
const CUT_TO = 0.9;
const READ_AT_ONCE = 1_000;

/**
 * Forgets entries that are older than `days`, and the oldest of a company whose log is larger than `bytesMax`. First
 * they are no longer shown, then they are deleted: a reader who is behind is told so, and never skips entries.
 */
export function forgettingSweep(deps: {
  log: LogRepository;
  holdsLease: () => Promise<boolean>;
  /** Entries after this position are kept: sales do not count them yet. */
  countedTo: () => Promise<Position>;
  clock: () => Date;
  days: number;
  bytesMax: number;
}): Loop {
  const { log, holdsLease, countedTo, clock, days, bytesMax } = deps;
  return {
    name: 'forgetting old activity',
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    run: async (stopped) => {
      if (!(await holdsLease())) return;
      const cutoff = new Date(clock().getTime() - days * DAY_MS);
      const counted = await countedTo();
      const old = Math.min(counted, await log.positionAt(cutoff));
      for (const company of await log.companies()) {
        if (stopped.aborted) return;
        const tenant = tenantOfKey(company._id);
        let position = Math.max(old, company.forgottenTo);
        let tooMany = company.bytes - (company.bytes > bytesMax ? CUT_TO * bytesMax : company.bytes);
        const end = tooMany > 0 ? counted : position;
        while (tooMany > 0 && position < end) {
          const some = await log.read(
            tenant,
            { terms: [] },
            { after: position, upTo: end },
            { limit: READ_AT_ONCE, direction: 'oldest-first' },
          );
          if (some.length === 0) break;
          for (const entry of some) {
            if (tooMany <= 0) break;
            tooMany -= entry.bytes;
            position = entry.position;
          }
        }
        if (position > company.forgottenTo) await log.forget(company, position);
      }
      await log.forgetHours(cutoff);
    },
  };
}
