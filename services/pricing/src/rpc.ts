import { setImmediate as turn } from 'node:timers/promises';
import { KEPT_OPTION, writePieces } from '@event-commerce/bus';
import {
  allows,
  cancelClaimsRequest,
  type CodeHolderReply,
  codeHolderRequest,
  couponState,
  errorBody,
  type EvaluateCartsReply,
  evaluateCartsRequest,
  evaluateRequest,
  type FollowCouponReply,
  matchCode,
  type PurchaseReply,
  purchaseRequest,
  scopeMissing,
} from '@event-commerce/contracts';
import { type CallerHandlers, toPlatformError, validate, validateRequest } from '@event-commerce/service-kit';
import { z } from 'zod';
import type { CartPrice } from './domain/price.ts';
import { countEvaluation, countingClaims } from './metrics.ts';
import { followCoupon, type FollowCouponDeps } from './use-cases/follow-coupon.ts';
import { evaluateCarts, type EvaluationView, evaluatePrice } from './use-cases/evaluate-price.ts';
import { validOf } from './use-cases/price-validator.ts';
import { type PurchaseDeps, purchaser } from './use-cases/purchase.ts';
import { cancelClaims } from './use-cases/settle-claims.ts';

/** A cart shows what its own codes did, and no other dropped adjustments: there may be thousands. */
const CART_VIEW: EvaluationView = { dropped: 'none', showCodes: false };
/** The size at which a reply with carts leaves the others for the next one. */
const ANSWER_BYTES = 2 ** 20;
const evaluateOptions = z.object({ dropped: z.enum(['all', 'candidates']).default('all') });

/** What other processes may ask pricing on behalf of a caller. */
export function pricingAnswers(deps: PurchaseDeps & FollowCouponDeps): CallerHandlers<'pricing'> {
  const purchase = purchaser(deps);
  return {
    evaluate: async (request) => {
      const { who, body } = request;
      const { tenant, scopes } = who;
      const { dropped } = validate(evaluateOptions, { dropped: request.option('dropped') }, 'query');
      const reads = allows(scopes, 'pricing:read');
      const asked = validateRequest(evaluateRequest, body);
      // An answer with changed adjustments tells what is in the stored ones.
      if (asked.proposed !== undefined && !reads) throw scopeMissing('pricing:read');
      const view = { dropped, showCodes: reads };
      const kept = request.option(KEPT_OPTION);
      const priced = await evaluatePrice(deps, { tenant, context: request }, asked, view, kept !== undefined);
      if ('text' in priced) {
        countEvaluation(priced.evaluation);
        return priced.text;
      }
      const { evaluation, pieces, list, mismatches } = priced;
      countEvaluation(evaluation, mismatches);
      return writePieces(list.digest, ['{"data":', ...pieces, '}'], kept === list.digest ? undefined : list.bytes());
    },
    evaluateCarts: async (request) => {
      const { who, body } = request;
      const { tenant } = who;
      const { carts, withinMs = Infinity, validators = [] } = validate(evaluateCartsRequest, body);
      const endMs = performance.now() + withinMs;
      const asker = { tenant, context: request };
      const valid = validators.length === 0 ? [] : await validOf(deps, asker, validators);
      if (carts.length === 0) return { carts: [], valid } satisfies EvaluateCartsReply;
      const answers: string[] = [];
      let bytesLeft = ANSWER_BYTES;
      for await (const outcome of evaluateCarts(deps, asker, carts, CART_VIEW)) {
        const answer = encodeOutcome(outcome);
        answers.push(answer);
        bytesLeft -= answer.length;
        if (withinMs !== Infinity && (bytesLeft < 0 || performance.now() > endMs)) break;
        // A cart may take as long as many requests of other companies, which get their turn in between.
        await turn();
      }
      return `{"valid":[${valid.join(',')}],"carts":[${answers.join(',')}]}`;
    },
    purchase: async (request) => {
      const order = validate(purchaseRequest, request.body);
      const { price, ...reply } = await countingClaims(
        purchase({ ...request.who, context: request }, order),
        ({ claims }) => ({ outcome: 'claimed', count: claims.length }),
      );
      if (price === undefined) return reply;
      const { droppedAdjustments: _, codes: __, ...shown } = countEvaluation(price);
      return { ...reply, price: shown } satisfies PurchaseReply;
    },
    cancelClaims: async ({ who: { tenant, keyId }, body, traceparent }) => {
      const { orderId, claims, attempt } = validate(cancelClaimsRequest, body);
      await cancelClaims(deps, { tenant, id: orderId, claims }, attempt, { keyId, traceparent });
      return { cancelled: claims.length };
    },
    codeHolder: async ({ who: { tenant }, body }) => {
      const { code, couponId } = validate(codeHolderRequest, body);
      const holder = await deps.adjustments.findHolder(tenant, matchCode(code));
      const held = holder !== undefined && (couponId === undefined || holder.couponId !== couponId);
      return { held } satisfies CodeHolderReply;
    },
    followCoupon: async ({ who: { tenant, keyId }, body, traceparent }) => {
      const state = validate(couponState, body);
      const adjustment = await followCoupon(deps, { tenant, keyId, traceparent }, state);
      const { couponVersion, codeConflict = false } = adjustment ?? {};
      const reply: FollowCouponReply = { ...(couponVersion === undefined ? {} : { couponVersion }), codeConflict };
      return reply;
    },
  };
}

function encodeOutcome(outcome: { price: CartPrice; validator: string | undefined } | Error): string {
  if (outcome instanceof Error) return JSON.stringify({ refusal: errorBody(toPlatformError(outcome)).error });
  const { droppedAdjustments: _, ...evaluation } = countEvaluation(outcome.price);
  return JSON.stringify({ evaluation, validator: outcome.validator });
}
