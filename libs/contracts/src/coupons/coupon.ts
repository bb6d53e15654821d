import { z } from 'zod';
import { adjustmentFields } from '../adjustments/adjustment.ts';
import { CONDITION_WORDS, conditions, shownConditions } from '../adjustments/conditions.ts';
import { effect, shownEffect, units } from '../adjustments/effect.ts';
import { target } from '../adjustments/target.ts';
import { type MemberNotes, memberNotes, placed } from '../schema/member-notes.ts';
import { couponCode } from '../schema/codes.ts';
import {
  ARRAY_LENGTH_MAX,
  currencyCode,
  externalId,
  listQuery,
  LOCAL_TIME_OF_NAMED,
  localTime,
  minorUnits,
  percent,
  PRICE_MAX,
  recordVersion,
  plain,
  text,
  timestamp,
} from '../schema/primitives.ts';
import { searchText } from '../schema/words.ts';

/** A caller may set the first two; the others are computed from the limit, the end and the holder of the code. */
export const COUPON_STATUSES = ['active', 'inactive', 'depleted', 'expired', 'conflict'] as const;
export type CouponStatus = (typeof COUPON_STATUSES)[number];

/** The values of `discountType`, and which discount each means. */
const DISCOUNT_TYPES = {
  percent: 'percentOff',
  percentage: 'percentOff',
  percentage_off: 'percentOff',
  amount: 'amountOff',
  amount_off: 'amountOff',
  fixed: 'amountOff',
  fixed_amount: 'amountOff',
} as const;
type DiscountType = keyof typeof DISCOUNT_TYPES;
const discountTypes = Object.keys(DISCOUNT_TYPES) as [DiscountType, ...DiscountType[]];
const discountOf: ReadonlyMap<string, 'percentOff' | 'amountOff'> = new Map(Object.entries(DISCOUNT_TYPES));

const limit = z.int().min(0).describe('How many orders may redeem it.');

/** The conditions that a coupon has under a name of its own, which is older than price adjustments. */
export const CONDITION_NAMES = {
  code: 'code',
  offeringIds: 'offeringIds',
  endsAt: 'expiresAt',
  maxRedemptions: 'limit',
} as const satisfies { [Condition in keyof typeof conditions.shape]?: string };

const {
  code: _code,
  offeringIds: _offeringIds,
  endsAt: _endsAt,
  maxRedemptions: _max,
  ...conditionMembers
} = conditions.shape;

/** The conditions that a coupon has under the names of an adjustment. */
export const CONDITION_MEMBERS = Object.keys(conditionMembers) as (keyof typeof conditionMembers)[];

/** What a coupon says about its discount beside an amount or a percentage. An `effect` says all of it. */
const discountMembers = {
  per: z
    .enum(['unit', 'order'])
    .describe('Whether the discount is taken off each ticket (`unit`, the default) or once off the order.'),
  maxAmount: minorUnits.describe('The most that the discount takes off, in minor units: per ticket or per order.'),
  units,
};

/** How the coupon's adjustment takes part in the cascade. */
const cascadeMembers = {
  stacking: adjustmentFields.stacking
    .unwrap()
    .describe(
      'How it combines with others, as for price adjustments. Without it, `replace-within-category`: of all coupons, the best for the buyer counts.',
    ),
  effectBase: adjustmentFields.effectBase.unwrap().describe('Without it, `list-price`.'),
  priority: adjustmentFields.priority.unwrap().describe('The highest is applied first. Without it, 0.'),
  category: adjustmentFields.category.unwrap().describe('Without it, `discount-coupon`.'),
};

const listed = {
  description: text,
  code: couponCode,
  type: plain(text.max(256)).describe('Kept as it is sent.'),
  amountOff: minorUnits.max(PRICE_MAX).describe('Minor units off, as `per` says; 0 means none.'),
  percentOff: percent,
  ...discountMembers,
  effect: effect.describe(
    'What it does to the price, as for price adjustments, in place of `percentOff` or `amountOff` with `per`, `maxAmount`, `units` and `currency`.',
  ),
  limit,
  offeringIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
  contextIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
  currency: currencyCode.describe(
    'The currency of `amountOff` and `maxAmount`. Without it, the amount counts in any currency.',
  ),
  expiresAt: localTime.describe(`It no longer applies from this time on. ${LOCAL_TIME_OF_NAMED}`),
  status: z
    .enum(COUPON_STATUSES)
    .describe('Set it to `active` or `inactive`. The others follow from the coupon, and are ignored.'),
  ...cascadeMembers,
  ...conditionMembers,
};

