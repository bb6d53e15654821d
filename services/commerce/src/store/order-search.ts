import { invalidInput, type OrderListQuery, type PageQuery, type Tenant } from '@event-commerce/contracts';
import type { mongo } from 'mongoose';
import { term, wordsOf } from '../domain/search-terms.ts';
import type { OrderDocument } from './models.ts';

export type OrderFilter = Omit<OrderListQuery, keyof PageQuery | 'format'>;

/**
 * Finds the orders of a company that match everything in `filter`.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit
 */
export function orderFilter(
  tenant: Tenant,
  { orderNumber, email, customerId, status, contextId, offeringId, code, q, from, to }: OrderFilter,
): mongo.Filter<OrderDocument> & { companyId: Tenant } {
  const terms = [
    ...(email === undefined ? [] : [term.email(email)]),
    ...(offeringId === undefined ? [] : [term.offering(offeringId)]),
    ...(code === undefined ? [] : [term.code(code)]),
  ];
  const beginnings = q === undefined ? [] : wordsOf(q).map(term.word);
  if (q !== undefined && beginnings.length === 0) throw invalidInput('q', 'must have a letter or digit');
  const all: mongo.Filter<OrderDocument>[] = [
    ...terms.map((one) => ({ terms: one })),
    // Anchored, and of letters and digits alone: the index answers it.
    ...beginnings.map((word) => ({ terms: { $regex: `^${word}` } })),
  ];
  return {
    companyId: tenant,
    ...(orderNumber === undefined ? {} : { orderNumber }),
    ...(status === undefined ? {} : { status }),
    ...(contextId === undefined ? {} : { contextId }),
    ...(customerId === undefined ? {} : { 'customer.id': customerId }),
    ...(from === undefined && to === undefined
      ? {}
      : {
          createdAt: {
            ...(from === undefined ? {} : { $gte: new Date(from) }),
            ...(to === undefined ? {} : { $lt: new Date(to) }),
          },
        }),
    ...(all.length === 0 ? {} : { $and: all }),
  };
}
