import type { RpcHandlers } from '@event-commerce/service-kit';
import { checkOut, type CheckOutDeps } from './sessions/check-out.ts';
import { type FollowOrderDeps, withOrderFollowed } from './sessions/follow-order.ts';

/** What other services may ask cart on behalf of a caller. */
export function cartAnswers(deps: CheckOutDeps & FollowOrderDeps): RpcHandlers<'cart'> {
  return {
    checkout: async ({ caller, body }) =>
      withOrderFollowed(deps, caller, body.sessionId, async () => checkOut(deps, caller, body)),
    releaseCheckout: async ({ caller: { tenant }, body: { sessionId, orderId, attempt } }) => ({
      released: await deps.sessionOrders.release(tenant, sessionId, orderId, attempt),
    }),
  };
}