/** Other names of a listed field. */
const OTHER_NAMES = {
  maxUses: 'limit',
  maxRedemptions: 'limit',
  endsAt: 'expiresAt',
  limitPerCustomer: 'maxRedemptionsPerCustomer',
} as const;
type OtherName = keyof typeof OTHER_NAMES;

const aliases = {
  discountType: z.string().trim().toLowerCase().pipe(z.enum(discountTypes)).meta({ enum: discountTypes }),
  discountValue: z.number(),
  maxUses: limit,
  maxRedemptions: limit,
  endsAt: listed.expiresAt,
  limitPerCustomer: listed.maxRedemptionsPerCustomer,
};

/** Every member of `shape` optional, and null allowed. */
function nullable<T extends Record<string, z.ZodType>>(shape: T) {
  const members = Object.entries(shape).map(([member, type]) => [member, type.nullish()]);
  return Object.fromEntries(members) as { [K in keyof T]: z.ZodOptional<z.ZodNullable<T[K]>> };
}

const notes: MemberNotes = {
  answer: () => coupon.shape,
  related: () => {
    const conditionWords = Object.entries(CONDITION_WORDS).map(([word, condition]) => [
      word,
      condition in CONDITION_NAMES ? CONDITION_NAMES[condition as keyof typeof CONDITION_NAMES] : condition,
    ]);
    const words = Object.fromEntries(conditionWords.filter(([word = '']) => !(word in aliases)));
    return {
      ...words,
      percent: 'percentOff',
      amount: 'amountOff',
      name: 'description',
      ...placed(['exclusive', 'stackable'], () => 'stacking'),
      ...placed(['kind', 'tiers', 'buy', 'get'], (member) => `effect.${member}`),
      ...placed(['application', 'targets', 'conditions'], (member) => `${member} of a price adjustment`),
    };
  },
};

const couponMembers = z.object({ ...nullable(listed), ...nullable(aliases) }).register(memberNotes, notes);

/**
 * The body of creating a coupon: every field optional; null is absence. The sample names (`discountType` with
 * `discountValue`, `maxUses`) and `maxRedemptions` become the listed ones; one that contradicts its listed field is
 * refused. `discountValue` alone is kept: it is the value of whichever discount the coupon has.
 */
export const couponInput = couponMembers
  .transform((given, ctx) => listedNames(withoutNulls(given), ctx))
  .meta({ id: 'CouponInput' });

/**
 * The body of `PATCH /v1/coupons/{id}`. A computed status changes nothing: a coupon can be sent back as it was read.
 */
export const couponPatch = couponMembers.transform(listedNames).meta({ id: 'CouponPatch' });
export type CouponInput = z.output<typeof couponPatch>;

/** A new coupon has nothing that null could clear. */
function withoutNulls<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as T;
}

function listedNames(
  {
    discountType,
    discountValue,
    maxUses,
    maxRedemptions,
    endsAt,
    limitPerCustomer,
    ...given
  }: Omit<z.output<typeof couponMembers>, 'status'> & { status?: CouponStatus | null | undefined },
  ctx: z.RefinementCtx,
) {
  const input: typeof given & { discountValue?: number } = { ...given };
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });

  const otherwise = { maxUses, maxRedemptions, endsAt, limitPerCustomer };
  for (const [alias, value] of Object.entries(otherwise) as [OtherName, never][]) {
    if (value === undefined) continue;
    const field = OTHER_NAMES[alias];
    if (input[field] !== undefined && input[field] !== value) refuse(alias, `contradicts ${field}`);
    input[field] = value;
  }
  if (typeof discountType === 'string') {
    if (typeof discountValue !== 'number') refuse('discountValue', 'is required beside discountType');
    else {
      const field = DISCOUNT_TYPES[discountType];
      const value = listed[field].safeParse(discountValue);
      if (!value.success) refuse('discountValue', value.error.issues[0]?.message ?? 'is not valid');
      if (input[field] !== undefined && input[field] !== discountValue) refuse('discountValue', `contradicts ${field}`);
      input[field] = discountValue;
      const other = discountOf.get(input.type?.toLowerCase() ?? '');
      if (other !== undefined && other !== field) refuse('discountType', 'contradicts type');
      input.type ??= discountType;
    }
  }
  if (typeof discountType !== 'string' && typeof discountValue === 'number') input.discountValue = discountValue;
  if (input.amountOff === 0) input.amountOff = null;
  if (typeof input.amountOff === 'number' && typeof input.percentOff === 'number') {
    refuse('percentOff', 'cannot be combined with amountOff: send one of them');
  }
  if (input.effect !== undefined && input.effect !== null) {
    for (const member of BESIDE_AN_EFFECT) {
      if (input[member] === undefined || input[member] === null) continue;
      refuse(member, `cannot be combined with effect: say it in effect.${IN_AN_EFFECT[member]}`);
    }
  }
  return input;
}

