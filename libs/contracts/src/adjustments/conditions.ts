import { z } from 'zod';
import { memberNotes } from '../schema/member-notes.ts';
import { recurring } from './recurring.ts';
import { couponCode, storedCode } from '../schema/codes.ts';
import {
  ARRAY_LENGTH_MAX,
  externalId,
  isLocal,
  LOCAL_TIME_OF_NAMED,
  localTime,
  positive,
  strictMoney,
  timestamp,
} from '../schema/primitives.ts';

/** What other platforms call the conditions. */
export const CONDITION_WORDS = {
  limitPerCustomer: 'maxRedemptionsPerCustomer',
  maxUsesPerCustomer: 'maxRedemptionsPerCustomer',
  usesPerCustomer: 'maxRedemptionsPerCustomer',
  usageLimitPerCustomer: 'maxRedemptionsPerCustomer',
  perCustomer: 'maxRedemptionsPerCustomer',
  usageLimit: 'maxRedemptions',
  redemptionLimit: 'maxRedemptions',
  validFrom: 'startsAt',
  startDate: 'startsAt',
  validUntil: 'endsAt',
  validTo: 'endsAt',
  endDate: 'endsAt',
  minimumAmount: 'minOrderTotal',
  minAmount: 'minOrderTotal',
  minimumSpend: 'minOrderTotal',
  segments: 'customerSegments',
  ticketLimit: 'maxTickets',
  budget: 'budgetId',
  ticketLimitPerCustomer: 'maxTicketsPerCustomer',
} as const;

export const conditions = z
  .strictObject({
    code: couponCode.transform(storedCode).optional(),
    uniqueCodes: z
      .literal(true)
      .optional()
      .describe(
        'It needs one of the codes that were issued for its coupon with `POST /v1/coupons/{id}/codes`; each counts as often as it was issued for. With `code` too, either will do.',
      ),
    startsAt: localTime.optional().describe(`It applies from this time on. ${LOCAL_TIME_OF_NAMED}`),
    endsAt: localTime.optional().describe(`It no longer applies from this time on. ${LOCAL_TIME_OF_NAMED}`),
    recurring: recurring
      .optional()
      .describe('It applies only at these times of the week, each in local time: happy hours, or a quiet weekday.'),
    minQuantity: positive
      .optional()
      .describe('At least this many tickets in the cart that the targets name, in all lines.'),
    maxQuantity: positive.optional().describe('At most this many.'),
    minOrderTotal: strictMoney
      .optional()
      .describe(
        'Compared with `cartContext.orderTotal`; without that, the adjustment does not apply. Carts and orders give the sum of their catalogue prices, and of the prices that a caller who may do so states instead: no adjustment changes it, not even one at listing.',
      ),
    maxOrderTotal: strictMoney.optional().describe('Compared as `minOrderTotal` is.'),
    minEligibleTotal: strictMoney
      .optional()
      .describe('The tickets that it applies to must cost at least so much together, at catalogue prices.'),
    customerSegments: z.array(externalId).min(1).max(ARRAY_LENGTH_MAX).optional(),
    channelIds: z.array(externalId).min(1).max(ARRAY_LENGTH_MAX).optional(),
    tags: z
      .array(externalId)
      .min(1)
      .max(ARRAY_LENGTH_MAX)
      .optional()
      .describe('The offering must have one of these tags.'),
    offeringIds: z
      .array(externalId)
      .min(1)
      .max(ARRAY_LENGTH_MAX)
      .optional()
      .describe('Of what the targets name, only these offerings.'),
    maxRedemptions: z.int().min(0).optional().describe('How many orders may redeem it.'),
    maxRedemptionsPerCustomer: z
      .int()
      .min(0)
      .optional()
      .describe(
        'How many orders of one customer may redeem it. A buyer who is not known does not get it: `customer-missing`. See `perCustomerBy`.',
      ),
    maxTickets: z
      .int()
      .min(0)
      .optional()
      .describe(
        'For how many tickets it counts, in all orders together. A cart with more gets it for those that are left; see `limited` of its modifier. Only orders placed while it has this limit or `maxTicketsPerCustomer` count.',
      ),
    maxTicketsPerCustomer: z
      .int()
      .min(0)
      .optional()
      .describe('For how many tickets of one customer it counts. A buyer who is not known does not get it.'),
    perCustomerBy: z
      .enum(['id', 'email'])
      .optional()
      .describe(
        'What tells one customer from another for the limits per customer. Without it, `id`: the customer id, so guests get nothing. `email`: the e-mail address too, in any spelling, so guests are counted. It counts from the change that sets it.',
      ),
    budgetId: externalId.optional().describe('The budget that pays for what it takes off. Not for a surcharge.'),
  })
  // A time with a zone and one without are compared later, when both have one.
  .refine((c) => !c.startsAt || !c.endsAt || isLocal(c.startsAt) !== isLocal(c.endsAt) || c.startsAt < c.endsAt, {
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
  .register(memberNotes, { related: () => CONDITION_WORDS })
  .meta({ id: 'ConditionsInput' });
export type Conditions = z.output<typeof conditions>;

/** Conditions as the API returns them. */
export const shownConditions = z
  .object({
    ...conditions.shape,
    code: z.string().optional(),
    startsAt: timestamp.optional(),
    endsAt: timestamp.optional(),
  })
  .meta({ id: 'Conditions' });

export const DROP_REASONS = [
  'target-mismatch',
  'not-started',
  'ended',
  'outside-recurring-window',
  'quantity-below-minimum',
  'quantity-above-maximum',
  'order-total-below-minimum',
  'order-total-above-maximum',
  'order-total-missing',
  'eligible-total-below-minimum',
  'segment-mismatch',
  'channel-mismatch',
  'tag-mismatch',
  'code-not-presented',
  'code-used-up',
  'code-revoked',
  'code-counts-once',
  'redemption-limit-reached',
  'customer-redemption-limit-reached',
  'ticket-limit-reached',
  'customer-ticket-limit-reached',
  'budget-exhausted',
  'customer-missing',
  'currency-mismatch',
  'replaced-within-category',
  'excluded-by-exclusive',
  'combination-is-cheaper',
  'no-effect',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Why an adjustment counts for fewer tickets than it applies to, or takes off less. */
export const LIMIT_REASONS = [
  'units',
  'ticket-limit-reached',
  'customer-ticket-limit-reached',
  'budget-exhausted',
] as const satisfies (DropReason | 'units')[];
export type LimitReason = (typeof LIMIT_REASONS)[number];
