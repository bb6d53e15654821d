import type { Logger, Loop } from '@event-commerce/service-kit';
import type { MoveOrderDeps } from './move-order.ts';

/**
 * Makes pending orders expire once their time is over. Replicas may run it side by side: the database lets one of them
 * expire an order, or whoever confirms or cancels it first.
 *
 * Only `expiresAt` and this process's clock count. If clocks differ, an order may expire, or be confirmed, by that much
 * too early or too late; it is never both.
 */
export function orderExpirySweep({ orders, clock, logger }: MoveOrderDeps & { logger: Logger }): Loop {
  return {
    name: 'order expiry sweep',
    everyMs: 1_000,
    async run() {
      const now = clock();
      for await (const overdue of orders.overdue(now)) {
        const moves = overdue.map(async ({ tenant, id }) => orders.move({ tenant }, id, 'expire', now));
        const failed = (await Promise.allSettled(moves)).find((move) => move.status === 'rejected');
        if (failed !== undefined) logger.warn({ err: failed.reason }, 'an order could not expire yet');
      }
    },
  };
}
