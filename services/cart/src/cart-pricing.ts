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
import { type Caller, runApart } from '@event-commerce/service-kit';
import { asUnavailable } from './as-unavailable.ts';
import { coalesceByKey, type Settled } from './coalesce-by-key.ts';

export interface CartPricing {
  /**
   * What a whole cart costs now.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE when pricing does not answer
   */
  evaluate(caller: Caller, request: EvaluateCartRequest): Promise<CartEvaluation>;
}

interface Asked {
  caller: Caller;
  request: EvaluateCartRequest;
}

/**
 * The pricing service over request-reply, in the name of the caller whose request is being served. Carts of one company that want
 * prices while a request is under way share the next one.
 */
export function cartPricing(bus: BusConnection): CartPricing {
  const ask = async (carts: readonly Asked[]): Promise<Settled<CartEvaluation>[]> => {
    // All are of one company, and so see the same prices; the newest token is the one that lasts.
    const { identityToken, requestId, traceparent } = (carts.at(-1) as Asked).caller;
    if (carts.length > 1 && bus.logger.isLevelEnabled('debug')) {
      // In pricing's log there is only the one.
      const requestIds = carts.map(({ caller }) => caller.requestId);
      bus.logger.debug({ requestIds, pricedAs: requestId }, 'priced together');
    }
    const body: EvaluateCartsRequest = { carts: carts.map(({ request }) => request) };
    try {
      const answered = await call<EvaluateCartsReply>(bus, RPC.evaluateCarts, body, {
        identityToken,
        requestId,
        traceparent,
      });
      return answered.carts.map((cart) =>
        'evaluation' in cart
          ? { result: cart.evaluation }
          : { error: errorFromBody({ message: cart.refusal.message, error: cart.refusal }) },
      );
    } catch (error) {
      throw asUnavailable(error, 'The cart cannot be priced now, and was not changed; try again shortly.');
    }
  };
  const submit = coalesceByKey<Asked, CartEvaluation>(async (_tenant, asked) =>
    (await Promise.all(portionsOf(asked).map((portion) => runApart(portion, ask)))).flat(),
  );
  return { evaluate: (caller, request) => submit(keyOfTenant(caller.tenant), { caller, request }) };
}

/** What carts that share a request may weigh together: a heavy one travels by itself, and holds up no other. */
const SHARED_BYTES_MAX = 128 * 1024;

/** `asked` in as few requests as its lines and bytes fit into. */
function portionsOf(asked: readonly Asked[]): Asked[][] {
  if (asked.length === 1) return [[...asked]];
  const portions: Asked[][] = [];
  let [linesLeft, bytesLeft] = [0, 0];
  for (const one of asked) {
    const lines = one.request.lines.length;
    const bytes = JSON.stringify(one.request).length;
    const last = portions.at(-1);
    if (last === undefined || last.length === CARTS_MAX || lines > linesLeft || bytes > bytesLeft) {
      portions.push([one]);
      [linesLeft, bytesLeft] = [CART_LINES_MAX, SHARED_BYTES_MAX];
    } else {
      last.push(one);
    }
    linesLeft -= lines;
    bytesLeft -= bytes;
  }
  return portions;
}
