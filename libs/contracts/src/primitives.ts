import { isCurrencyCode, isExactPercent } from '@event-commerce/money';
import { z } from 'zod';

/** An id that somebody else chose: opaque, letters, digits and `_ - . :`. */
export const externalId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_\-.:]+$/, 'may hold letters, digits and _ - . : only');

export const name = z.string().trim().min(1).max(256);
export const text = z.string().max(4096);

/** A coupon code as typed: kept trimmed. `matchCode` gives the form that codes are compared in. */
export const couponCode = z.string().trim().min(1).max(64);

/** The form in which two spellings of a code are the same code. */
export function matchCode(code: string): string {
  return code.trim().toUpperCase();
}

/** A slug: `discount-coupon`, `early_bird`. */
export const slug = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, 'may hold letters, digits and _ . - only');

export const currencyCode = z
  .string()
  .refine(isCurrencyCode, 'must be an ISO 4217 currency code, such as EUR')
  .meta({ description: 'ISO 4217.', pattern: '^[A-Z]{3}$', examples: ['EUR'] });

/** Whole minor units (cents), never negative. */
export const minorUnits = z.int().min(0).describe('Minor units (cents).');

export const money = z.object({ amount: minorUnits, currency: currencyCode });
export type Money = z.output<typeof money>;

/** 0 < p <= 100 with at most four decimals. */
export const percent = z
  .number()
  .gt(0)
  .max(100)
  .refine(isExactPercent, 'may have at most four decimals')
  .describe('At most four decimals.');

/** RFC 3339 in, RFC 3339 UTC with milliseconds out. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 date-time, such as 2027-05-01T18:00:00Z' })
  .transform((value, ctx) => {
    const time = Date.parse(value);
    if (Number.isNaN(time)) {
      ctx.addIssue({ code: 'custom', message: 'is not a date that exists' });
      return z.NEVER;
    }
    return new Date(time).toISOString();
  });

/** A time as the platform answers it: RFC 3339 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

export const ARRAY_LENGTH_MAX = 500;
export const PAGE_LIMIT_MAX = 200;
export const PAGE_LIMIT_DEFAULT = 50;

/** The query of every list. `cursor` is what an earlier page answered in `page.next`. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  cursor: z.string().min(1).max(256).optional(),
});
export type PageQuery = z.output<typeof pageQuery>;

/** One page of a list as services answer it. */
export interface Page<T> {
  data: T[];
  page: { next: string | null; limit: number };
}

/** An object whose members the platform keeps but does not read. */
export const freeObject = z.record(z.string(), z.unknown()).describe('Kept as it is sent.');
