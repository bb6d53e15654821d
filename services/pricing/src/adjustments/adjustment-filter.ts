import { type AdjustmentListQuery, codeKey, type Tenant } from '@event-commerce/contracts';
import { beginningsOf, beginsWith } from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { searchedFor, term } from './domain/search-terms.ts';
import type { AdjustmentDocument } from '../models.ts';

/**
 * The database filter for the adjustments that match everything in `query`.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit
 */
export function adjustmentFilter(companyId: Tenant, query: AdjustmentListQuery) {
  const { status, type, category, eventId, offeringId, code, couponId, q } = query;
  const conditions: mongo.Filter<AdjustmentDocument>[] = [
    ...(eventId === undefined ? [] : [{ terms: term.event(eventId) }]),
    ...(offeringId === undefined ? [] : [{ terms: term.offering(offeringId) }]),
    ...(type === undefined ? [] : [{ terms: term.type(type) }]),
    ...(category === undefined ? [] : [{ terms: term.category(category) }]),
    ...beginningsOf(q, searchedFor).map((one) => ({ terms: beginsWith(one) })),
  ];
  return {
    companyId,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { codeKey: codeKey(code) }),
    ...(couponId === undefined ? {} : { couponId }),
    ...(conditions.length === 0 ? {} : { $and: conditions }),
  };
}
