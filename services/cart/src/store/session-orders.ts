import type { Tenant } from '@event-commerce/contracts';
import { collectionOf } from '@event-commerce/service-kit';
import { type CartModels, keyOf, type Reservation, type SessionDocument } from './models.ts';

export type SessionOrders = ReturnType<typeof sessionOrders>;

/** A session that an order takes: what was chosen, without prices and events. */
export type ReservedSession = Omit<SessionDocument, 'priced' | 'outbox'> & { checkout: Reservation };

/** The order that a session is reserved for, from the point of view of one of its copies. */
export type OrderAttempt = Omit<Reservation, 'attempts'> & { attempt: string };

const CHOSEN = { projection: { priced: 0, outbox: 0 } } as const;

/**
 * What orders do to sessions. A session is reserved for at most one order at a time. A reservation changes no version, because what
 * callers see of the session stays the same.
 */
export function sessionOrders({ sessions: model }: CartModels) {
  const sessions = collectionOf(model);
  const reservedFor = ({ key, content, reopening }: OrderAttempt) => ({
    'checkout.key': key,
    'checkout.content': content,
    'checkout.reopening': reopening,
  });

  return {
    /** Reserves an open session. Undefined if there is none, it is reserved, or an order was placed of it. */
    async reserve(
      tenant: Tenant,
      sessionId: string,
      { attempt, ...order }: OrderAttempt,
      now: Date,
    ): Promise<ReservedSession | undefined> {
      const { orderId, reopening } = order;
      const open = { ordered: { $exists: false } };
      // Its cancellation may not have arrived yet.
      const own = { 'ordered.orderId': orderId, 'ordered.reopening': { $lt: reopening } };
      const reserved = await sessions.findOneAndUpdate(
        {
          _id: keyOf(tenant, sessionId),
          expiresAt: { $gt: now },
          retired: { $exists: false },
          checkout: { $exists: false },
          ...(reopening === 0 ? open : { $or: [open, own] }),
        },
        { $set: { checkout: { ...order, attempts: [attempt] } } },
        { returnDocument: 'after', ...CHOSEN },
      );
      return reserved === null ? undefined : asReserved(reserved);
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

function asReserved(document: SessionDocument): ReservedSession {
  const { checkout } = document;
  if (checkout === undefined) throw new TypeError(`session ${document._id} is not reserved`);
  return { ...document, checkout };
}
