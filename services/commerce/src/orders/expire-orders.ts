import type { Tenant } from '@event-commerce/contracts';
import type { Logger, Loop } from '@event-commerce/service-kit';
import type { MoveOrderDeps } from './move-order.ts';

/** A run that fails to expire this many orders leaves the rest to the next run. */
const FAILURES_MAX = 1_000;

/**
 * Expires pending orders whose time is over, a few of each company in turn. Replicas may run it side by side: the
 * database lets only one of them expire an order, unless a request confirms or cancels it first.
 *
 * Only `expiresAt` and this process's clock count. If clocks differ, an order may expire or be confirmed too early or
 * too late by that much, but never both.
 */
export function orderExpirySweep({ orders, clock, logger }: MoveOrderDeps & { logger: Logger }): Loop {
  /** A run continues where the last one had to stop. */
  let after: Tenant | undefined;
  return {
    name: 'order expiry sweep',
    everyMs: 1_000,
    async run(stopped) {
      const now = clock();
      const failed: string[] = [];
      while (!stopped.aborted && failed.length < FAILURES_MAX) {
        const overdue = await orders.overdue(now, after, failed);
        if (overdue.length === 0 && after === undefined) return;
        await Promise.all(
          overdue.map(async ({ tenant, ...order }) => {
            try {
              await orders.move({ tenant }, order, 'expire', now);
            } catch (err) {
              failed.push(order.id);
              logger.warn({ err, orderId: order.id }, 'expiring an order failed, will retry');
            }
          }),
        );
        // The company at which this ended has its next turn after the others.
        after = overdue.at(-1)?.tenant;
      }
    },
  };
}
