import type { BusConnection } from '@event-commerce/bus';
import {
  CART_LINES_MAX,
  type CartEvaluation,
  CARTS_MAX,
  errorFromRefusal,
  type EvaluateCartRequest,
  type EvaluateCartsReply,
  type EvaluateCartsRequest,
  keyOfTenant,
  VALIDATOR_LENGTH_MAX,
  VALIDATORS_MAX,
} from '@event-commerce/contracts';
import { batched, type Caller, LATER, runApart } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { evaluateCarts } from '../other-services.ts';

export type CartPricing = ReturnType<typeof cartPricing>;

interface Asked {
  caller: Caller;
  request: EvaluateCartRequest;
}

/** A price, and the token with which pricing checks whether it still holds. */
interface Price {
  evaluation: CartEvaluation;
  validator?: string;
}

/**
 * How long pricing the carts of one request may take: a small part of a caller's timeout, so that pricing replies in
 * time even to many concurrent requests, and few carts wait for another's price.
 */
const SHARED_MS = 200;
/** How many carts of one company are priced together, and may wait. */
const TOGETHER_MAX = 200;
const WAITING_MAX = 2_000;
/** Longer than any batch in which all requests get their replies in time. */
const BATCH_TIMEOUT_MS = 30_000;
/** The memory that a character of a cached price takes, measured in its JSON. */
const BYTES_PER_CHARACTER = 4;

/**
 * The pricing service over request-reply, on behalf of the current caller. Carts of one company that need prices while
 * a request is in flight share the next one. A cart that equals one priced before is not priced again: pricing is only
 * asked whether the price still holds. `cacheBytesMax`: the memory for such prices.
 */
export function cartPricing(bus: BusConnection, cacheBytesMax: number) {
  const known = new LRUCache<string, Price & { validator: string }>({
    maxSize: cacheBytesMax,
    sizeCalculation: ({ evaluation }, key) =>
      BYTES_PER_CHARACTER * (key.length + VALIDATOR_LENGTH_MAX / 4 + JSON.stringify(evaluation).length),
  });

  /** All of `asked` belong to one company, and so see the same prices. */
  const send = async (
    asked: readonly { caller: Caller }[],
    body: EvaluateCartsRequest,
  ): Promise<EvaluateCartsReply> => {
    // The newest token expires last.
    const { caller: newest } = asked.at(-1) as Asked;
    if (asked.length > 1 && bus.logger.isLevelEnabled('debug')) {
      // Pricing's log shows only this one.
      const requestIds = asked.map(({ caller }) => caller.requestId);
      bus.logger.debug({ requestIds, pricedAs: newest.requestId }, 'priced together');
    }
    return await evaluateCarts(bus, newest, body);
  };

  const ask = async (asked: readonly Asked[]): Promise<(Price | Error | typeof LATER)[]> => {
    const { carts } = await send(asked, { carts: asked.map(({ request }) => request), withinMs: SHARED_MS });
    // Carts for which no time was left come first in the next request.
    return asked.map((_, index) => {
      const cart = carts[index];
      if (cart === undefined) return LATER;
      if ('evaluation' in cart) return cart;
      return errorFromRefusal(cart.refusal);
    });
  };
  const batch = { waitingMax: WAITING_MAX, timeoutMs: BATCH_TIMEOUT_MS };
  const price = batched<Asked, Price>(
    async (asked) => (await Promise.all(portionsOf(asked).map((portion) => runApart(portion, ask)))).flat(),
    { ...batch, key: ({ caller }) => keyOfTenant(caller.tenant), itemsMax: TOGETHER_MAX },
  );
  const isValid = batched<{ caller: Caller; validator: string }, boolean>(
    async (asked) => {
      const validators = [...new Set(asked.map(({ validator }) => validator))];
      const { valid = [] } = await send(asked, { carts: [], validators });
      const holding = new Set(validators.filter((_, index) => valid[index]));
      return asked.map(({ validator }) => holding.has(validator));
    },
    { ...batch, key: ({ caller }) => keyOfTenant(caller.tenant), itemsMax: VALIDATORS_MAX },
  );

  return {
    /**
     * Returns the current price of a whole cart.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if pricing does not respond
     */
    async evaluate(caller: Caller, request: EvaluateCartRequest): Promise<CartEvaluation> {
      const key = `${keyOfTenant(caller.tenant)}\n${JSON.stringify(request)}`;
      const before = known.get(key);
      if (before !== undefined && (await isValid({ caller, validator: before.validator }))) return before.evaluation;
      const { evaluation, validator } = await price({ caller, request });
      if (validator === undefined) known.delete(key);
      else known.set(key, { evaluation, validator });
      return evaluation;
    },
  };
}

/** Splits `asked` into as few requests as its lines fit into. */
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
