import { type BusConnection, call } from '@event-commerce/bus';
import {
  CART_LINES_MAX,
  type CartEvaluation,
  CARTS_MAX,
  errorFromBody,
  type EvaluateCartRequest,
  type EvaluateCartsReply,
  type EvaluateCartsRequest,
  RPC,
  keyOfTenant,
} from '@event-commerce/contracts';
import { batched, type Caller, LATER, runApart } from '@event-commerce/service-kit';
import { asUnavailable } from './as-unavailable.ts';

export interface CartPricing {
  /**
   * Returns the current price of a whole cart.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE if pricing does not respond
   */
  evaluate(caller: Caller, request: EvaluateCartRequest): Promise<CartEvaluation>;
}

interface Asked {
  caller: Caller;
  request: EvaluateCartRequest;
}

/**
 * How long pricing the carts of one request may take: a small part of a caller's patience, so that pricing replies in
 * time even if many ask at once, and few carts wait for another's price.
 */
const SHARED_MS = 200;
/** How many carts of one company are priced together, and may wait. */
const TOGETHER_MAX = 200;
const WAITING_MAX = 2_000;
/** Longer than any batch whose requests all get their reply in time. */
const BATCH_TIMEOUT_MS = 30_000;

/**
 * The pricing service over request-reply, on behalf of the current caller. Carts of one company that need prices while
 * a request is in flight share the next one.
 */
export function cartPricing(bus: BusConnection): CartPricing {
  const ask = async (carts: readonly Asked[]): Promise<(CartEvaluation | Error | typeof LATER)[]> => {
    // All belong to one company, and so see the same prices. The newest token expires last.
    const { identityToken, requestId, traceparent } = (carts.at(-1) as Asked).caller;
    if (carts.length > 1 && bus.logger.isLevelEnabled('debug')) {
      // Pricing's log shows only this one.
      const requestIds = carts.map(({ caller }) => caller.requestId);
      bus.logger.debug({ requestIds, pricedAs: requestId }, 'priced together');
    }
    const body: EvaluateCartsRequest = { carts: carts.map(({ request }) => request), withinMs: SHARED_MS };
    try {
      const answered = await call<EvaluateCartsReply>(bus, RPC.evaluateCarts, body, {
        identityToken,
        requestId,
        traceparent,
      });
      // Those that did not fit into the time come first in the next request.
      return carts.map((_, index) => {
        const cart = answered.carts[index];
        if (cart === undefined) return LATER;
        if ('evaluation' in cart) return cart.evaluation;
        return errorFromBody({ message: cart.refusal.message, error: cart.refusal });
      });
    } catch (error) {
      throw asUnavailable(error, 'The cart cannot be priced now, and was not changed; try again shortly.');
    }
  };
  const price = batched<Asked, CartEvaluation>(
    async (asked) => (await Promise.all(portionsOf(asked).map((portion) => runApart(portion, ask)))).flat(),
    {
      key: ({ caller }) => keyOfTenant(caller.tenant),
      itemsMax: TOGETHER_MAX,
      waitingMax: WAITING_MAX,
      timeoutMs: BATCH_TIMEOUT_MS,
    },
  );
  return { evaluate: (caller, request) => price({ caller, request }) };
}

/** `asked` in as few requests as its lines fit into. */
function portionsOf(asked: readonly Asked[]): Asked[][] {
  const portions: Asked[][] = [];
  let linesLeft = 0;
  for (const one of asked) {
    const lines = one.request.lines.length;
    const last = portions.at(-1);
    if (last === undefined || last.length === CARTS_MAX || lines > linesLeft) {
      portions.push([one]);
      linesLeft = CART_LINES_MAX;
    } else {
      last.push(one);
    }
    linesLeft -= lines;
  }
  return portions;
}
