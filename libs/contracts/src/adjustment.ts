import { isExactPercent } from '@event-commerce/money';
import { z } from 'zod';
import { memberNotes } from './members.ts';
import { mergePatch } from './merge-patch.ts';
import {
  ARRAY_LENGTH_MAX,
  couponCode,
  currencyCode,
  externalId,
  instant,
  listQuery,
  matchCode,
  minorUnits,
  name,
  NO_CONTROL_CHARACTERS,
  percent,
  slug,
  strictMoney,
  timestamp,
} from './primitives.ts';

export const ADJUSTMENT_STATUSES = ['draft', 'active', 'scheduled', 'paused', 'archived'] as const;

/** The statuses that evaluation loads; an adjustment in one of them holds its code. */
export const LIVE_STATUSES: readonly AdjustmentStatus[] = ['active', 'scheduled'];

const positive = z.int().min(1).max(1_000_000);
const positiveMinorUnits = z.int().min(1).max(1_000_000_000_000);
const surchargePercent = z.number().gt(0).max(1000).refine(isExactPercent, 'must have at most four decimals');

const shared = {
  /** Whether the effect counts for each unit or once for the order. */
  per: z.enum(['unit', 'order']).default('unit'),
  /** The most that a discount takes off (minor units), per unit or per order as `per` says. */
  maxAmount: minorUnits.optional(),
};

const tier = z
  .strictObject({ minQuantity: positive, percent: percent.optional(), amount: positiveMinorUnits.optional() })
  .refine((t) => (t.percent === undefined) !== (t.amount === undefined), 'needs percent or amount, and not both');

const tiered = z
  .strictObject({
    kind: z.literal('tiered'),
    tiers: z.array(tier).min(1).max(50),
    currency: currencyCode.optional(),
    ...shared,
  })
  .refine((e) => e.currency !== undefined || e.tiers.every((t) => t.amount === undefined), {
    path: ['currency'],
    message: 'is required when a tier has an amount',
  })
  .refine((e) => new Set(e.tiers.map((t) => t.minQuantity)).size === e.tiers.length, {
    path: ['tiers'],
    message: 'must not have the same minQuantity twice',
  });

/** What an adjustment does to the price. Amounts are minor units; percentages have at most four decimals. */
export const effect = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('percentage_off'), percent, ...shared }),
    // Without a currency it is minor units of whatever currency the price is in, as a coupon's `amountOff` is.
    z.strictObject({
      kind: z.literal('amount_off'),
      amount: positiveMinorUnits,
      currency: currencyCode.optional(),
      ...shared,
    }),
    z.strictObject({ kind: z.literal('fixed_price'), amount: minorUnits, currency: currencyCode, ...shared }),
    z.strictObject({ kind: z.literal('percentage_surcharge'), percent: surchargePercent, ...shared }),
    z.strictObject({
      kind: z.literal('amount_surcharge'),
      amount: positiveMinorUnits,
      currency: currencyCode,
      ...shared,
    }),
    tiered,
    z.strictObject({
      kind: z.literal('buy_x_get_y'),
      buy: positive,
      get: positive,
      percent,
      /** Always counted over the whole order. */
      per: z.literal('order', 'must be order: free tickets are counted over the whole order').default('order'),
      maxAmount: minorUnits.optional(),
    }),
  ])
  .meta({ id: 'EffectInput' });
export type Effect = z.output<typeof effect>;
/** An effect as the API answers it: with every default. */
export const shownEffect = z.discriminatedUnion('kind', effect.options).meta({ id: 'Effect' });

export const conditions = z
  .strictObject({
    code: couponCode.transform(matchCode).optional(),
    startsAt: instant.optional(),
    endsAt: instant.optional(),
    minQuantity: positive.optional(),
    maxQuantity: positive.optional(),
    minOrderTotal: strictMoney.optional(),
    maxOrderTotal: strictMoney.optional(),
    customerSegments: z.array(externalId).min(1).max(ARRAY_LENGTH_MAX).optional(),
    channelIds: z.array(externalId).min(1).max(ARRAY_LENGTH_MAX).optional(),
    tags: z.array(externalId).min(1).max(ARRAY_LENGTH_MAX).optional(),
    /** Of what the targets name, these offerings only. */
    offeringIds: z.array(externalId).min(1).max(ARRAY_LENGTH_MAX).optional(),
    maxRedemptions: z.int().min(0).optional(),
    maxRedemptionsPerCustomer: z.int().min(0).optional(),
  })
  .refine((c) => !c.startsAt || !c.endsAt || c.startsAt < c.endsAt, {
    path: ['endsAt'],
    message: 'must be later than startsAt',
  })
  .refine((c) => !c.minQuantity || !c.maxQuantity || c.minQuantity <= c.maxQuantity, {
    path: ['maxQuantity'],
    message: 'must not be below minQuantity',
  })
  .refine(
    (c) =>
      !c.minOrderTotal ||
      !c.maxOrderTotal ||
      (c.minOrderTotal.currency === c.maxOrderTotal.currency && c.minOrderTotal.amount <= c.maxOrderTotal.amount),
    { path: ['maxOrderTotal'], message: 'must be in the currency of minOrderTotal, and not below it' },
  )
  .meta({ id: 'ConditionsInput' });
