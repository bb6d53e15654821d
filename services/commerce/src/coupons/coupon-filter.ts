import { type CouponListQuery, type CouponStatus, codeKey, type PageQuery } from '@event-commerce/contracts';
import { beginningsOf, beginsWith } from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { couponsSearchedFor } from '../search-terms.ts';
import type { CouponDocument } from '../models.ts';

type CouponFilter = Omit<CouponListQuery, keyof PageQuery>;

type Condition = mongo.Filter<CouponDocument>;

/**
 * Finds the coupons that match everything in `filter` at `now`.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit
 */
export function couponFilter(
  { code, status, contextId, q }: CouponFilter,
  now: Date,
): Omit<Condition, 'companyId' | '_id'> {
  const { is, isNot } = status === undefined ? { is: [], isNot: [] } : statusConditions(status, now);
  const all = [...is, ...beginningsOf(q, couponsSearchedFor).map((one) => ({ terms: beginsWith(one) }))];
  return {
    ...(code === undefined ? {} : { codeKey: codeKey(code) }),
    ...(contextId === undefined ? {} : { 'definition.contextIds': contextId }),
    ...(all.length === 0 ? {} : { $and: all }),
    ...(isNot.length === 0 ? {} : { $nor: isNot }),
  };
}

/**
 * `couponStatus`, which returns the first reason not to be active, as a query: the conditions that coupons with a
 * status meet, and those that they do not. Ignores archiving.
 */
function statusConditions(status: CouponStatus, now: Date): { is: Condition[]; isNot: Condition[] } {
  const reasons: [CouponStatus, Condition][] = [
    ['inactive', { 'definition.enabled': false }],
    ['conflict', { codeConflict: true }],
    // Compared as text: a year before 0 begins with "-", which sorts before every digit, and one after 9999 with "+",
    // which sorts before "-".
    ['expired', { 'definition.expiresAt': { $gte: '-', $lte: now.toISOString() } }],
    ['depleted', { 'definition.limit': { $exists: true }, $expr: { $gte: ['$quantitySold', '$definition.limit'] } }],
  ];
  const at = reasons.findIndex(([reason]) => reason === status);
  const conditions = reasons.map(([, condition]) => condition);
  return at === -1
    ? { is: [], isNot: conditions }
    : { is: conditions.slice(at, at + 1), isNot: conditions.slice(0, at) };
}
