import type { Page, PageQuery, Tenant } from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import {
  afterCursor,
  type Asking,
  ATTEMPTS_KEPT,
  collectionOf,
  countOf,
  findPage,
  pageAfter,
  pushAttempts,
  readDocuments,
  type Quotas,
  type Writer,
} from '@event-commerce/service-kit';
import type { Cart, PricedCart } from './domain/cart.ts';
import { type CartModels, keyOf, keysBefore, type Seat, type SessionDocument } from '../models.ts';
import { choicesOf, pricesToStore, type SessionRecord, tableLeft, type UnpricedSession } from './session-record.ts';
import { type SessionWrite, sessionWriter, unsetMissing } from './session-writer.ts';

/** How many open sessions a tenant has. Expired ones disappear on their own, and a recount notices. */
export function sessionAmounts({ sessions }: CartModels) {
  return {
    openCarts: async (tenant: Tenant) =>
      countOf(collectionOf(sessions), { companyId: tenant, _id: keysBefore(tenant) }),
  };
}

export type SessionRepository = ReturnType<typeof sessionRepository>;

/** The result of a change of a session. */
export interface NextSession {
  cart: Cart;
  priced: PricedCart;
  version: number;
  createdAt: Date;
  now: Date;
  /** If this change creates the session: the id it would have had if the caller had not chosen one. */
  madeAs?: string | undefined;
  /** The ids of the request attempts that this change is for. */
  attempts?: readonly string[];
}

/** How long a session is kept, and keeps its seat, without a change. */
export interface SessionTimes {
  idleMs: number;
  seatHoldMs: number;
}

/** The filter of sessions that are neither ordered nor being ordered. */
const OPEN = { checkout: { $exists: false }, ordered: { $exists: false } } as const;

const UNPRICED = { projection: { outbox: 0, priced: 0, orderedPrice: 0 } } as const;

const AFTER = { returnDocument: 'after' } as const;

/** How many sessions are read in one round trip: few, because large ones should not delay the others. */
const READ_TOGETHER = 20;

