import {
  type CartRedemptionsReply,
  cartRedemptionsRequest,
  checkoutRequest,
  releaseCheckoutRequest,
  type ReleaseCheckoutReply,
} from '@event-commerce/contracts';
import { type Caller, type CallerHandlers, type CallerRequest, validate } from '@event-commerce/service-kit';
import { checkOut, type CheckOutDeps } from './use-cases/check-out.ts';
import { type ReadDeps, readSession } from './use-cases/read-session.ts';

/** What other services may ask cart on behalf of a caller. */
export function cartAnswers(deps: ReadDeps & CheckOutDeps): CallerHandlers<'cart'> {
  return {
    checkout: async (request) => checkOut(deps, callerOf(request), validate(checkoutRequest, request.body)),
    releaseCheckout: async ({ who: { tenant }, body }): Promise<ReleaseCheckoutReply> => {
      const { sessionId, orderId, attempt } = validate(releaseCheckoutRequest, body);
      return { released: await deps.sessionOrders.release(tenant, sessionId, orderId, attempt) };
    },
    cartRedemptions: async (request) => {
      const { sessionId } = validate(cartRedemptionsRequest, request.body);
      const { items, perOrderModifiers } = await readSession(deps, callerOf(request), sessionId);
      const modifiers = [...items.flatMap((item) => item.modifiers), ...perOrderModifiers];
      const adjustments = new Map(
        modifiers.map(({ adjustmentId, code }) => [
          adjustmentId,
          { adjustmentId, ...(code === undefined ? {} : { code }) },
        ]),
      );
      return { adjustments: [...adjustments.values()] } satisfies CartRedemptionsReply;
    },
  };
}

function callerOf({ who, requestId, traceparent, identityToken = '' }: CallerRequest): Caller {
  return { ...who, requestId, traceparent, identityToken };
}
