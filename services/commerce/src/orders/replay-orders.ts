import {
  type OrdersCreatedReply,
  type OrdersCreatedRequest,
  type ReplayedOrder,
  type Tenant,
  whereabouts,
} from '@event-commerce/contracts';
import { collectionOf } from '@event-commerce/service-kit';
import type { CommerceModels, OrderDocument } from '../models.ts';
import { standingClaims } from './domain/kept-claims.ts';
import { toOrderRecord } from './order-record.ts';
import { idRange } from './order-search.ts';

export type ReplayOrders = ReturnType<typeof replayOrders>;

/** The orders of a period as pricing replays them in a rehearsal, oldest first. */
export function replayOrders(models: Pick<CommerceModels, 'orders'>) {
  const orders = collectionOf(models.orders);
  return {
    /** How many there are, at most `max`. */
    count: async (period: Period & { max: number }): Promise<number> =>
      await orders.countDocuments(createdIn(period), { limit: period.max }),

    async page({ limit, after = '', ...period }: OrdersCreatedRequest): Promise<OrdersCreatedReply> {
      const found = await orders
        .find({ $and: [createdIn(period), { _id: { $gt: after } }] })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const last = found.at(-1)?._id;
      return {
        orders: found.map(toReplayedOrder),
        ...(found.length < limit || last === undefined ? {} : { next: last }),
      };
    },
  };
}

interface Period {
  tenant: Tenant;
  from: string;
  to: string;
}

function createdIn({ tenant, from, to }: Period) {
  return { companyId: tenant, ...idRange({ from, to }), createdAt: { $gte: new Date(from), $lt: new Date(to) } };
}

function toReplayedOrder(document: OrderDocument): ReplayedOrder {
  const { id: orderId, order, state, basis, claims, expiresAt } = toOrderRecord(document);
  const { orderNumber, createdAt, cancelledAt, currency, costs, customer, customerSegment, channelId, contextId } =
    order;
  const stands = state === 'pending' || state === 'placed';
  const priced = new Set(basis?.lines);
  return {
    orderId,
    orderNumber,
    createdAt,
    ...(stands ? {} : { endedAt: cancelledAt ?? (expiresAt ?? document.changedAt).toISOString() }),
    currency,
    total: costs.total,
    charges: costs.fees + costs.tax,
    modifiers: costs.modifiers,
    buyer: {
      ...(customer.id === undefined ? {} : { customerId: customer.id }),
      customerEmail: customer.email,
      ...(customerSegment === undefined ? {} : { customerSegment }),
      ...(channelId === undefined ? {} : { channelId }),
    },
    coupons: order.coupons.map(({ code, adjustmentId }) => ({
      code,
      ...(adjustmentId === undefined ? {} : { adjustmentId }),
    })),
    lines: order.items
      .filter(({ lineId }) => priced.has(lineId))
      .map(({ lineId, offeringId = lineId, eventId, unitPrice: amount = 0, quantity }) => ({
        lineId,
        offering: {
          id: offeringId,
          ...(eventId === undefined ? whereabouts(contextId) : { eventId }),
          price: { amount, currency },
        },
        quantity,
      })),
    claims: standingClaims(claims),
    ...(basis === undefined ? {} : { basis }),
    isAmended: document.amended !== undefined,
    isStated: order.pricing.source === 'stated',
  };
}
