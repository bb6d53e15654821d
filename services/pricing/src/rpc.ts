import { setImmediate as turn } from 'node:timers/promises';
import { type CustomerKeys, type HeldClaims, replyWithClaims } from '@event-commerce/claims';
import { KEPT_OPTION, writePieces } from '@event-commerce/bus';
import { allows, codeKey, errorBody, type RepliedRefusal, scopeMissing, type Tenant } from '@event-commerce/contracts';
import { type Caller, type RpcHandlers, toPlatformError, validate } from '@event-commerce/service-kit';
import { z } from 'zod';
import type { BudgetRepository } from './budgets/budget.repository.ts';
import { countEvaluation, countingClaims } from './metrics.ts';
import type { SettleTimesDeps } from './adjustments/settle-times.ts';
import type { AdjustmentRepository } from './adjustments/adjustment.repository.ts';
import type { CouponFollower } from './adjustments/follow-coupon.ts';
import { type CodeGuesses, codesThrottled, throttledResults, unknownAmong } from './codes/code-guesses.ts';
import { encodeEvaluation } from './evaluate/domain/encode-evaluation.ts';
import { evaluateCarts, type EvaluationView, evaluatePrice, type PricedCart } from './evaluate/evaluate-price.ts';
import { validOf } from './evaluate/price-validator.ts';
import { claimAmendment, previewAmendment } from './amend/amend-order.ts';
import { type PurchaseDeps, purchaser } from './purchase/purchase.ts';
import type { CustomerRedemptions } from './redemptions/erase-customer.ts';
import { type OrderRedemptions, toRedemptionClaim } from './redemptions/order-redemptions.ts';

/** A cart shows what its own codes did, and no other dropped adjustments: there may be thousands. */
const CART_VIEW: EvaluationView = { dropped: 'none', showCodes: false };
/** A reply with carts that exceeds this size leaves the remaining carts to the next one. */
const ANSWER_BYTES = 2 ** 20;
const evaluateOptions = z.object({ dropped: z.enum(['all', 'candidates']).default('all') });

