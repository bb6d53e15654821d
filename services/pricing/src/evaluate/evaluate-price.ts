import type { EvaluateCartRequest, EvaluateRequest, Evaluation } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { encodeEvaluation, type EncodedInPieces, encodeInPieces } from './domain/encode-evaluation.ts';
import { type CartPrice, priceAndBudgets, type PriceOptions, priceOffering } from './domain/price.ts';
import { type PriceFacts, pricedFrom, type PricingDeps, readFacts } from './price-facts.ts';
import { withIssuedCodes } from '../codes/with-issued-codes.ts';
import { refuseForeign, refuseUnlike, refusingTooLarge } from './price-refusals.ts';
import { settleNow } from '../adjustments/settle-times.ts';
import { proposeAdjustments, type ProposeDeps } from './propose-adjustments.ts';
import { validatorOf } from './price-validator.ts';

/** Which dropped adjustments the caller wants to see, and may see. */
export type EvaluationView = Pick<PriceOptions, 'dropped' | 'showCodes'>;

/** With fewer adjustments the whole response is about as short as its outline. */
const IN_PIECES_MIN = 32;

/** An evaluation as JSON: in pieces, if most of it is in a list that the caller may have kept. */
type EncodedEvaluation = { evaluation: Evaluation } & (EncodedInPieces | { text: string });

/**
 * Prices one offering, with the adjustments that the request proposes as if they were saved: reads, changes nothing.
 * `inPieces`: for a caller who accepts a response in pieces.
 *
 * @throws {PlatformError} as `proposeAdjustments`; FORBIDDEN if the offering names another company, VALIDATION_FAILED
 * if the price becomes too large or too many adjustments apply, SERVICE_UNAVAILABLE if it depends on the event's
 * contexts and those cannot be read
 */
export async function evaluatePrice(
  deps: PricingDeps & ProposeDeps,
  caller: Caller,
  asked: EvaluateRequest,
  view: EvaluationView,
  inPieces: boolean,
): Promise<EncodedEvaluation> {
  const request = await settleNow(deps, caller, asked);
  const { offering, cartContext, proposed = [] } = request;
  const cart = { lines: [{ offering, quantity: cartContext.quantity }], cartContext };
  refuseForeign(caller.tenant, [offering], () => 'offering.companyId');
  const stored = await deps.snapshots.get(caller.tenant);
  const redeemed = await withIssuedCodes(deps, caller.tenant, stored, cartContext.codes);
  const snapshot = proposed.length === 0 ? redeemed : await proposeAdjustments(deps, caller, redeemed, proposed);
  const apart = inPieces && view.dropped === 'all' && snapshot === stored && stored.size >= IN_PIECES_MIN;
  const read = async () => (await readFacts(deps, caller, [{ snapshot, cart }], 'offering'))[0];
  return await pricedFrom(deps, caller, snapshot, cart, read, (facts) => {
    const options = { ...facts, ...view, ...(apart ? { dropped: 'targeted' as const } : {}) };
    const evaluation = refusingTooLarge('offering', () => priceOffering(snapshot, request, options));
    // Read now and not earlier, because adjustments may change while this evaluation waits for its data.
    if (apart) return { evaluation, ...encodeInPieces(evaluation, stored, request, view.showCodes) };
    return { evaluation, text: encodeEvaluation(evaluation) };
  });
}

/** `validator`: for `validOf`, if the price may be kept. */
export interface PricedCart {
  price: CartPrice;
  validator: string | undefined;
}

/**
 * Prices carts separately: reads, changes nothing. Reads everything they need at once, then prices each when it is
 * requested. Yields for each cart, in order, its price, or a {PlatformError}: those of `evaluatePrice`, and
 * VALIDATION_FAILED if its lines mix currencies.
 */
export async function* evaluateCarts(
  deps: PricingDeps,
  caller: Caller,
  carts: readonly EvaluateCartRequest[],
  view: EvaluationView,
): AsyncGenerator<PricedCart | Error> {
  const { tenant } = caller;
  const stored = await deps.snapshots.get(tenant);
  const asked = await Promise.all(
    carts.map(async (cart) => ({
      snapshot: await withIssuedCodes(deps, tenant, stored, cart.cartContext.codes),
      cart,
    })),
  );
  let known: readonly (PriceFacts | Error | undefined)[] = [];
  for (const [index, { snapshot, cart }] of asked.entries()) {
    const read = async () => {
      const facts = known[index];
      const isKnown = facts !== undefined && (facts instanceof Error || facts.digest === snapshot.digest.toString());
      if (isKnown) return facts;
      const left = await readFacts(deps, caller, asked.slice(index), 'items');
      known = [...carts.slice(0, index).map(() => undefined), ...left];
      return left[0];
    };
    const priced = pricedFrom(deps, caller, snapshot, cart, read, (facts, isCurrent): PricedCart => {
      refuseUnlike(deps, tenant, cart, 'items');
      const options = { ...facts, ...view };
      const within = refusingTooLarge('items', () => priceAndBudgets(snapshot, cart, options));
      const validator = isCurrent ? validatorOf(snapshot, cart, facts.caps, options, within) : undefined;
      return { price: within.price, validator };
    });
    yield await priced.catch((error: unknown) =>
      error instanceof Error ? error : new Error('a cart could not be priced', { cause: error }),
    );
  }
}