/** `idleMs`: how long a session is kept without a change; `seatHoldMs`: how long it keeps its seat without one. */
export function sessionRepository(
  { sessions: model }: CartModels,
  relay: Relay<SessionDocument>,
  { idleMs, seatHoldMs }: SessionTimes,
  quotas: Pick<Quotas<'openCarts'>, 'use'>,
) {
  const sessions = collectionOf(model);
  const expiryAfter = (now: Date) => new Date(now.getTime() + idleMs);
  /** How long a session that changes now keeps its seat. */
  const seatHeld = (now: Date) => ({ seatHeldUntil: new Date(now.getTime() + Math.min(seatHoldMs, idleMs)) });
  const write = sessionWriter(sessions);
  const read = readDocuments(sessions, { projection: { outbox: 0 }, together: READ_TOGETHER });

  return {
    /** The session, even if it expired. Concurrent calls are batched. */
    load: async (tenant: Tenant, id: string): Promise<SessionRecord | undefined> => await read(keyOf(tenant, id)),

    /** One page of the sessions that have not expired, in descending order of their ids. */
    async page(companyId: Tenant, query: PageQuery, now: Date): Promise<Page<SessionRecord>> {
      const filters = {
        companyId,
        _id: keysBefore(companyId, afterCursor(query, 'cart-sessions')),
        $or: [{ expiresAt: { $gt: now } }, { checkout: { $exists: true } }],
      };
      const found = await findPage<SessionDocument>(sessions, undefined, filters, query);
      return { data: found.documents, page: pageAfter(found, query, 'cart-sessions', ({ sessionId }) => sessionId) };
    },

    /**
     * Writes the session with its event: over `base` if that is still current, or as a new document without a base.
     * Undefined if another write was first.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED, VALIDATION_FAILED if its prices are too large to be stored
     */
    async save(
      caller: Writer,
      id: string,
      base: SessionRecord | undefined,
      { cart, priced, version, createdAt, now, madeAs, attempts: made = [] }: NextSession,
    ): Promise<SessionRecord | undefined> {
      const expiresAt = expiryAfter(now);
      const fields = {
        ...cart,
        companyId: caller.tenant,
        sessionId: id,
        ...(madeAs === undefined || madeAs === id ? {} : { madeAs }),
        priced: pricesToStore(priced),
        pricedAt: now,
        version,
        createdAt,
        changedAt: now,
        expiresAt,
        ...(cart.tableCommitmentId === undefined ? { purgeAt: expiresAt } : seatHeld(now)),
      };
      const _id = keyOf(caller.tenant, id);
      const entry = outboxEntry('cart.updated', now, {
        ...caller,
        ...(base && { before: choicesOf(base) }),
        after: { ...choicesOf(cart), version },
      });
      const attempts = [...(base?.attempts ?? []), ...made].slice(-ATTEMPTS_KEPT);
      const record: SessionRecord = { _id, ...fields, ...(attempts.length === 0 ? {} : { attempts }) };
      const update: SessionWrite['update'] = {
        $set: fields,
        $push: { outbox: entry, ...pushAttempts(...made) },
        ...unsetMissing(base, fields),
      };
      const saved = await quotas.use(caller.tenant, { openCarts: base === undefined ? 1 : 0 }, async () =>
        (await write({ _id, base, update, document: { ...record, outbox: [entry] } })) ? record : undefined,
      );
      if (saved !== undefined) relay.publish({ ...saved, outbox: [entry] });
      return saved;
    },

    /**
     * Links the session to its seat at the table. Undefined if the session does not have the seat and cannot get it
     * again: it is over, sits elsewhere, gave the seat up or moved to another context, is not at the seat's version, or
     * is being ordered without the seat.
     */
    async link(
      caller: Writer,
      { sessionId, sessionCreatedAt, leaves = 0, attempt: takenBy, version }: Omit<Seat, 'seats'>,
      { id: tableCommitmentId, contextId }: { id: string; contextId: string },
      now: Date,
      { attempt }: Asking = {},
    ): Promise<SessionRecord | undefined> {
      const life = { _id: keyOf(caller.tenant, sessionId), createdAt: sessionCreatedAt };
      const unlinked = {
        ...life,
        tableCommitmentId: { $exists: false },
        leaves: leaves === 0 ? { $exists: false } : leaves,
      };
      const inContext = { $or: [{ contextId: { $exists: false } }, { contextId }] };
      const unchanged = { ...inContext, ...(version === undefined ? {} : { version }) };
      for (;;) {
        const linked = await sessions.findOneAndUpdate(
          { ...unlinked, ...OPEN, ...unchanged },
          {
            $set: { tableCommitmentId, contextId, changedAt: now, expiresAt: expiryAfter(now), ...seatHeld(now) },
            $unset: { purgeAt: '' },
            $inc: { version: 1 },
            $push: { outbox: outboxEntry('cart.updated', now, caller), ...pushAttempts(takenBy, attempt?.idSuffix) },
          },
          AFTER,
        );
        if (linked !== null) {
          relay.publish(linked);
          return linked;
        }
        const standing = await sessions.findOne(life);
        if (standing === null || (standing.leaves ?? 0) !== leaves) return undefined;
        if (standing.tableCommitmentId !== undefined) {
          return standing.tableCommitmentId === tableCommitmentId ? standing : undefined;
        }
        // The session is open again if its order was refused: by then another order may need to link it to this seat.
        const told = { outbox: tableLeft(standing, tableCommitmentId, now, caller) };
        const released = await sessions.findOneAndUpdate(unlinked, { $inc: { leaves: 1 }, $push: told }, AFTER);
        if (released === null) continue;
        relay.publish(released);
        return undefined;
      }
    },

    /** Renews the hold on the seat of the session, as it was read, from `now`. Undefined if it changed since. */
    async renewSeat(caller: Writer, session: SessionRecord, now: Date): Promise<SessionRecord | undefined> {
      const renewed = await sessions.findOneAndUpdate(
        { _id: session._id, version: session.version, ...OPEN },
        {
          $set: { changedAt: now, expiresAt: expiryAfter(now), ...seatHeld(now) },
          $inc: { version: 1 },
          $push: { outbox: outboxEntry('cart.updated', now, { ...caller, after: { version: session.version + 1 } }) },
        },
        AFTER,
      );
      if (renewed === null) return undefined;
      relay.publish(renewed);
      return renewed;
    },

    /** Records a completed request attempt in this session. */
    async recordAttempt({ _id, createdAt }: SessionRecord, attempt: string): Promise<void> {
      await sessions.updateOne({ _id, createdAt }, { $push: pushAttempts(attempt) });
    },

    /**
     * Unlinks the session, as it was read, from its table, with the event that releases the seat. Undefined if it
     * changed since. `expiresAt`: by default as after any change of the session.
     */
    async unlink(
      caller: Writer & Asking,
      session: UnpricedSession,
      tableCommitmentId: string,
      now: Date,
      expiresAt = expiryAfter(now),
    ): Promise<SessionRecord | undefined> {
      const about = { ...caller, after: { version: session.version + 1 } };
      const left = tableLeft(session, tableCommitmentId, now, about);
      // The document is kept until its events are published, even if it expires now.
      const purgeAt = new Date(Math.max(expiresAt.getTime(), expiryAfter(now).getTime()));
      const unlinked = await sessions.findOneAndUpdate(
        { _id: session._id, version: session.version, ...OPEN },
        {
          $set: { changedAt: now, expiresAt, purgeAt },
          $unset: { tableCommitmentId: '', seatHeldUntil: '' },
          $inc: { version: 1, leaves: 1 },
          $push: {
            outbox: { $each: [outboxEntry('cart.updated', now, about), left] },
            ...pushAttempts(caller.attempt?.idSuffix),
          },
        },
        AFTER,
      );
      if (unlinked === null) return undefined;
      relay.publish(unlinked);
      return unlinked;
    },

    /** Sessions of all companies whose seat hold is over, earliest first; `after`: only later ones. */
    async seatsOver(now: Date, limit: number, after?: Date): Promise<UnpricedSession[]> {
      const over = { $exists: true, $lte: now, ...(after === undefined ? {} : { $gt: after }) };
      return await sessions
        .find({ seatHeldUntil: over, ...OPEN }, UNPRICED)
        .sort({ seatHeldUntil: 1 })
        .limit(limit)
        .toArray();
    },
  };
}