/** What other processes may ask pricing on behalf of a caller. */
export function pricingAnswers(
  deps: PurchaseDeps &
    SettleTimesDeps & {
      adjustments: AdjustmentRepository;
      budgets: BudgetRepository;
      coupons: Pick<CouponFollower, 'follow'>;
      orderRedemptions: OrderRedemptions;
      customerRedemptions: CustomerRedemptions;
      customerKeys: Pick<CustomerKeys, 'replaceEmail'>;
      guesses: CodeGuesses;
    },
): RpcHandlers<'pricing'> {
  const purchase = purchaser(deps);
  const { adjustments, customerKeys, guesses } = deps;
  /** The request, with the key of its buyer's e-mail address in place of the address. */
  const keyed = <T extends { cartContext: { customerEmail?: string | undefined } }>(tenant: Tenant, request: T): T => {
    if (request.cartContext.customerEmail === undefined) return request;
    return { ...request, cartContext: customerKeys.replaceEmail(tenant, request.cartContext) };
  };
  /** `entered`: codes of somebody who may be guessing. @throws {PlatformError} RATE_LIMITED */
  const refuseThrottled = (caller: Caller, clientRef: string | undefined, entered: readonly string[]): void => {
    if (entered.length > 0 && guesses.areThrottled(caller, clientRef)) throw codesThrottled();
  };
  const noteUnknown = (
    caller: Caller,
    clientRef: string | undefined,
    entered: readonly string[],
    replied: object,
  ): void => {
    if ('refusal' in replied && isUnknownCode(replied.refusal as RepliedRefusal)) {
      guesses.note(caller, clientRef, entered);
    }
  };
  /** The adjustment that holds `code`, unless it is the coupon's own. */
  const holderOf = async (tenant: Tenant, code: string, couponId: string | undefined) => {
    const holder = await adjustments.findHolder(tenant, code, deps.clock());
    if (holder === undefined || (couponId !== undefined && holder.couponId === couponId)) return {};
    return { holder: await adjustments.describeHolder(holder) };
  };
  return {
    evaluate: async ({ caller, identity, body, option }) => {
      const { dropped } = validate(evaluateOptions, { dropped: option('dropped') }, 'query');
      const reads = allows(identity.scopes, 'pricing:read');
      // A response with changed adjustments reveals the content of the stored ones.
      if (body.proposed !== undefined && !reads) throw scopeMissing('pricing:read');
      const view = { dropped, showCodes: reads };
      const { clientRef, codes = [] } = body.cartContext;
      if (codes.length > 0 && !reads && guesses.areThrottled(caller, clientRef)) {
        const { evaluation } = await evaluatePrice(deps, caller, withoutCodes(keyed(caller.tenant, body)), view, false);
        const shown = { ...countEvaluation(evaluation), codes: throttledResults(codes) };
        return encodeEvaluation(shown);
      }
      const kept = option(KEPT_OPTION);
      const priced = await evaluatePrice(deps, caller, keyed(caller.tenant, body), view, kept !== undefined);
      if (!reads) guesses.note(caller, clientRef, unknownAmong(priced.evaluation.codes));
      if ('text' in priced) {
        countEvaluation(priced.evaluation);
        return priced.text;
      }
      const { evaluation, pieces, list, mismatches } = priced;
      countEvaluation(evaluation, mismatches);
      return writePieces(list.digest, ['{"data":', ...pieces, '}'], kept === list.digest ? undefined : list.bytes());
    },
    evaluateCarts: async ({ caller, body: { carts, withinMs = Infinity, validators = [] } }) => {
      const endMs = performance.now() + withinMs;
      const valid = validators.length === 0 ? [] : await validOf(deps, caller, validators);
      if (carts.length === 0) return { carts: [], valid };
      const answers: string[] = [];
      let bytesLeft = ANSWER_BYTES;
      const throttled = carts.map(
        ({ cartContext: { clientRef, codes = [] } }) => codes.length > 0 && guesses.areThrottled(caller, clientRef),
      );
      const asked = carts.map((cart, index) => {
        const own = keyed(caller.tenant, cart);
        return throttled[index] === true ? withoutCodes(own) : own;
      });
      for await (const outcome of evaluateCarts(deps, caller, asked, CART_VIEW)) {
        const { clientRef, codes } = carts[answers.length]?.cartContext ?? {};
        const isThrottled = throttled[answers.length] === true;
        if (!(outcome instanceof Error)) guesses.note(caller, clientRef, unknownAmong(outcome.price.codes));
        const answer = encodeOutcome(
          isThrottled && !(outcome instanceof Error)
            ? { price: { ...outcome.price, codes: throttledResults(codes) }, validator: undefined }
            : outcome,
        );
        answers.push(answer);
        bytesLeft -= answer.length;
        if (withinMs !== Infinity && (bytesLeft < 0 || performance.now() > endMs)) break;
        // One cart may take as long as many requests of other companies, so those get their turn in between.
        await turn();
      }
      return `{"valid":[${valid.join(',')}],"carts":[${answers.join(',')}]}`;
    },
    purchase: async ({ caller, identity, body }) => {
      const buyer = { caller, mayOmitCodes: allows(identity.scopes, 'orders:write') };
      const { clientRef } = body.cartContext;
      const entered = buyer.mayOmitCodes ? [] : body.codes;
      const purchased = async (held: HeldClaims) => {
        refuseThrottled(caller, clientRef, entered);
        return await purchase(buyer, keyed(caller.tenant, body), held);
      };
      const replied = await replyWithClaims(toRedemptionClaim, async (held) =>
        countingClaims(purchased(held), ({ claims }) => ({ outcome: 'claimed', count: claims.length })),
      );
      noteUnknown(caller, clientRef, entered, replied);
      if ('refusal' in replied || replied.price === undefined) return replied;
      const { price, pricedAtMs = 0, ...reply } = replied;
      const { droppedAdjustments: _, codes: __, shares, units, basis, ...shown } = countEvaluation(price);
      const based = basis === undefined ? {} : { basis: { at: new Date(pricedAtMs).toISOString(), ...basis } };
      return { ...reply, price: shown, shares, ...(units === undefined ? {} : { units }), ...based };
    },
    amend: async ({ caller, identity, body }) => {
      const request = keyed(caller.tenant, body);
      const { mode, order, codes = order.codes } = request;
      const had = new Set(order.codes.map(codeKey));
      const entered = allows(identity.scopes, 'orders:write') ? [] : codes.filter((code) => !had.has(codeKey(code)));
      if (mode === undefined) {
        refuseThrottled(caller, undefined, entered);
        const judged = await previewAmendment(deps, caller, request);
        noteUnknown(caller, undefined, entered, judged.reprice);
        return judged;
      }
      const amended = async (held: HeldClaims) => {
        refuseThrottled(caller, undefined, entered);
        return await claimAmendment(deps, caller, mode, request, held);
      };
      const replied = await replyWithClaims(toRedemptionClaim, async (held) =>
        countingClaims(amended(held), ({ claims }) => ({ outcome: 'claimed', count: claims.length })),
      );
      noteUnknown(caller, undefined, entered, replied);
      return replied;
    },
    cancelClaims: async ({ caller, body: { orderId: id, claims, unwritten, standing } }) => {
      const order = { tenant: caller.tenant, id, claims };
      if (standing !== undefined) await deps.orderRedemptions.reduce(order, standing, caller);
      else await (unwritten ? deps.orderRedemptions.release(order) : deps.orderRedemptions.cancel(order, caller));
      return { cancelled: claims.length };
    },
    eraseFromRedemptions: async ({ body }) => deps.customerRedemptions.erase(body),
    budgetExists: async ({ caller: { tenant }, body: { budgetId } }) => ({
      exists: (await deps.budgets.find(tenant, budgetId)) !== undefined,
    }),
    codeHolder: async ({ caller: { tenant }, body: { code, couponId } }) => holderOf(tenant, code, couponId),
    followCoupon: async ({ caller, body }) => {
      const { couponVersion, codeConflict = false } = (await deps.coupons.follow(caller, body)) ?? {};
      const { code } = body.terms?.conditions ?? {};
      const { holder } = codeConflict && code !== undefined ? await holderOf(caller.tenant, code, body.id) : {};
      return {
        ...(couponVersion === undefined ? {} : { couponVersion }),
        codeConflict,
        ...(holder === undefined ? {} : { codeHolder: holder }),
      };
    },
  };
}

function withoutCodes<T extends { cartContext: object }>(request: T): T {
  return { ...request, cartContext: { ...request.cartContext, codes: [] } };
}

/** Whether an order was refused because one of its codes does not exist. */
function isUnknownCode({ code, details = [] }: RepliedRefusal): boolean {
  return code === 'VALIDATION_FAILED' && details.some(({ path }) => path === 'order.coupons');
}

function encodeOutcome(outcome: PricedCart | Error): string {
  if (outcome instanceof Error) return JSON.stringify({ refusal: errorBody(toPlatformError(outcome)).error });
  const { droppedAdjustments: _, ...evaluation } = countEvaluation(outcome.price);
  return JSON.stringify({ evaluation, validator: outcome.validator });
}