/** What an `effect` has in place of the members of a simple discount. */
const IN_AN_EFFECT = {
  percentOff: 'percent',
  amountOff: 'amount',
  per: 'per',
  maxAmount: 'maxAmount',
  units: 'units',
  currency: 'currency',
} as const;
/** The members of a simple discount, which a coupon with an `effect` does not have. */
export const BESIDE_AN_EFFECT = Object.keys(IN_AN_EFFECT) as (keyof typeof IN_AN_EFFECT)[];

/** What a company may say about a coupon, with nothing cleared. */
export type CouponMembers = { [Member in keyof typeof listed]?: NonNullable<z.output<(typeof listed)[Member]>> };

/** The query of `GET /coupons`. */
export const couponListQuery = listQuery(
  {
    code: couponCode.optional(),
    status: z.enum(COUPON_STATUSES).optional().describe('The `status` that the list shows.'),
    contextId: externalId.optional().describe('One of the `contextIds` of the coupon.'),
    q: searchText('the code or description'),
  },
  () => coupon,
);
export type CouponListQuery = z.output<typeof couponListQuery>;

/** Every member of `shape` as an answer has it: absent if the coupon has none. */
function shownIfAny<T extends Record<string, z.ZodType>>(shape: T) {
  const members = Object.entries(shape).map(([member, type]) => [
    member,
    z.exactOptional(type instanceof z.ZodOptional ? type.unwrap() : type),
  ]);
  return Object.fromEntries(members) as {
    [K in keyof T]: z.ZodExactOptional<T[K] extends z.ZodOptional<infer Inner extends z.ZodType> ? Inner : T[K]>;
  };
}

/** What a company decided about a coupon, as it is stored. */
const decided = {
  description: z.string().exactOptional(),
  code: z.string().exactOptional(),
  type: z.string().exactOptional(),
  amountOff: z.int().exactOptional().describe('Minor units off each ticket, or off the order.'),
  percentOff: z.number().exactOptional(),
  ...shownIfAny(discountMembers),
  effect: shownEffect.exactOptional(),
  currency: z.string().exactOptional().describe('The currency of `amountOff` and `maxAmount`.'),
  limit: z.int().exactOptional().describe('How many orders may redeem it. Absent if there is no limit.'),
  offeringIds: z.array(z.string()),
  contextIds: z.array(z.string()),
  expiresAt: timestamp.exactOptional(),
  ...shownIfAny(cascadeMembers),
  ...shownIfAny(conditionMembers),
  startsAt: timestamp.exactOptional(),
};

/** A coupon as the API returns it. */
export const coupon = z
  .object({
    id: z.string(),
    companyId: z.string(),
    ...decided,
    quantitySold: z.int().describe('How often it was redeemed.'),
    status: z
      .enum(COUPON_STATUSES)
      .describe('`depleted`: its limit is reached. `conflict`: another active adjustment holds its code.'),
    version: recordVersion,
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'Coupon' });
export type Coupon = z.output<typeof coupon>;

/** A coupon in its events: without what happened to it. */
export const couponDefinition = z.object({
  id: z.string(),
  companyId: z.string(),
  version: z.int().min(0),
  /** Whether it counts at all: not archived, not set inactive. */
  enabled: z.boolean(),
  archived: z.boolean().optional(),
  ...decided,
});

/** A coupon as pricing needs to know it. */
export const couponState = z
  .object({
    id: z.string(),
    companyId: z.string(),
    version: z.int().min(0),
    /** The adjustment that it makes; absent while it has no code or no discount. */
    terms: z
      .object({
        name: z.string(),
        type: z.string(),
        category: z.string(),
        origin: z.string(),
        application: adjustmentFields.application.unwrap(),
        stacking: adjustmentFields.stacking.unwrap(),
        effectBase: adjustmentFields.effectBase.unwrap(),
        priority: z.int(),
        targets: z.array(target.pick({ urn: true })),
        conditions: shownConditions,
        effect: shownEffect,
        status: adjustmentFields.status.unwrap(),
      })
      .optional(),
  })
  .meta({ id: 'FollowCouponRequest' });
export type CouponState = z.output<typeof couponState>;
