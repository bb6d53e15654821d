import type { Tenant } from '@event-commerce/contracts';
import { outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  changeDocuments,
  collectionOf,
  type DocumentChange,
  readDocuments,
  sweepPage,
  type SweepPage,
  type SweepPosition,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { type CartModels, IS_RESERVED, keyOf, type Reservation, type SessionDocument } from '../models.ts';
import type { OrderedPrice } from './domain/ordered-price.ts';
import { orderedPriceToStore, tableLeft, type UnpricedSession } from './session-record.ts';

export type SessionOrders = ReturnType<typeof sessionOrders>;

/** An order of a session, and how often it was reopened. */
export type OrderOfSession = Pick<Reservation, 'orderId' | 'reopening'>;

/** A session; with `createdAt` only if it was created then, and with `version` only at that version. */
export interface SessionLife {
  sessionId: string;
  createdAt?: Date | undefined;
  version?: number | undefined;
}

/** A session that an order reserved, as the sweep finds it. */
export interface ReservedOrder extends OrderOfSession {
  /** The unique id of this reservation. */
  id: string;
  companyId: Tenant;
  sessionId: string;
}

/** Without its prices, which may be large. */
const CHOSEN = { projection: { priced: 0, orderedPrice: 0, outbox: 0 } } as const;

/** What a session gave up when its order ended. */
export interface EndedOrder {
  /** The seat to release at its table. */
  left?: { tableCommitmentId: string; sessionCreatedAt: Date; leaves: number };
}

/**
 * The changes that orders make to sessions. A session is reserved for at most one order at a time. A reservation does
 * not change the version, because callers see no difference.
 */
export function sessionOrders({ sessions: model }: CartModels, relay: Relay<SessionDocument>, idleMs: number) {
  const sessions = collectionOf(model);
  const changeSession = changeDocuments(sessions);
  const changeChosen = changeDocuments(sessions, CHOSEN);
  const readChosen = readDocuments(sessions, CHOSEN);
  const expiryAfter = (now: Date) => new Date(now.getTime() + idleMs);
  /** Makes a change that callers see, with its event. Undefined if the session does not match. */
  const change = async (
    { id, where, isMadeIn }: Omit<DocumentChange<SessionDocument>, 'update'>,
    { $set, $unset, leaves = 0 }: { $set: Partial<SessionDocument>; $unset: Record<string, ''>; leaves?: number },
    ...events: [OutboxEntry, ...OutboxEntry[]]
  ): Promise<SessionDocument | undefined> => {
    const { at } = events[0];
    // Any seat that it had is the order's, or given up.
    const expiresAt = expiryAfter(at);
    const changed = await changeSession({
      id,
      where,
      update: {
        $set: { ...$set, changedAt: at, expiresAt, purgeAt: expiresAt },
        $unset,
        $inc: { version: 1, ...(leaves === 0 ? {} : { leaves }) },
        $push: { outbox: { $each: events } },
      },
      isMadeIn,
    });
    if (changed !== undefined) relay.publish(changed);
    return changed;
  };
  /**
   * Removes the order or reservation from the session as it was read, together with its seat. Undefined if the session
   * changed since.
   */
  const openSession = async (
    caller: Writer,
    session: UnpricedSession,
    where: mongo.Filter<SessionDocument>,
    now: Date,
  ): Promise<EndedOrder | undefined> => {
    const { _id, version, createdAt, leaves = 0, tableCommitmentId } = session;
    const left =
      tableCommitmentId === undefined ? undefined : { tableCommitmentId, sessionCreatedAt: createdAt, leaves };
    const about = { ...caller, after: { version: version + 1 } };
    const opened = await change(
      {
        id: _id,
        where: { ...where, version },
        isMadeIn: (found) => found.version > version && found.ordered === undefined,
      },
      {
        $set: {},
        $unset: { checkout: '', ordered: '', orderedPrice: '', tableCommitmentId: '', seatHeldUntil: '' },
        leaves: left === undefined ? 0 : 1,
      },
      outboxEntry('cart.updated', now, about),
      ...(tableCommitmentId === undefined ? [] : [tableLeft(session, tableCommitmentId, now, about)]),
    );
    if (opened === undefined) return undefined;
    return left === undefined ? {} : { left };
  };
  return {
    /**
     * Reserves an open session, or returns it if it is reserved for the order already. Undefined if there is none. Its
     * expiry stays, but the database keeps it for longer: cart may hear late that its order was placed.
     */
    async reserve(
      tenant: Tenant,
      { sessionId, createdAt, version }: SessionLife,
      { tookSeat = false, ...order }: OrderOfSession & { tookSeat?: boolean },
      now: Date,
    ): Promise<UnpricedSession | undefined> {
      for (const { has, purge } of deletedAt(expiryAfter(now))) {
        const reserved = await changeChosen({
          id: keyOf(tenant, sessionId),
          where: {
            ...has,
            expiresAt: { $gt: now },
            ...(createdAt === undefined ? {} : { createdAt }),
            ...(version === undefined ? {} : { version }),
            checkout: { $exists: false },
            ordered: { $exists: false },
          },
          update: { ...purge, $set: { checkout: { ...order, ...(tookSeat ? { tookSeat } : {}) } } },
          isMadeIn: ({ checkout }) => isReservedFor(checkout, order),
        });
        if (reserved !== undefined) return reserved;
      }
      const found = await readChosen(keyOf(tenant, sessionId));
      return isReservedFor(found?.checkout, order) ? found : undefined;
    },

    /** The session as orders see it. Concurrent calls are batched. */
    find: async (tenant: Tenant, sessionId: string): Promise<UnpricedSession | undefined> =>
      await readChosen(keyOf(tenant, sessionId)),

    /** Marks a session that is reserved for the order as ordered, at its price. Undefined if it changed since. */
    async order(
      caller: Writer,
      { _id: id, version }: Pick<UnpricedSession, '_id' | 'version'>,
      order: OrderOfSession,
      price: OrderedPrice,
      now: Date,
    ): Promise<UnpricedSession | undefined> {
      const { orderId, reopening } = order;
      const text = orderedPriceToStore(price);
      return await change(
        {
          id,
          where: { version, 'checkout.orderId': orderId, 'checkout.reopening': { $lte: reopening } },
          isMadeIn: ({ ordered }) => ordered?.orderId === orderId && ordered.reopening === reopening,
        },
        {
          $set: { ordered: { orderId, reopening }, ...(text === undefined ? {} : { orderedPrice: text }) },
          $unset: { checkout: '', seatHeldUntil: '' },
        },
        outboxEntry('cart.ordered', now, { ...caller, extra: { orderId }, after: { version: version + 1 } }),
      );
    },

    /** Shows an ordered session what its order costs since it was amended. Safe to repeat. */
    async reprice(
      caller: Writer,
      sessionId: string,
      { orderId }: Pick<OrderOfSession, 'orderId'>,
      price: OrderedPrice,
      now: Date,
    ): Promise<void> {
      const text = orderedPriceToStore(price);
      const id = keyOf(caller.tenant, sessionId);
      const found = await sessions.findOne({ _id: id, 'ordered.orderId': orderId });
      if (found === null || found.orderedPrice === text) return;
      await change(
        {
          id,
          where: { version: found.version, 'ordered.orderId': orderId },
          isMadeIn: ({ orderedPrice }) => orderedPrice === text,
        },
        {
          $set: text === undefined ? {} : { orderedPrice: text },
          $unset: text === undefined ? { orderedPrice: '' } : {},
        },
        outboxEntry('cart.updated', now, { ...caller, after: { version: found.version + 1 } }),
      );
    },

    /**
     * Opens the session of an order that is over, and removes its seat. Undefined if the session is not the order's for
     * this reopening.
     */
    async open(
      caller: Writer,
      sessionId: string,
      { orderId, reopening }: OrderOfSession,
      now: Date,
    ): Promise<EndedOrder | undefined> {
      for (;;) {
        const session = await readChosen(keyOf(caller.tenant, sessionId));
        const member = (['checkout', 'ordered'] as const).find((one) => {
          const order = session?.[one];
          return order?.orderId === orderId && order.reopening <= reopening;
        });
        if (session === undefined || member === undefined) return undefined;
        const where = { [`${member}.orderId`]: orderId, [`${member}.reopening`]: { $lte: reopening } };
        if (member === 'checkout' && session.tableCommitmentId === undefined) {
          // Callers see no difference.
          const { matchedCount } = await sessions.updateOne(
            { _id: session._id, ...where },
            { $unset: { checkout: '' } },
          );
          if (matchedCount === 1) return {};
          continue;
        }
        const opened = await openSession(caller, session, where, now);
        if (opened !== undefined) return opened;
      }
    },

    /** Sessions that are reserved, a page at a time, of any company. */
    async reserved(from: SweepPosition | undefined): Promise<SweepPage<ReservedOrder>> {
      const { found, next } = await sweepPage(sessions, IS_RESERVED, ['sessionId', 'checkout'], from);
      const orders = found.flatMap(({ _id, companyId, sessionId, checkout }) => {
        if (checkout === undefined) return [];
        const { orderId, reopening } = checkout;
        return [{ id: JSON.stringify([_id, orderId, reopening]), companyId, sessionId, orderId, reopening }];
      });
      return { found: orders, next };
    },

    /**
     * Ends the reservation for an order that was not written, and gives up the seat that the session took for it.
     * Returns that seat. Safe to repeat.
     */
    async release(
      tenant: Tenant,
      sessionId: string,
      { orderId, reopening }: OrderOfSession,
      now: Date,
    ): Promise<EndedOrder> {
      const reserved = {
        _id: keyOf(tenant, sessionId),
        'checkout.orderId': orderId,
        'checkout.reopening': reopening,
      };
      for (;;) {
        const ended = await sessions.updateOne(
          { ...reserved, 'checkout.tookSeat': { $exists: false } },
          { $unset: { checkout: '' } },
        );
        if (ended.matchedCount === 1) return {};
        const standing = await sessions.findOne(reserved, CHOSEN);
        if (standing === null) return {};
        if (standing.checkout?.tookSeat === undefined) continue;
        const opened = await openSession({ tenant }, standing, reserved, now);
        if (opened !== undefined) return opened;
      }
    },
  };
}

/** When the database deletes a session: one with a seat is ended by the sweep instead. */
function deletedAt(purgeAt: Date) {
  return [
    // A change that began later but came first may keep it for longer.
    { has: { tableCommitmentId: { $exists: false } }, purge: { $max: { purgeAt } } },
    { has: { tableCommitmentId: { $exists: true } }, purge: {} },
  ];
}

function isReservedFor(checkout: Reservation | undefined, { orderId, reopening }: OrderOfSession): boolean {
  return checkout?.orderId === orderId && checkout.reopening === reopening;
}
