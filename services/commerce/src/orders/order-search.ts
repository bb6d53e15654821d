import { type OrderListQuery, type Page, type PageQuery, type Tenant } from '@event-commerce/contracts';
import {
  afterCursor,
  beginningsOf,
  beginsWith,
  type collectionOf,
  findPage,
  firstIdAt,
  type IdRange,
  toPage,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { ordersSearchedFor, term } from '../search-terms.ts';
import type { OrderDocument } from '../models.ts';
import { type OrderRecord, toOrderRecord } from './order-record.ts';
import { inState } from './order-settlement.ts';

/** More than the difference between the time in an order's id and its creation time, milliseconds. */
export const PLACED_WITHIN_MS = 60 * 60 * 1000;

export interface OrderFilter extends Omit<OrderListQuery, keyof PageQuery | 'format' | 'eventId'> {
  /** Finds the orders that have one of these offerings. */
  offeringIds?: readonly string[];
}

/** Finds orders by their content. */
export function orderSearch(orders: ReturnType<typeof collectionOf<OrderDocument>>) {
  return {
    /** One page of the orders that match `query`, newest first. */
    async page(tenant: Tenant, query: OrderFilter & PageQuery): Promise<Page<OrderRecord>> {
      const filter = orderFilter(tenant, query, afterCursor(query, 'orders'));
      const found = await findPage<OrderDocument>(orders, 'ord', filter, query);
      return toPage(found, query, 'orders', toOrderRecord);
    },
  };
}

/**
 * Finds the orders of a company that match everything in `filter`, on the page after the order `after`.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit
 */
function orderFilter(
  tenant: Tenant,
  { orderNumber, email, customerId, status, state, contextId, offeringIds, offeringId, code, q, from, to }: OrderFilter,
  after?: string,
): mongo.Filter<OrderDocument> & { companyId: Tenant; _id?: IdRange } {
  const conditions: mongo.Filter<OrderDocument>[] = [
    ...(email === undefined ? [] : [{ terms: term.email(email) }]),
    ...(state === undefined ? [] : [{ status: inState([state]) }]),
    ...(offeringIds === undefined ? [] : [{ terms: { $in: offeringIds.map(term.offering) } }]),
    ...(offeringId === undefined ? [] : [{ terms: term.offering(offeringId) }]),
    ...(code === undefined ? [] : [{ terms: term.code(code) }]),
    ...beginningsOf(q, ordersSearchedFor).map((one) => ({ terms: beginsWith(one) })),
  ];
  return {
    companyId: tenant,
    ...idRange({ from, to, after }),
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
    ...(conditions.length === 0 ? {} : { $and: conditions }),
  };
}

/** Ids sort like the list, and nearly by creation, so the index that sorts the list also skips other times. */
export function idRange({ from, to, after }: Pick<OrderFilter, 'from' | 'to'> & { after?: string | undefined }): {
  _id?: IdRange;
} {
  const first = from === undefined ? undefined : firstIdAt('ord', Date.parse(from) - PLACED_WITHIN_MS);
  const end = to === undefined ? undefined : firstIdAt('ord', Date.parse(to) + PLACED_WITHIN_MS);
  const [before] = [after, end].filter((id) => id !== undefined).toSorted();
  if (first === undefined && before === undefined) return {};
  return { _id: { ...(first === undefined ? {} : { $gte: first }), ...(before === undefined ? {} : { $lt: before }) } };
}
