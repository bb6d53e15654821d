import { type BusConnection, serve } from '@event-commerce/bus';
import { type CartRedemptionsReply, cartRedemptionsRequest, RPC } from '@event-commerce/contracts';
import { callerOn, parseJson, toPlatformError, validate, type VerifyIdentity } from '@event-commerce/service-kit';
import { type ReadDeps, readSession } from './use-cases/read-session.ts';

const IN_FLIGHT_MAX = 256;

/** What other processes ask of the cart. The returned function stops answering and waits for requests in progress. */
export function serveCart(
  bus: BusConnection,
  deps: ReadDeps & { verifyIdentity: VerifyIdentity },
): () => Promise<void> {
  const options = { group: 'cart', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  return serve(bus, RPC.cartRedemptions, options, async ({ body, identityToken, requestId, traceparent }) => {
    const who = callerOn(RPC.cartRedemptions, deps.verifyIdentity, identityToken);
    const { sessionId } = validate(cartRedemptionsRequest, parseJson(body));
    const caller = { ...who, requestId, traceparent, identityToken: identityToken ?? '' };
    const { items, perOrderModifiers } = await readSession(deps, caller, sessionId);
    const modifiers = [...items.flatMap((item) => item.modifiers), ...perOrderModifiers];
    const adjustments = new Map(
      modifiers.map(({ adjustmentId, code }) => [
        adjustmentId,
        { adjustmentId, ...(code === undefined ? {} : { code }) },
      ]),
    );
    const data: CartRedemptionsReply = { adjustments: [...adjustments.values()] };
    return JSON.stringify({ data });
  });
}
