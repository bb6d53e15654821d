import {
  type Money,
  ORDER_STATES,
  type OrderPrice,
  orderPrice,
  type OrderState,
  orderStateFrom,
  type SettleOrderReply,
} from '@event-commerce/contracts';
import { type collectionOf, LATEST, notShownYet, updateOrInsert } from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import type { OrderDocument, VoidOrderDocument } from '../models.ts';

/** An order as the owners of its claims see it. */
interface WrittenOrder {
  id: string;
  state: OrderState;
  revision: number;
  total: Money;
  seats?: number;
  price?: OrderPrice;
}

const TOTAL = { 'costs.total': 1 } as const;
const PRICE = { items: 1, costs: 1, 'pricing.modifiers': 1, coupons: 1, createdAt: 1 } as const;

function priceOf({ items, costs, pricing, coupons, createdAt }: OrderDocument): OrderPrice {
  return orderPrice.parse({
    items,
    costs,
    modifiers: pricing.modifiers,
    coupons,
    createdAt: createdAt.toISOString(),
  });
}

/** Answers the owners of claims about the orders that claims are held for. They name orders by id, of any company. */
export function orderSettlement(orders: ReturnType<typeof collectionOf<OrderDocument>>) {
  const voids = orders.conn.collection<VoidOrderDocument & Pick<Partial<OrderDocument>, 'companyId'>>(orders.name);

  const useUp = async (id: string, revision: number): Promise<void> => {
    await orders.updateOne(
      { _id: id, companyId: { $exists: true }, revision: notYet(revision) },
      { $set: { revision } },
    );
  };

  return {
    /** Uses up the number of a revision: if it was not written, it never will be. */
    useUp,

    /** Whether `id` was declared void: no order was written under it, and none will be. */
    isVoid: async (id: string): Promise<boolean> =>
      (await orders.countDocuments({ _id: id, companyId: { $exists: false } }, { limit: 1 })) > 0,

    /**
     * The orders among `ids` that were written, of any company: their state and total; for `pricesOf` also how the
     * price was made. For a single order, the answer is never older than an acknowledged change, because the caller may
     * act on it for good, unless it is only shown (`isShown`).
     */
    async written(
      ids: readonly string[],
      {
        pricesOf = [],
        isShown = false,
      }: { pricesOf?: readonly string[] | undefined; isShown?: boolean | undefined } = {},
    ): Promise<WrittenOrder[]> {
      const priced = new Set(pricesOf);
      const found = await orders
        .find(
          { _id: { $in: [...ids] }, companyId: { $exists: true } },
          {
            projection: { status: 1, revision: 1, currency: 1, seats: 1, ...(priced.size === 0 ? TOTAL : PRICE) },
            ...(ids.length === 1 && !isShown ? LATEST : {}),
          },
        )
        .toArray();
      return found.map((order) => ({
        id: order._id,
        state: orderStateFrom(order.status),
        revision: order.revision ?? 0,
        total: { amount: order.costs.total, currency: order.currency },
        ...(order.seats === undefined ? {} : { seats: order.seats }),
        ...(priced.has(order._id) ? { price: priceOf(order) } : {}),
      }));
    },

    /**
     * Decides for good whether order `id`, or this revision of it, was written, and with which redemptions and tickets.
     * If it was not, the order's id or the revision's number is used up, so that a write still in flight fails. However
     * often this is called, nothing that it called unused is ever used.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while that is unknown: retry
     */
    async settle(id: string, revision: number | undefined): Promise<SettleOrderReply> {
      if (revision !== undefined) await useUp(id, revision);
      // Dated by the clock of the database, which deletes it.
      const unwritten = { _id: id, companyId: { $exists: false } };
      if (await updateOrInsert(voids, unwritten, { $currentDate: { voidedAt: true } })) return { outcome: 'void' };
      const projection = { status: 1, claims: 1, tickets: 1 };
      const standing = await orders.findOne({ _id: id, companyId: { $exists: true } }, { projection, ...LATEST });
      if (standing === null) throw notShownYet();
      const { status, claims, tickets } = standing;
      const all = [
        ...claims.map(({ redemptionId: claimId, ...claim }) => ({ claimId, ...claim })),
        ...tickets.map(({ claimId, ...claim }) => ({ claimId, ...claim })),
      ];
      const reduced = all.flatMap(({ claimId, keeps }) => (keeps === undefined ? [] : [[claimId, keeps] as const]));
      const held = all.flatMap((claim) => (claim.held === true ? [claim.claimId] : []));
      return {
        outcome: orderStateFrom(status),
        redemptionIds: claims.map(({ redemptionId }) => redemptionId),
        ticketIds: tickets.map(({ claimId }) => claimId),
        ...(reduced.length === 0 ? {} : { keeps: Object.fromEntries(reduced) }),
        ...(held.length === 0 ? {} : { held }),
      };
    },
  };
}

/** Finds orders by their state: a placed one may have any label as its status. */
export function inState(states: readonly OrderState[]): mongo.Condition<string> {
  if (!states.includes('placed')) return { $in: [...states] };
  return { $nin: ORDER_STATES.filter((state) => !states.includes(state)) };
}

/** Finds orders that have not reached this revision; a new order has none. */
export function notYet(revision: number): mongo.Condition<number> {
  return { $not: { $gte: revision } };
}