export type Conditions = z.output<typeof conditions>;

/** Where events happen and who holds them, and what is sold: a target names one of each kind at most. */
const CONTEXT_KINDS = ['event', 'series', 'venue', 'organization'] as const;

/** The company's id may have colons too: what names the target stands last. */
const URN = new RegExp(`^urn:([^:]*):(.*?):([^:]+):((${CONTEXT_KINDS.join('|')}|offering)/(.{1,256}))$`);

function parseUrn(urn: string) {
  const [, version, , namespace, path, kind, id] = URN.exec(urn) ?? [];
  if (kind === undefined || id === undefined) throw new TypeError(`not a target urn: ${urn}`);
  return { version, namespace, path, kind, id };
}

/** What contradicts the urn of `target`, if anything does: an offering or event that the urn has another id for. */
function contradiction({ urn, eventId, offeringId }: { urn?: string; eventId?: string; offeringId?: string }) {
  if (urn === undefined || !URN.test(urn)) return undefined;
  const { kind, id } = parseUrn(urn);
  if (kind === 'offering') return offeringId === undefined || offeringId === id ? undefined : 'offeringId';
  return eventId === undefined || (kind === 'event' && eventId === id) ? undefined : 'eventId';
}

/**
 * A target as a caller may write it: a `urn`, or just the `eventId` or `offeringId` that a urn is then built from. An offering
 * beside an event, series, venue or organization is that offering there.
 */
export const targetInput = z
  .strictObject({
    urn: z
      .string()
      .max(1024)
      .regex(NO_CONTROL_CHARACTERS, 'must not have control characters or broken Unicode')
      .regex(
        URN,
        `must read urn:<version>:<company>:<namespace>:<kind>/<id>, with ${CONTEXT_KINDS.join(', ')} or offering for <kind>, or event/* at its end`,
      )
      .optional(),
    eventId: externalId.optional(),
    offeringId: externalId.optional(),
    companyId: z.unknown().optional().describe('Ignored: the company is that of the key.'),
  })
  .refine((t) => t.urn !== undefined || t.eventId !== undefined || t.offeringId !== undefined, {
    path: ['urn'],
    message: 'is required, unless eventId or offeringId is given',
  })
  .superRefine((t, ctx) => {
    const field = contradiction(t as Parameters<typeof contradiction>[0]);
    if (field !== undefined) ctx.addIssue({ code: 'custom', path: [field], message: 'contradicts the urn' });
  })
  .meta({ id: 'TargetInput' });
export type TargetInput = Pick<z.output<typeof targetInput>, 'urn' | 'eventId' | 'offeringId'>;

export const target = z
  .object({
    urn: z.string(),
    eventId: z.string().exactOptional(),
    offeringId: z.string().exactOptional().describe('Only this offering, there.'),
    companyId: z.string(),
  })
  .meta({ id: 'Target' });
export type Target = z.output<typeof target>;

/** `input` with the company set inside its urn, whatever company it named. */
export function targetOf(companyId: string, input: TargetInput): Target {
  const place = input.eventId === undefined ? `offering/${input.offeringId}` : `event/${input.eventId}`;
  const { version, namespace, path, kind, id } = parseUrn(input.urn ?? `urn:v1::events:${place}`);
  const eventId = kind === 'event' && id !== '*' ? id : input.eventId;
  return {
    urn: `urn:${version || 'v1'}:${companyId}:${namespace}:${path}`,
    ...(eventId === undefined ? {} : { eventId }),
    ...(input.offeringId === undefined ? {} : { offeringId: input.offeringId }),
    companyId,
  };
}

