import { type CartRedemptionsReply, cartRedemptionsRequest } from '@event-commerce/contracts';
import { type CallerHandlers, validate } from '@event-commerce/service-kit';
import { type ReadDeps, readSession } from './use-cases/read-session.ts';

/** What other services may ask cart on behalf of a caller. */
export function cartAnswers(deps: ReadDeps): CallerHandlers<'cart'> {
  return {
    cartRedemptions: async ({ who, body, requestId, traceparent, identityToken = '' }) => {
      const { sessionId } = validate(cartRedemptionsRequest, body);
      const caller = { ...who, requestId, traceparent, identityToken };
      const { items, perOrderModifiers } = await readSession(deps, caller, sessionId);
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
