import { z } from 'zod';
import {
  ARRAY_LENGTH_MAX,
  couponCode,
  externalId,
  instant,
  matchCode,
  positive,
  strictMoney,
  timestamp,
} from './primitives.ts';

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
  'quantity-below-minimum',
  'quantity-above-maximum',
  'order-total-below-minimum',
  'order-total-above-maximum',
  'order-total-missing',
  'segment-mismatch',
  'channel-mismatch',
  'tag-mismatch',
  'code-not-presented',
  'redemption-limit-reached',
  'customer-redemption-limit-reached',
  'customer-missing',
  'currency-mismatch',
  'replaced-within-category',
  'excluded-by-exclusive',
  'no-effect',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];
