import { z } from 'zod';
import { CONDITION_WORDS, conditions, shownConditions } from './conditions.ts';
import { effect, effectMembers, isSurcharge, shownEffect, ticketsNeeded } from './effect.ts';
import { memberNotes, placed } from '../schema/member-notes.ts';
import { mergePatch } from '../schema/merge-patch.ts';
import { couponCode } from '../schema/codes.ts';
import {
  ARRAY_LENGTH_MAX,
  externalId,
  label,
  listQuery,
  name,
  recordVersion,
  slug,
  timestamp,
} from '../schema/primitives.ts';
import { adjustmentUsage } from './redemption.ts';
import { target, targetInput } from './target.ts';
import { searchText } from '../schema/words.ts';

const ADJUSTMENT_STATUSES = ['draft', 'active', 'scheduled', 'paused', 'archived'] as const;

/** The statuses that evaluation loads. */
export const LIVE_STATUSES: readonly AdjustmentStatus[] = ['active', 'scheduled'];

/** What a caller may say about an adjustment. */
export const adjustmentFields = {
  name: name.optional(),
  type: slug.default('promotion'),
  category: label.optional(),
  origin: label.default('manual'),
  application: z
    .enum(['at-checkout', 'at-listing'])
    .default('at-checkout')
    .describe('`at-listing` changes the price that a ticket is listed at; `at-checkout` starts from that.'),
  stacking: z
    .enum(['replace-within-category', 'stackable', 'exclusive'])
    .default('stackable')
    .describe(
      'How it combines with others: the best of its category, added up, or alone. An `exclusive` one applies only if the buyer pays no more with it alone than with all others together; of several, the cheapest applies.',
    ),
  effectBase: z
    .enum(['list-price', 'current-price'])
    .default('list-price')
    .describe('What the effect is computed on: the list price, or the price after the adjustments before it.'),
  priority: z.int().min(-1_000_000).max(1_000_000).default(0).describe('The highest is applied first.'),
  targets: z
    .array(targetInput)
    .min(1, 'must have at least one target: send an eventId, an offeringId or a urn')
    .max(ARRAY_LENGTH_MAX),
  conditions: conditions.default({}),
  effect,
  status: z.enum(ADJUSTMENT_STATUSES).default('active'),
};

const adjustmentObject = z
  .object(adjustmentFields)
  .refine(
    ({ type, conditions: { code, uniqueCodes } }) => type !== 'coupon' || code !== undefined || uniqueCodes === true,
    { path: ['conditions', 'code'], message: 'is required for an adjustment of type coupon' },
  )
  .refine(({ type, conditions: { uniqueCodes } }) => type === 'coupon' || uniqueCodes === undefined, {
    path: ['conditions', 'uniqueCodes'],
    message: 'belongs to coupons, for which codes are issued: create one with POST /v1/coupons',
  })
  .refine((a) => a.application !== 'at-listing' || a.effect.per === 'unit', {
    path: ['effect', 'per'],
    message: 'must be unit for an adjustment at listing, which changes the price of one ticket',
  })
  .refine((a) => a.conditions.budgetId === undefined || !isSurcharge(a.effect), {
    path: ['conditions', 'budgetId'],
    message: 'cannot be set for a surcharge: only discounts draw on a budget',
  })
  .refine((a) => (a.conditions.maxQuantity ?? Infinity) >= ticketsNeeded(a.effect), {
    path: ['conditions', 'maxQuantity'],
    message: 'must not be below the fewest tickets with which the effect does anything',
  })
  .refine((a) => a.status !== 'scheduled' || a.conditions.startsAt !== undefined, {
    path: ['conditions', 'startsAt'],
    message: 'is required while status is scheduled: it says when the adjustment starts to count',
  })
  .register(memberNotes, {
    answer: () => adjustment.shape,
    related: () => ({
      ...placed(Object.keys(conditions.shape), (member) => `conditions.${member}`),
      ...placed(
        effect.options.flatMap((option) => Object.keys(option.shape)),
        (member) => `effect.${member}`,
      ),
      ...Object.fromEntries(Object.entries(CONDITION_WORDS).map(([word, member]) => [word, `conditions.${member}`])),
      ...COUPON_WORDS,
      eventId: 'targets[].eventId',
      urn: 'targets[].urn',
    }),
  });

