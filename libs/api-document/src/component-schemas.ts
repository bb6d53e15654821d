import {
  adjustment,
  adjustmentInput,
  adjustmentPatch,
  alive,
  apiKey,
  cartItem,
  cartItemInput,
  cartSession,
  cartSessionInput,
  cartSessionPatch,
  codeResult,
  companyUsage,
  conditions,
  coupon,
  couponInput,
  createKeyBody,
  droppedAdjustment,
  effect,
  evaluateRequest,
  evaluation,
  eventInput,
  eventPatch,
  instanceInput,
  groupMember,
  groupMerge,
  groupNote,
  issuedApiKey,
  joinTableInput,
  mergeInput,
  modifier,
  offering,
  offeringInput,
  offeringPatch,
  order,
  orderCosts,
  orderCoupon,
  orderItem,
  orderRequest,
  placedOrder,
  priceSummary,
  purchaseGroup,
  purchaseGroupInput,
  quotaUse,
  redemption,
  redemptionInput,
  ready,
  redeemed,
  reverted,
  revertInput,
  rotateKeyBody,
  shownConditions,
  tableCommitment,
  tableCommitmentInput,
  target,
  targetInput,
  ticketedEvent,
  usage,
} from '@event-commerce/contracts';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** What callers send, by name in the document. */
const REQUESTS = {
  AdjustmentInput: adjustmentInput,
  AdjustmentPatch: adjustmentPatch,
  CartItemInput: cartItemInput,
  CartSessionInput: cartSessionInput,
  CartSessionPatch: cartSessionPatch,
  ConditionsInput: conditions,
  CouponInput: couponInput,
  CreateApiKey: createKeyBody,
  EffectInput: effect,
  EvaluateRequest: evaluateRequest,
  EventInput: eventInput,
  InstanceInput: instanceInput,
  EventPatch: eventPatch,
  GroupMemberInput: groupMember,
  JoinTable: joinTableInput,
  MergePurchaseGroups: mergeInput,
  OfferingInput: offeringInput,
  OfferingPatch: offeringPatch,
  OrderItemInput: orderItem,
  OrderRequest: orderRequest,
  PurchaseGroupInput: purchaseGroupInput,
  RedemptionInput: redemptionInput,
  RevertInstance: revertInput,
  RotateApiKey: rotateKeyBody,
  TableCommitmentInput: tableCommitmentInput,
  TargetInput: targetInput,
} satisfies Record<string, z.ZodType>;

/** What the platform answers, by name in the document. */
const ANSWERS = {
  Adjustment: adjustment,
  Alive: alive,
  ApiKey: apiKey,
  CartItem: cartItem,
  CartSession: cartSession,
  CodeResult: codeResult,
  CompanyUsage: companyUsage,
  Conditions: shownConditions,
  Coupon: coupon,
  DroppedAdjustment: droppedAdjustment,
  Effect: effect,
  Evaluation: evaluation,
  Event: ticketedEvent,
  GroupMember: groupMember,
  GroupMerge: groupMerge,
  GroupNote: groupNote,
  IssuedApiKey: issuedApiKey,
  Modifier: modifier,
  Offering: offering,
  Order: order,
  OrderCosts: orderCosts,
  OrderCoupon: orderCoupon,
  OrderItem: orderItem,
  PlacedOrder: placedOrder,
  PriceSummary: priceSummary,
  PurchaseGroup: purchaseGroup,
  QuotaUse: quotaUse,
  Readiness: ready,
  Redeemed: redeemed,
  Redemption: redemption,
  Reverted: reverted,
  TableCommitment: tableCommitment,
  Target: target,
  Usage: usage,
} satisfies Record<string, z.ZodType>;

/** All named schemas, as the document keeps them. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...namedSchemas(REQUESTS, 'input'), ...namedSchemas(ANSWERS, 'output') };
}

/** `schema` as the document writes it where it is sent (`input`) or answered (`output`): by its name if it has one. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const found = Object.entries(io === 'input' ? REQUESTS : ANSWERS).find(([, one]) => one === schema);
  if (found !== undefined) return { $ref: refTo(found[0]) };
  const { $schema: _schema, ...written } = z.toJSONSchema(schema, { io });
  return tidy(written, io) as JsonSchema;
}

/** The JSON Schema of each of `schemas`, which refer to each other by name. */
export function namedSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const written = z.toJSONSchema(registry, { io, target: 'draft-2020-12', uri: refTo });
  return Object.fromEntries(
    Object.entries(written.schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [
      id,
      tidy(schema, io) as JsonSchema,
    ]),
  );
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/**
 * `schema` without what says nothing to a reader: bounds that every exact number has, patterns beside a format that means the same,
 * and closed objects of answers, which may gain members.
 */
function tidy(schema: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(schema)) return schema.map((one) => tidy(one, io));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { format } = schema as { format?: unknown };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      const isNoise =
        (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
        (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
        (key === 'pattern' && typeof value === 'string' && (format === 'date-time' || format === 'email')) ||
        (key === 'additionalProperties' && value === false && io === 'output');
      return isNoise ? [] : [[key, tidy(value, io)]];
    }),
  );
}
