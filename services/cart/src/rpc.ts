import { checkoutRequest, releaseCheckoutRequest, type ReleaseCheckoutReply } from '@event-commerce/contracts';
import { type Caller, type CallerHandlers, type CallerRequest, validate } from '@event-commerce/service-kit';
import { checkOut, type CheckOutDeps } from './use-cases/check-out.ts';
import { type FollowOrderDeps, withOrderFollowed } from './use-cases/follow-order.ts';

/** What other services may ask cart on behalf of a caller. */
export function cartAnswers(deps: CheckOutDeps & FollowOrderDeps): CallerHandlers<'cart'> {
  return {
    checkout: async (request) => {
      const caller = callerOf(request);
      const wanted = validate(checkoutRequest, request.body);
      return await withOrderFollowed(deps, caller, wanted.sessionId, async () => checkOut(deps, caller, wanted));
    },
    releaseCheckout: async ({ who: { tenant }, body }): Promise<ReleaseCheckoutReply> => {
      const { sessionId, orderId, attempt } = validate(releaseCheckoutRequest, body);
      return { released: await deps.sessionOrders.release(tenant, sessionId, orderId, attempt) };
    },
  };
}

function callerOf({ who, requestId, traceparent, identityToken = '' }: CallerRequest): Caller {
  return { ...who, requestId, traceparent, identityToken };
}
