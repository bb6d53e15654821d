import { z } from 'zod';
import { CONDITION_WORDS, conditions } from '../adjustments/conditions.ts';
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

const listed = {
  description: text,
  code: couponCode,
  type: plain(text.max(256)).describe('Kept as it is sent.'),
  amountOff: minorUnits.max(PRICE_MAX).describe('Minor units off, as `per` says; 0 means none.'),
  percentOff: percent,
  per: z
    .enum(['unit', 'order'])
    .describe('Whether the discount is taken off each ticket (`unit`, the default) or once off the order.'),
  limit,
  offeringIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
  contextIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
  currency: currencyCode.describe('The currency of `amountOff`. Without it, the amount counts in any currency.'),
  expiresAt: localTime.describe(`It no longer applies from this time on. ${LOCAL_TIME_OF_NAMED}`),
  status: z
    .enum(COUPON_STATUSES)
    .describe('Set it to `active` or `inactive`. The others follow from the coupon, and are ignored.'),
};

const aliases = {
  discountType: z.string().trim().toLowerCase().pipe(z.enum(discountTypes)).meta({ enum: discountTypes }),
  discountValue: z.number(),
  maxUses: limit,
  maxRedemptions: limit,
};

/** Every member of `shape` optional, and null allowed. */
function nullable<T extends Record<string, z.ZodType>>(shape: T) {
  const members = Object.entries(shape).map(([member, type]) => [member, type.nullish()]);
  return Object.fromEntries(members) as { [K in keyof T]: z.ZodOptional<z.ZodNullable<T[K]>> };
}

const notes: MemberNotes = {
  answer: () => coupon.shape,
  related: () => {
    const ofAdjustments = [
      ...Object.keys(conditions.shape).map((name) => [name, `conditions.${name}`] as const),
      ...Object.entries(CONDITION_WORDS).map(([word, member]) => [word, `conditions.${member}`] as const),
      ...(['exclusive', 'stackable'] as const).map((word) => [word, 'stacking'] as const),
      ...(['application', 'stacking', 'effectBase', 'priority', 'targets', 'conditions', 'effect'] as const).map(
        (name) => [name, name] as const,
      ),
      ...(['per', 'maxAmount', 'kind', 'tiers', 'buy', 'get'] as const).map(
        (name) => [name, `effect.${name}`] as const,
      ),
    ].filter(([name]) => !(name in listed) && !(name in aliases));
    return {
      ...Object.fromEntries(ofAdjustments.map(([name, place]) => [name, `${place} of a price adjustment`])),
      percent: 'percentOff',
      amount: 'amountOff',
      name: 'description',
      ...placed(['usageLimit', 'redemptionLimit'], () => 'limit'),
      ...placed(['endsAt', 'validUntil', 'validTo', 'endDate'], () => 'expiresAt'),
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

/** The body of `PATCH /v1/coupons/{id}`. A computed status changes nothing: a coupon can be sent back as it was read. */
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
    ...given
  }: Omit<z.output<typeof couponMembers>, 'status'> & { status?: CouponStatus | null | undefined },
  ctx: z.RefinementCtx,
) {
  const input: typeof given & { discountValue?: number } = { ...given };
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });

  for (const [alias, value] of Object.entries({ maxUses, maxRedemptions })) {
    if (value === undefined) continue;
    if (input.limit !== undefined && input.limit !== value) refuse(alias, 'contradicts limit');
    input.limit = value;
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
  return input;
}

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

/** A coupon as the API returns it. */
export const coupon = z
  .object({
    id: z.string(),
    companyId: z.string(),
    description: z.string().exactOptional(),
    code: z.string().exactOptional(),
    type: z.string().exactOptional(),
    amountOff: z.int().exactOptional().describe('Minor units off each ticket, or off the order.'),
    percentOff: z.number().exactOptional(),
    per: listed.per.exactOptional(),
    currency: z.string().exactOptional().describe('The currency of amountOff.'),
    limit: z.int().exactOptional().describe('How many orders may redeem it. Absent if there is no limit.'),
    quantitySold: z.int().describe('How often it was redeemed.'),
    offeringIds: z.array(z.string()),
    contextIds: z.array(z.string()),
    expiresAt: timestamp.exactOptional(),
    status: z
      .enum(COUPON_STATUSES)
      .describe('`depleted`: its limit is reached. `conflict`: another active adjustment holds its code.'),
    version: recordVersion,
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'Coupon' });
export type Coupon = z.output<typeof coupon>;

/** A coupon as pricing needs to know it. */
export const couponState = z
  .object({
    id: z.string(),
    companyId: z.string(),
    version: z.int().min(0),
    /** Whether it counts at all: not archived, not set inactive. */
    enabled: z.boolean(),
    /** Whether it is archived: disabled for good, unless it is restored. */
    archived: z.boolean().optional(),
    description: z.string().optional(),
    code: z.string().optional(),
    amountOff: z.int().optional(),
    percentOff: z.number().optional(),
    per: listed.per.optional(),
    currency: z.string().optional(),
    limit: z.int().optional(),
    offeringIds: z.array(z.string()),
    contextIds: z.array(z.string()),
    expiresAt: z.string().optional(),
  })
  .meta({ id: 'FollowCouponRequest' });
export type CouponState = z.output<typeof couponState>;
