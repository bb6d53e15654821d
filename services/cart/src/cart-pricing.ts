import { type BusConnection, call } from '@event-commerce/bus';
import { type CartEvaluation, type EvaluateCartRequest, RPC } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { asUnavailable } from './as-unavailable.ts';

export interface CartPricing {
  /**
   * What a whole cart costs now, in one request.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE when pricing does not answer
   */
  evaluate(caller: Caller, request: EvaluateCartRequest): Promise<CartEvaluation>;
}

/** The pricing service over request-reply, in the name of the caller whose request is being served. */
export function cartPricing(bus: BusConnection): CartPricing {
  return {
    async evaluate({ identityToken, requestId, traceparent }, request) {
      const options = { of: 'cart', dropped: 'candidates' };
      try {
        return await call<CartEvaluation>(bus, RPC.evaluate, request, {
          identityToken,
          requestId,
          traceparent,
          options,
        });
      } catch (error) {
        throw asUnavailable(error, 'The cart cannot be priced now, and was not changed; try again shortly.');
      }
    },
  };
}
