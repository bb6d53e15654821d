import { setImmediate as turn } from 'node:timers/promises';
import { type BusConnection, serve, type ServedRequest } from '@event-commerce/bus';
import {
  allows,
  cancelClaimsRequest,
  type ClaimReply,
  claimRequest,
  type CodeHolderReply,
  codeHolderRequest,
  couponState,
  errorBody,
  evaluateCartsRequest,
  evaluateRequest,
  type FollowCouponReply,
  matchCode,
  RPC,
  type RpcEndpoint,
} from '@event-commerce/contracts';
import {
  callerOn,
  parseJson,
  toPlatformError,
  validate,
  validateRequest,
  type VerifiedIdentity,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { z } from 'zod';
import { encodeEvaluation } from './domain/encode-evaluation.ts';
import type { CartPrice } from './domain/price.ts';
import { countEvaluation, countingClaims } from './metrics.ts';
import { claimRedemptions, type ClaimDeps } from './use-cases/claim-redemptions.ts';
import { followCoupon, type FollowCouponDeps } from './use-cases/follow-coupon.ts';
import { cancelClaims } from './use-cases/settle-claims.ts';
import { evaluateCarts, type EvaluateDeps, type EvaluationView, evaluatePrice } from './use-cases/evaluate-price.ts';

const IN_FLIGHT_MAX = 512;
/** A cart shows what its own codes did, and nothing else that did not count: that may be thousands. */
const CART_VIEW: EvaluationView = { dropped: 'none', showCodes: false };
/** What an answer with carts may weigh before it leaves others for the next. */
const ANSWER_BYTES = 2 ** 20;
const evaluateOptions = z.object({ dropped: z.enum(['all', 'candidates']).default('all') });

/** What other processes ask of pricing. The returned function stops answering and waits for requests in progress. */
export function servePricing(
  bus: BusConnection,
  deps: ClaimDeps & EvaluateDeps & FollowCouponDeps & { verifyIdentity: VerifyIdentity },
): () => Promise<void> {
  const options = { group: 'pricing', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  const on = (
    endpoint: RpcEndpoint,
    handle: (who: VerifiedIdentity, body: unknown, request: ServedRequest) => Promise<string>,
  ) =>
    serve(bus, endpoint, options, async (request) => {
      const who = callerOn(endpoint, deps.verifyIdentity, request.identityToken);
      return `{"data":${await handle(who, parseJson(request.body), request)}}`;
    });

  const stops = [
    on(RPC.evaluate, async ({ tenant, scopes }, body, request) => {
      const { dropped } = validate(evaluateOptions, { dropped: request.option('dropped') }, 'query');
      const view = { dropped, showCodes: allows(scopes, 'pricing:read') };
      return encodeEvaluation(
        countEvaluation(
          await evaluatePrice(deps, { tenant, context: request }, validateRequest(evaluateRequest, body), view),
        ),
      );
    }),
    on(RPC.evaluateCarts, async ({ tenant }, body, request) => {
      const { carts, withinMs = Infinity } = validate(evaluateCartsRequest, body);
      const endMs = performance.now() + withinMs;
      const answers: string[] = [];
      let bytesLeft = ANSWER_BYTES;
      for await (const outcome of evaluateCarts(deps, { tenant, context: request }, carts, CART_VIEW)) {
        const answer = encodeOutcome(outcome);
        answers.push(answer);
        bytesLeft -= answer.length;
        if (withinMs !== Infinity && (bytesLeft < 0 || performance.now() > endMs)) break;
        // A cart may take as long as many requests of other companies, which get their turn in between.
        await turn();
      }
      return `{"carts":[${answers.join(',')}]}`;
    }),
    on(RPC.claim, async ({ tenant }, body) => {
      const reply: ClaimReply = await countingClaims(
        claimRedemptions(deps, tenant, validate(claimRequest, body)),
        ({ claims }) => ({ outcome: 'claimed', count: claims.length }),
      );
      return JSON.stringify(reply);
    }),
    on(RPC.cancelClaims, async ({ tenant }, body) => {
      const { orderId, claims } = validate(cancelClaimsRequest, body);
      await cancelClaims(deps, { tenant, id: orderId, claims });
      return JSON.stringify({ cancelled: claims.length });
    }),
    on(RPC.codeHolder, async ({ tenant }, body) => {
      const { code, couponId } = validate(codeHolderRequest, body);
      const holder = await deps.adjustments.findHolder(tenant, matchCode(code));
      const held = holder !== undefined && (couponId === undefined || holder.couponId !== couponId);
      return JSON.stringify({ held } satisfies CodeHolderReply);
    }),
    on(RPC.followCoupon, async ({ tenant }, body, { traceparent }) => {
      const state = validate(couponState, body);
      const adjustment = await followCoupon(deps, { tenant, traceparent }, state);
      const { couponVersion, codeConflict = false } = adjustment ?? {};
      const reply: FollowCouponReply = { ...(couponVersion === undefined ? {} : { couponVersion }), codeConflict };
      return JSON.stringify(reply);
    }),
  ];
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}

function encodeOutcome(outcome: CartPrice | Error): string {
  if (outcome instanceof Error) return JSON.stringify({ refusal: errorBody(toPlatformError(outcome)).error });
  const { droppedAdjustments: _, ...evaluation } = countEvaluation(outcome);
  return JSON.stringify({ evaluation });
}