/** Names from coupons and other platforms, each with the adjustment's own. */
const COUPON_WORDS = {
  limit: 'conditions.maxRedemptions',
  maxUses: 'conditions.maxRedemptions',
  expiresAt: 'conditions.endsAt',
  percentOff: 'effect.percent',
  amountOff: 'effect.amount',
  discountType: 'effect.kind',
  discountValue: 'effect',
  contextIds: 'targets',
  offeringIds: 'targets',
  exclusive: 'stacking',
  stackable: 'stacking',
};

/**
 * A price adjustment as a caller creates it. Server-controlled fields (id, companyId, created, changed) are dropped.
 * A name that is absent becomes the code, or else the kind of effect; a category that is absent becomes the type.
 */
export const adjustmentInput = adjustmentObject.transform(named).meta({ id: 'AdjustmentInput' });
export type AdjustmentInput = z.output<typeof adjustmentInput>;

/** An adjustment that is not saved: a new one, or the changed state of the stored one with its id. */
export const proposedAdjustment = adjustmentObject
  .safeExtend({
    id: externalId
      .optional()
      .describe('The stored adjustment that this one would replace as a whole. Without it, this would be a new one.'),
  })
  .register(memberNotes, memberNotes.get(adjustmentObject) ?? {})
  .transform(named)
  .meta({ id: 'ProposedAdjustment' });
export type ProposedAdjustment = z.output<typeof proposedAdjustment>;

/**
 * A stored adjustment after a caller's change: checks the rules between fields. A stored code that today's rules would
 * refuse does not block a change.
 */
export const changedAdjustment = adjustmentObject
  .safeExtend({ conditions: conditions.safeExtend({ code: z.string().optional() }).default({}) })
  .register(memberNotes, memberNotes.get(adjustmentObject) ?? {})
  .transform(named);

/** The body of `PATCH /v1/pricing/adjustments/{id}`. An effect of another kind replaces the present one. */
export const adjustmentPatch = mergePatch(
  { ...adjustmentFields, effect: effectMembers },
  memberNotes.get(adjustmentObject),
).meta({ id: 'AdjustmentPatch' });
export type AdjustmentPatch = z.output<typeof adjustmentPatch>;

function named<T extends z.output<typeof adjustmentObject>>(given: T) {
  return {
    ...given,
    name: given.name ?? given.conditions.code ?? given.effect.kind,
    category: given.category ?? given.type,
  };
}

/** The query of `GET /pricing/adjustments`. */
export const adjustmentListQuery = listQuery(
  {
    status: z.enum(ADJUSTMENT_STATUSES).optional(),
    type: slug.optional(),
    category: label.optional(),
    eventId: externalId
      .optional()
      .describe(
        'An event or series that one of the targets names. Adjustments for every event (`event/*`) name none: find them with `*`.',
      ),
    offeringId: externalId
      .optional()
      .describe(
        'An offering that one of the targets or `conditions.offeringIds` names. Together with `eventId` it finds adjustments that name both, in one target or in two. To see what applies to an offering, evaluate it.',
      ),
    code: couponCode.optional(),
    couponId: externalId.optional().describe('The coupon that the adjustment belongs to.'),
    q: searchText('the name or code'),
  },
  () => adjustment.extend(shownConditions.shape),
);
export type AdjustmentListQuery = z.output<typeof adjustmentListQuery>;

type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number];

/** A price adjustment as the API returns it. */
export const adjustment = z
  .object({
    id: z.string(),
    companyId: z.string(),
    name: z.string(),
    type: z.string(),
    category: z.string(),
    origin: z.string(),
    application: adjustmentFields.application.unwrap(),
    stacking: adjustmentFields.stacking.unwrap(),
    effectBase: adjustmentFields.effectBase.unwrap(),
    priority: z.int(),
    targets: z.array(target),
    conditions: shownConditions,
    effect: shownEffect,
    status: z.enum(ADJUSTMENT_STATUSES),
    couponId: z.string().exactOptional().describe('The coupon that this adjustment belongs to, if any.'),
    usage: adjustmentUsage
      .exactOptional()
      .describe('How much of its cap is used, where it is read: `GET` of one and of the list.'),
    version: recordVersion,
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'Adjustment' });
export type Adjustment = z.output<typeof adjustment>;
