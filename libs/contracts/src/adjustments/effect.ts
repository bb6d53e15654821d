import { z } from 'zod';
import { currencyCode, minorUnits, percent, percentUpTo, positive, PRICE_MAX } from '../schema/primitives.ts';

const positiveMinorUnits = z.int().min(1).max(PRICE_MAX);
const surchargePercent = percentUpTo(1000);

const capCurrency = currencyCode
  .optional()
  .describe(
    'The currency of `maxAmount`. Without it, `maxAmount` is minor units of whatever currency the price is in.',
  );

/** Which tickets of an order an effect counts for. */
export const units = z
  .strictObject({
    max: positive.describe('For at most this many tickets of an order.'),
    pick: z
      .enum(['cheapest', 'dearest'])
      .default('cheapest')
      .describe('Which of the tickets that it applies to, by their prices before any adjustment.'),
  })
  .optional()
  .describe('It counts for some tickets only. All that it applies to still decide whether it does, and at which tier.');

const shared = {
  per: z.enum(['unit', 'order']).default('unit').describe('For each unit, or once for the order.'),
  maxAmount: minorUnits
    .optional()
    .describe('The most that a discount takes off, in minor units: per unit or per order, as `per` says.'),
  units,
};

const tier = z
  .strictObject({ minQuantity: positive, percent: percent.optional(), amount: positiveMinorUnits.optional() })
  .refine((t) => (t.percent === undefined) !== (t.amount === undefined), 'needs percent or amount, and not both');

const tiered = z
  .strictObject({
    kind: z.literal('tiered'),
    tiers: z.array(tier).min(1).max(50),
    currency: currencyCode
      .optional()
      .describe('The currency of its amounts. Without it, they are minor units of whatever currency the price is in.'),
    ...shared,
  })
  .refine((e) => new Set(e.tiers.map((t) => t.minQuantity)).size === e.tiers.length, {
    path: ['tiers'],
    message: 'must not have the same minQuantity twice',
  });

/** What an adjustment does to the price. Amounts are minor units; percentages have at most four decimals. */
export const effect = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('percentage_off'), percent, currency: capCurrency, ...shared }),
    // Without a currency, it is in minor units of the price's currency, like a coupon's `amountOff`.
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
      currency: capCurrency,
      maxAmount: minorUnits.optional(),
    }),
  ])
  .meta({ id: 'EffectInput' });
export type Effect = z.output<typeof effect>;

/** The fewest tickets with which an effect can do anything. */
export function ticketsNeeded(by: Effect): number {
  if (by.kind === 'tiered') return Math.min(...by.tiers.map(({ minQuantity }) => minQuantity));
  return by.kind === 'buy_x_get_y' ? by.buy + by.get : 0;
}

/** Whether an effect only raises prices. */
export function isSurcharge({ kind }: Pick<Effect, 'kind'>): boolean {
  return kind === 'percentage_surcharge' || kind === 'amount_surcharge';
}

/** The `units` of an effect, if it counts for some tickets only. */
export function unitsOf(by: Effect): z.output<typeof units> {
  return 'units' in by ? by.units : undefined;
}

type EffectMember = Effect extends infer Kind ? (Kind extends Effect ? keyof Kind : never) : never;

/** What any kind of effect has, for a merge patch. The result is validated by its kind. */
export const effectMembers = z.strictObject({
  kind: z.literal(effect.options.map(({ shape }) => shape.kind.value)),
  percent: surchargePercent,
  amount: minorUnits,
  currency: currencyCode.optional(),
  tiers: tiered.shape.tiers,
  buy: positive,
  get: positive,
  ...shared,
} satisfies Record<EffectMember, z.ZodType>);

/** An effect as the API returns it: with every default. */
export const shownEffect = z.discriminatedUnion('kind', effect.options).meta({ id: 'Effect' });
