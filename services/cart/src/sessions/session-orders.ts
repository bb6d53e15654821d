import type { Tenant } from '@event-commerce/contracts';
import { outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  changeDocuments,
  collectionOf,
  type DocumentChange,
  sweepPage,
  type SweepPage,
  type SweepPosition,
  type Writer,
} from '@event-commerce/service-kit';
import { type CartModels, IS_RESERVED, keyOf, type Reservation, type SessionDocument } from '../models.ts';
import type { UnpricedSession } from './session-record.ts';

export type SessionOrders = ReturnType<typeof sessionOrders>;

export type ReservedSession = UnpricedSession & { checkout: Reservation };

/** The order that a session is reserved for, from the point of view of one of its copies. */
export type OrderAttempt = Omit<Reservation, 'attempts'> & { attempt: string };

/** An order of a session, and how often it was reopened. */
export type OrderOfSession = Pick<Reservation, 'orderId' | 'reopening'>;

/** A session; with `createdAt` only that life of its id. */
export interface SessionLife {
  sessionId: string;
  createdAt?: Date | undefined;
}

/** A session that an order reserved, as the sweep finds it. */
export interface ReservedOrder extends OrderOfSession {
  /** The id of this reservation alone. */
  id: string;
  companyId: Tenant;
  sessionId: string;
}

const CHOSEN = { projection: { priced: 0, outbox: 0 } } as const;

/**
 * What orders do to sessions. A session is reserved for at most one order at a time. A reservation changes no version,
 * because what callers see of the session stays the same.
 */