/** What a target points at: an offering, everything in a context, or an offering in a context. */
export interface TargetPath {
  /** `<kind>/<id>`; absent, anywhere. `event/*` is every event. */
  context?: string;
  offeringId?: string;
}

export const EVERY_EVENT = 'event/*';

export function isEverywhere({ context, offeringId }: TargetPath): boolean {
  return context === EVERY_EVENT && offeringId === undefined;
}

export function targetPath(given: Pick<Target, 'urn' | 'eventId' | 'offeringId'>): TargetPath {
  const { kind, id } = parseUrn(given.urn);
  if (kind === 'offering') {
    return { offeringId: id, ...(given.eventId === undefined ? {} : { context: pathOf(given.eventId) }) };
  }
  return {
    context: kind === 'event' ? pathOf(id) : `${kind}/${id}`,
    ...(given.offeringId === undefined ? {} : { offeringId: given.offeringId }),
  };
}

/** What an id names, as its beginning tells: an event (which may be a series), a venue or an organization. */
export function contextKindOf(id: string): 'event' | 'venue' | 'organization' {
  if (id.startsWith('ven_')) return 'venue';
  return id.startsWith('org_') ? 'organization' : 'event';
}

function pathOf(contextId: string): string {
  return `${contextKindOf(contextId)}/${contextId}`;
}

export const adjustmentFields = {
  name: name.optional(),
  type: slug.default('promotion'),
  category: slug.optional(),
  origin: slug.default('manual'),
  application: z.enum(['at-checkout', 'at-listing']).default('at-checkout'),
  stacking: z.enum(['replace-within-category', 'stackable', 'exclusive']).default('stackable'),
  effectBase: z.enum(['list-price', 'current-price']).default('list-price'),
  priority: z.int().min(-1_000_000).max(1_000_000).default(0),
  targets: z.array(targetInput).min(1, 'needs at least one target').max(ARRAY_LENGTH_MAX),
  conditions: conditions.default({}),
  effect,
  status: z.enum(ADJUSTMENT_STATUSES).default('active'),
};

const adjustmentObject = z
  .object(adjustmentFields)
  .refine((a) => a.type !== 'coupon' || a.conditions.code !== undefined, {
    path: ['conditions', 'code'],
    message: 'is required for an adjustment of type coupon',
  })
  .refine((a) => a.application !== 'at-listing' || a.effect.per === 'unit', {
    path: ['effect', 'per'],
    message: 'must be unit for an adjustment at listing, which changes the price of one ticket',
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
      ...COUPON_WORDS,
      eventId: 'targets[].eventId',
      urn: 'targets[].urn',
    }),
  });

/** What coupons call what an adjustment has too. */
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
};

function placed(members: readonly string[], placeOf: (member: string) => string): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, placeOf(member)]));
}

/**
 * A price adjustment as a caller creates it. Server-controlled fields (id, companyId, created, changed) are dropped.
 * A name that is absent becomes the code, or else the kind of effect; a category that is absent becomes the type.
 */
export const adjustmentInput = adjustmentObject.transform(named).meta({ id: 'AdjustmentInput' });
export type AdjustmentInput = z.output<typeof adjustmentInput>;

/**
 * A stored adjustment with what a caller changed, which was checked before: the rules between its fields. A code that was
 * taken when the rules for codes were others holds up no change.
 */
export const changedAdjustment = adjustmentObject
  .safeExtend({ conditions: conditions.safeExtend({ code: z.string().optional() }).default({}) })
  .transform(named);

/** The body of `PATCH /v1/pricing/adjustments/{id}`. The conditions are patched member by member, everything else as a whole. */
export const adjustmentPatch = mergePatch(
  { ...adjustmentFields, conditions: mergePatch(conditions.shape).strict().optional() },
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

export const adjustmentListQuery = listQuery(
  { status: z.enum(ADJUSTMENT_STATUSES).optional(), code: couponCode.transform(matchCode).optional() },
  () => adjustment,
);

export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number];

/** Conditions as the API answers them. */
export const shownConditions = z
  .object({
    ...conditions.shape,
    code: z.string().optional(),
    startsAt: timestamp.optional(),
    endsAt: timestamp.optional(),
  })
  .meta({ id: 'Conditions' });

/** A price adjustment as the API answers it. */
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
    couponId: z
      .string()
      .exactOptional()
      .describe('The coupon that this adjustment is kept for; absent for one that was created by itself.'),
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'Adjustment' });
export type Adjustment = z.output<typeof adjustment>;
