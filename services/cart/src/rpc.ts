import type { RpcHandlers } from '@event-commerce/service-kit';
import type { CustomerSessions } from './sessions/erase-customer.ts';
import { checkOut, type CheckOutDeps } from './sessions/check-out.ts';
import { endOrder, followAmendment, withOrderFollowed } from './sessions/follow-order.ts';
import { releaseReservation } from './sessions/release-reservation.ts';

/** What other services may ask cart on behalf of a caller. */
export function cartAnswers(deps: CheckOutDeps & { customerSessions: CustomerSessions }): RpcHandlers<'cart'> {
  return {
    checkout: async ({ caller, body }) =>
      withOrderFollowed(deps, caller, body.sessionId, async () => checkOut(deps, caller, body)),
    releaseCheckout: async ({ caller: { tenant }, body: { sessionId, orderId, reopening = 0 } }) => {
      await releaseReservation(deps, tenant, { sessionId, orderId, reopening });
      return {};
    },
    eraseFromCarts: async ({ body }) => deps.customerSessions.erase(body),
    followAmendment: async ({ caller, body: { sessionId, orderId } }) => {
      await followAmendment(deps, caller, sessionId, { orderId });
      return {};
    },
    endCheckout: async ({ caller, body: { sessionId, ...order } }) => {
      await endOrder(deps, caller, sessionId, order);
      return {};
    },
  };
}