export function sessionOrders({ sessions: model }: CartModels, relay: Relay<SessionDocument>, idleMs: number) {
  const sessions = collectionOf(model);
  const changeSession = changeDocuments(sessions);
  const changeChosen = changeDocuments(sessions, CHOSEN);
  const expiryAfter = (now: Date) => new Date(now.getTime() + idleMs);
  /** Makes a change that callers see, with its event. Undefined if the session does not match. */
  const change = async (
    { id, where, isMadeIn }: Omit<DocumentChange<SessionDocument>, 'update'>,
    { $set = {}, $unset }: { $set?: Pick<SessionDocument, 'ordered'>; $unset: { checkout: '' } | { ordered: '' } },
    event: OutboxEntry,
  ): Promise<SessionDocument | undefined> => {
    const expiresAt = expiryAfter(event.at);
    for (const { has, purge } of deletedAt(expiresAt)) {
      const changed = await changeSession({
        id,
        where: { ...where, ...has },
        update: {
          $set: { ...$set, ...purge, changedAt: event.at, expiresAt },
          $unset,
          $inc: { version: 1 },
          $push: { outbox: event },
        },
        isMadeIn,
      });
      if (changed === undefined) continue;
      relay.publish(changed);
      return changed;
    }
    return undefined;
  };
  const reservedFor = ({ key, content, reopening }: OrderAttempt) => ({
    'checkout.key': key,
    'checkout.content': content,
    'checkout.reopening': reopening,
  });

  return {
    /**
     * Reserves an open session, or for a reopening also one that the order had until it was over, whether cart was told
     * of that or not. Undefined if there is none. It expires when it would have, but the database keeps it for longer:
     * cart may be told late that its order was placed.
     */
    async reserve(
      tenant: Tenant,
      { sessionId, createdAt }: SessionLife,
      { attempt, ...order }: OrderAttempt,
      now: Date,
    ): Promise<ReservedSession | undefined> {
      const { orderId, reopening } = order;
      const free = (member: 'checkout' | 'ordered') => {
        const isFree = { [member]: { $exists: false } };
        if (reopening === 0) return isFree;
        return { $or: [isFree, { [`${member}.orderId`]: orderId, [`${member}.reopening`]: { $lt: reopening } }] };
      };
      for (const { has, purge } of deletedAt(expiryAfter(now))) {
        const reserved = await changeChosen({
          id: keyOf(tenant, sessionId),
          where: {
            ...has,
            expiresAt: { $gt: now },
            retired: { $exists: false },
            ...(createdAt === undefined ? {} : { createdAt }),
            $and: [free('checkout'), free('ordered')],
          },
          update: { $set: { ...purge, checkout: { ...order, attempts: [attempt] } } },
          isMadeIn: ({ checkout }) => checkout?.attempts.includes(attempt) === true,
        });
        if (reserved !== undefined) return asReserved(reserved);
      }
      return undefined;
    },

    /** Makes `attempt` rely on the reservation of a copy of its order. Undefined if there is none. */
    async share(tenant: Tenant, sessionId: string, order: OrderAttempt): Promise<ReservedSession | undefined> {
      const shared = await sessions.findOneAndUpdate(
        { _id: keyOf(tenant, sessionId), ...reservedFor(order) },
        { $addToSet: { 'checkout.attempts': order.attempt } },
        { returnDocument: 'after', ...CHOSEN },
      );
      return shared === null ? undefined : asReserved(shared);
    },

    /** The session as orders see it. */
    async find(tenant: Tenant, sessionId: string): Promise<UnpricedSession | undefined> {
      return (await sessions.findOne({ _id: keyOf(tenant, sessionId) }, CHOSEN)) ?? undefined;
    },

    /** Makes a session that is reserved for the order the order's. Undefined if there is none. */
    async order(
      caller: Writer,
      sessionId: string,
      order: OrderOfSession,
      now: Date,
    ): Promise<UnpricedSession | undefined> {
      const { orderId, reopening } = order;
      return await change(
        {
          id: keyOf(caller.tenant, sessionId),
          where: { 'checkout.orderId': orderId, 'checkout.reopening': { $lte: reopening } },
          isMadeIn: ({ ordered }) => ordered?.orderId === orderId && ordered.reopening === reopening,
        },
        { $set: { ordered: { orderId, reopening } }, $unset: { checkout: '' } },
        outboxEntry('cart.ordered', now, { ...caller, extra: { orderId } }),
      );
    },

    /**
     * Opens the session of an order that is over, with what was reserved for it. A later reopening of the order keeps
     * what it has.
     */
    async open(caller: Writer, sessionId: string, { orderId, reopening }: OrderOfSession, now: Date): Promise<void> {
      const _id = keyOf(caller.tenant, sessionId);
      // In this order: a reservation can become an order, and never the reverse.
      await sessions.updateOne(
        { _id, 'checkout.orderId': orderId, 'checkout.reopening': { $lte: reopening } },
        { $unset: { checkout: '' } },
      );
      await change(
        {
          id: _id,
          where: { 'ordered.orderId': orderId, 'ordered.reopening': { $lte: reopening } },
          isMadeIn: ({ ordered }) => ordered === undefined,
        },
        { $unset: { ordered: '' } },
        outboxEntry('cart.updated', now, caller),
      );
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

    /** Ends the reservation for an order, or what `attempt` relies on. Returns whether it has ended. Safe to repeat. */
    async release(tenant: Tenant, sessionId: string, orderId: string, attempt?: string): Promise<boolean> {
      const reserved = { _id: keyOf(tenant, sessionId), 'checkout.orderId': orderId };
      const end = { $unset: { checkout: '' } } as const;
      if (attempt === undefined) {
        await sessions.updateOne(reserved, end);
        return true;
      }
      for (;;) {
        const last = await sessions.updateOne({ ...reserved, 'checkout.attempts': [attempt] }, end);
        if (last.matchedCount === 1) return true;
        const others = { 'checkout.attempts': attempt, 'checkout.attempts.1': { $exists: true } };
        const left = await sessions.updateOne({ ...reserved, ...others }, { $pull: { 'checkout.attempts': attempt } });
        if (left.matchedCount === 1) return false;
        const standing = await sessions.findOne(reserved, { projection: { checkout: 1 } });
        if (standing?.checkout?.attempts.includes(attempt) !== true) return standing === null;
      }
    },
  };
}

/** Ways to say when the database deletes a session: one that has a seat is ended by the sweep instead. */
function deletedAt(purgeAt: Date) {
  return [
    { has: { tableCommitmentId: { $exists: false } }, purge: { purgeAt } },
    { has: { tableCommitmentId: { $exists: true } }, purge: {} },
  ];
}

function asReserved(document: SessionDocument): ReservedSession {
  const { checkout } = document;
  if (checkout === undefined) throw new TypeError(`session ${document._id} is not reserved`);
  return { ...document, checkout };
}
