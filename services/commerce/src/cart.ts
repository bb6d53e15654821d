import { type BusConnection, call } from '@event-commerce/bus';
import { type CartRedemptionsReply, invalidInput, PlatformError, RPC } from '@event-commerce/contracts';
import { contextOf } from './pricing.ts';
import type { Carts } from './use-cases/place-order.ts';

/** Asks the cart service for everything behind a session's price, on behalf of the caller. */
export function cartRedemptions(bus: BusConnection): Carts {
  return {
    async adjustmentsOf(caller, sessionId) {
      try {
        const context = contextOf(caller);
        return (await call<CartRedemptionsReply>(bus, RPC.cartRedemptions, { sessionId }, context)).adjustments;
      } catch (error) {
        if (!(error instanceof PlatformError) || error.code !== 'CART_SESSION_NOT_FOUND') throw error;
        throw invalidInput('order.cartSessionId', `is ${sessionId}, and there is no such cart session`);
      }
    },
  };
}
