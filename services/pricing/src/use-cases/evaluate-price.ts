import type { EvaluateCartRequest, EvaluateRequest, Evaluation } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { encodeEvaluation, type EncodedInPieces, encodeInPieces } from '../domain/encode-evaluation.ts';
import { type CartPrice, priceCart, type PriceOptions, priceOffering } from '../domain/price.ts';
import type { CompanySnapshot } from '../domain/snapshot.ts';
import {
  basisOf,
  errorOr,
  eventsOf,
  fairly,
  type PricingDeps,
  type Question,
  questionOf,
  refuseForeign,
  refuseUnlike,
  refusingTooLarge,
  usageOf,
} from './price-basis.ts';
import { proposeAdjustments, type ProposeDeps } from './propose-adjustments.ts';
import { validatorOf } from './price-validator.ts';

/** Which dropped adjustments the caller wants to see, and may see. */
export type EvaluationView = Pick<PriceOptions, 'dropped' | 'showCodes'>;

/** With fewer adjustments the whole answer is about as short as its outline. */
const IN_PIECES_MIN = 32;

/** An evaluation as JSON: in pieces, if most of it is in a list that the caller may have kept. */
export type EncodedEvaluation = { evaluation: Evaluation } & (EncodedInPieces | { text: string });

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
  request: EvaluateRequest,
  view: EvaluationView,
  inPieces: boolean,
): Promise<EncodedEvaluation> {
  const { offering, cartContext, proposed = [] } = request;
  const cart = { lines: [{ offering, quantity: cartContext.quantity }], cartContext };
  refuseForeign(caller.tenant, [offering], () => 'offering.companyId');
  const stored = await deps.snapshots.get(caller.tenant);
  const snapshot = proposed.length === 0 ? stored : await proposeAdjustments(deps, caller.tenant, stored, proposed);
  const events = await eventsOf(deps, caller, snapshot, [cart]);
  const usage = await usageOf(deps, [questionOf(snapshot, cart, events)]);
  const apart = inPieces && view.dropped === 'all' && snapshot === stored && stored.size >= IN_PIECES_MIN;
  return await fairly(deps, caller, snapshot, cart, () => {
    const options = {
      ...usage(cartContext.customerId),
      ...basisOf(deps, events),
      ...view,
      ...(apart ? { dropped: 'targeted' as const } : {}),
    };
    const evaluation = refusingTooLarge('offering', () => priceOffering(snapshot, request, options));
    // Now, and not before: others are written while this evaluation waits for what it needs.
    if (apart) return { evaluation, ...encodeInPieces(evaluation, stored, request, view.showCodes) };
    return { evaluation, text: encodeEvaluation(evaluation) };
  });
}

/** How often carts are prepared for pricing if adjustments are changed each time; then they are priced nevertheless. */
const PREPARED_MAX = 3;

/**
 * Prices carts separately: reads, changes nothing. Everything needed is read for all of them at once; then each is
 * priced when it is requested. Yields for each cart, in order, its price with a validator for `validOf`, or a
 * {PlatformError}: those of `evaluatePrice`, and VALIDATION_FAILED if its lines mix currencies.
 */
export async function* evaluateCarts(
  deps: PricingDeps,
  caller: Caller,
  carts: readonly EvaluateCartRequest[],
  view: EvaluationView,
): AsyncGenerator<{ price: CartPrice; validator: string | undefined } | Error> {
  const snapshot = await deps.snapshots.get(caller.tenant);
  let prepared = await prepare(deps, caller, snapshot, carts);
  for (const [index, cart] of carts.entries()) {
    for (let times = 1; ; times++) {
      const { adjustments, events, questions, usage } = prepared;
      const question = questions.get(cart);
      const outcome = await fairly(deps, caller, snapshot, cart, () => {
        const isCurrent = adjustments === snapshot.digest.toString();
        if (!isCurrent && times < PREPARED_MAX) return undefined;
        return errorOr(() => {
          if (question === undefined || question instanceof Error) throw question;
          const options = { ...usage(question.customerId), ...basisOf(deps, events), ...view };
          const price = refusingTooLarge('lines', () => priceCart(snapshot, cart, options));
          return { price, validator: isCurrent ? validatorOf(snapshot, cart, question, options) : undefined };
        });
      });
      if (outcome !== undefined) {
        yield outcome;
        break;
      }
      // Adjustments were changed while the cart waited, and what they ask for may not have been read.
      prepared = await prepare(deps, caller, snapshot, carts.slice(index));
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
  const events = await eventsOf(deps, caller, snapshot, carts);
  const questions = new Map(
    carts.map((cart) => {
      const question = errorOr(() => {
        refuseUnlike(deps, caller.tenant, cart);
        return questionOf(snapshot, cart, events);
      });
      return [cart, question];
    }),
  );
  const asked = [...questions.values()].filter((question): question is Question => !(question instanceof Error));
  return { adjustments, events, questions, usage: await usageOf(deps, asked) };
}
