import type { EvaluateCartRequest, EvaluateRequest, Evaluation } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { encodeEvaluation, type EncodedInPieces, encodeInPieces } from './domain/encode-evaluation.ts';
import { type CartPrice, priceCart, type PriceOptions, priceOffering } from './domain/price.ts';
import type { CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import {
  claimCountsFor,
  eventIdsOf,
  eventsOf,
  fairly,
  momentOf,
  PREPARED_MAX,
  type PricingDeps,
  questionOf,
} from './price-facts.ts';
import { refuseForeign, refuseUnlike, refuseUnreachable, refusingTooLarge } from '../purchase/price-refusals.ts';
import { settleNow } from '../adjustments/settle-times.ts';
import { proposeAdjustments, type ProposeDeps } from './propose-adjustments.ts';
import { validatorOf } from './price-validator.ts';

/** Which dropped adjustments the caller wants to see, and may see. */
export type EvaluationView = Pick<PriceOptions, 'dropped' | 'showCodes'>;

/** With fewer adjustments the whole answer is about as short as its outline. */
const IN_PIECES_MIN = 32;

/** An evaluation as JSON: in pieces, if most of it is in a list that the caller may have kept. */
type EncodedEvaluation = { evaluation: Evaluation } & (EncodedInPieces | { text: string });

/**
 * Prices one offering, with the adjustments that the request proposes as if they were saved: reads, changes nothing.
 * `inPieces`: for a caller who takes an answer in pieces.
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
  const snapshot = proposed.length === 0 ? stored : await proposeAdjustments(deps, caller, stored, proposed);
  const apart = inPieces && view.dropped === 'all' && snapshot === stored && stored.size >= IN_PIECES_MIN;
  for (let times = 1; ; times++) {
    const adjustments = stored.digest.toString();
    const events = await eventsOf(deps, caller, snapshot, eventIdsOf(cart));
    refuseUnreachable(snapshot, cart, events);
    const question = refusingTooLarge('offering', () => questionOf(snapshot, cart, events));
    const usage = await claimCountsFor(deps, [question]);
    const encoded = await fairly(deps, caller, snapshot, cart, () => {
      // Adjustments were changed meanwhile, and what they ask for may not have been read.
      if (adjustments !== stored.digest.toString() && times < PREPARED_MAX) return undefined;
      const options = {
        ...usage(cartContext.customerId),
        ...momentOf(deps, events),
        ...view,
        ...(apart ? { dropped: 'targeted' as const } : {}),
      };
      const evaluation = refusingTooLarge('offering', () => priceOffering(snapshot, request, options));
      // Now, and not before: others are written while this evaluation waits for what it needs.
      if (apart) return { evaluation, ...encodeInPieces(evaluation, stored, request, view.showCodes) };
      return { evaluation, text: encodeEvaluation(evaluation) };
    });
    if (encoded !== undefined) return encoded;
  }
}

/** `validator`: for `validOf`, if the price may be kept. */
export interface PricedCart {
  price: CartPrice;
  validator: string | undefined;
}

/**
 * Prices carts separately: reads, changes nothing. Everything needed is read for all of them at once; then each is
 * priced when it is requested. Yields for each cart, in order, its price, or a {PlatformError}: those of
 * `evaluatePrice`, and VALIDATION_FAILED if its lines mix currencies.
 */
export async function* evaluateCarts(
  deps: PricingDeps,
  caller: Caller,
  carts: readonly EvaluateCartRequest[],
  view: EvaluationView,
): AsyncGenerator<PricedCart | Error> {
  const snapshot = await deps.snapshots.get(caller.tenant);
  let done = 0;
  /** How often the next cart was prepared. */
  let times = 1;
  while (done < carts.length) {
    const { adjustments, asked, events, usage } = await prepare(deps, caller, snapshot, carts.slice(done));
    for (const { cart, question } of asked) {
      const outcome = await fairly(deps, caller, snapshot, cart, () => {
        const isCurrent = adjustments === snapshot.digest.toString();
        // Adjustments were changed while the cart waited, and what they ask for may not have been read.
        if (!isCurrent && times < PREPARED_MAX) return undefined;
        if (question instanceof Error) return question;
        return errorOr(() => {
          const options = { ...usage(question.customerId), ...momentOf(deps, events), ...view };
          const price = refusingTooLarge('items', () => priceCart(snapshot, cart, options));
          return { price, validator: isCurrent ? validatorOf(snapshot, cart, question, options) : undefined };
        });
      });
      if (outcome === undefined) {
        times += 1;
        break;
      }
      yield outcome;
      done += 1;
      times = 1;
    }
  }
}

/** Reads what the prices of `carts` depend on under the present `adjustments`. */
async function prepare(
  deps: PricingDeps,
  caller: Caller,
  snapshot: CompanySnapshot,
  carts: readonly EvaluateCartRequest[],
) {
  const adjustments = snapshot.digest.toString();
  const events = await eventsOf(deps, caller, snapshot, carts.flatMap(eventIdsOf));
  const asked = carts.map((cart) => {
    const question = errorOr(() => {
      refuseUnlike(deps, caller.tenant, cart);
      refuseUnreachable(snapshot, cart, events);
      return refusingTooLarge('items', () => questionOf(snapshot, cart, events));
    });
    return { cart, question };
  });
  const questions = asked.flatMap(({ question }) => (question instanceof Error ? [] : question));
  return { adjustments, asked, events, usage: await claimCountsFor(deps, questions) };
}

function errorOr<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error('a cart could not be priced', { cause: error });
  }
}
