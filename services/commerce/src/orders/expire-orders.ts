import type { Tenant } from '@event-commerce/contracts';
import { IDLE_MS, type Logger, type Loop, SOON_MS } from '@event-commerce/service-kit';
import type { MoveOrderDeps } from './move-order.ts';

/** After this many failures, a run leaves the rest to the next run. */
const FAILURES_MAX = 1_000;

/** What expires: how to find some that are overdue at `now`, of companies after `after`, and how to expire one. */
interface Expiring<One> {
  what: string;
  overdue: (now: Date, after: Tenant | undefined, except: readonly string[]) => Promise<One[]>;
  expire: (one: One, now: Date) => Promise<unknown>;
}

type Deps = MoveOrderDeps & { logger: Logger };

/**
 * Expires pending orders whose time is over. A request may confirm, extend or cancel one first: see
 * `OrderRepository.move`.
 */
export function orderExpirySweep(deps: Deps): Loop {
  const { orders } = deps;
  return expirySweep(deps, {
    what: 'order',
    overdue: async (...turn) => orders.overdue(...turn),
    expire: async ({ tenant, ...order }, now) => orders.expire({ tenant }, order, now),
  });
}

/** Expires the pending amendments of placed orders in the same way. */
export function amendmentExpirySweep(deps: Deps): Loop {
  const { orders } = deps;
  return expirySweep(deps, {
    what: 'amendment',
    overdue: async (...turn) => orders.withOverdueAmendment(...turn),
    expire: async ({ tenant, ...order }, now) => orders.endAmendment({ tenant }, order, 'expired', now),
  });
}

/**
 * Expires a few of each company in turn. Replicas may run it side by side: the database lets only one expire each.
 *
 * Only `expiresAt` and this process's clock count. If clocks differ, something may expire or be confirmed too early or
 * too late by that much, but never both.
 */
function expirySweep<One extends { tenant: Tenant; id: string }>(
  { clock, logger }: Deps,
  { what, overdue, expire }: Expiring<One>,
): Loop {
  /** A run continues where the last one had to stop. */
  let after: Tenant | undefined;
  return {
    name: `${what} expiry sweep`,
    everyMs: 1_000,
    idleMs: IDLE_MS,
    async run(stopped) {
      const now = clock();
      const failed: string[] = [];
      while (!stopped.aborted && failed.length < FAILURES_MAX) {
        const found = await overdue(now, after, failed);
        if (found.length === 0 && after === undefined) {
          const soon = await overdue(new Date(now.getTime() + SOON_MS), undefined, []);
          return soon.length > 0;
        }
        await Promise.all(
          found.map(async (one) => {
            try {
              await expire(one, now);
            } catch (err) {
              failed.push(one.id);
              logger.warn({ err, orderId: one.id }, `expiring an ${what} failed, will retry`);
            }
          }),
        );
        // The company at which this ended has its next turn after the others.
        after = found.at(-1)?.tenant;
      }
      return true;
    },
  };
}
