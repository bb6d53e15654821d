import type {
  Money,
  Page,
  TableCommitment,
  TableCommitmentInput,
  TableListQuery,
  Tenant,
} from '@event-commerce/contracts';
import { outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  afterCursor,
  countOf,
  atVersion,
  collectionOf,
  findPage,
  type IfMatch,
  isDuplicateKey,
  isWriteConflict,
  pageAfter,
  type Quotas,
  retryLost,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import {
  type CartModels,
  keyOf,
  keysBefore,
  type Seat,
  type SessionDocument,
  type SoldSeat,
  type TableDocument,
} from '../models.ts';
import type { OrderOfSession } from '../sessions/session-orders.ts';
import { sessionIdOf, soldTo, type TableRecord, toTableCommitment } from './table-record.ts';

export type TableRepository = ReturnType<typeof tableRepository>;

/**
 * `held`: a session with this id holds a seat at this table already. `elsewhere`: at another table. `contended`: the
 * database aborted one of several writes that waited for each other; it may be retried.
 */
type SeatOutcome = 'taken' | 'held' | 'elsewhere' | 'refused' | 'contended';

/** What identifies the seat of one session (id and creation) or of an order. */
export type SeatId = Pick<Seat, 'sessionId' | 'sessionCreatedAt' | 'leaves'>;

/** The order that a seat becomes, and what it costs. */
export interface SoldTo extends OrderOfSession {
  total: Money;
}

const WITHOUT_OUTBOX = { projection: { outbox: 0 } } as const;

/** How many tables a tenant has. */
export function tableAmounts({ tables }: CartModels) {
  return { tableCommitments: async (companyId: Tenant) => countOf(collectionOf(tables), { companyId }) };
}

export function tableRepository(
  { tables: model }: CartModels,
  relay: Relay<TableDocument>,
  quotas: Pick<Quotas<'tableCommitments'>, 'use'>,
) {
  const tables = collectionOf(model);
  const load = async (tenant: Tenant, id: string): Promise<TableRecord | undefined> => {
    const found = await tables.findOne({ _id: keyOf(tenant, id) }, WITHOUT_OUTBOX);
    return found ?? undefined;
  };

  const release = async (tenant: Tenant, id: string, seat: SeatId): Promise<void> => {
    const one = sameSeat(seat);
    for (;;) {
      const table = await tables.findOne({ _id: keyOf(tenant, id), joined: { $elemMatch: one } }, WITHOUT_OUTBOX);
      const taken = table?.joined.find(({ sessionId }) => sessionId === seat.sessionId);
      if (taken === undefined) return;
      const held = { _id: keyOf(tenant, id), joined: { $elemMatch: { ...one, seats: taken.seats } } };
      const leave = { $pull: { joined: one }, $inc: { seatsTaken: -taken.seats, version: 1 } };
      const reopened = await tables.updateOne({ ...held, status: 'full' }, { ...leave, $set: { status: 'open' } });
      if (reopened.matchedCount === 1) return;
      const left = await tables.updateOne({ ...held, status: { $ne: 'full' } }, leave);
      if (left.matchedCount === 1) return;
    }
  };
  /** Reduces a seat to `seats`, and reopens a table that was full. False if its number is not the one in `seat`. */
  const shrink = async (
    tenant: Tenant,
    id: string,
    seat: SeatId & { seats: number },
    seats: number,
  ): Promise<boolean> => {
    const held = { _id: keyOf(tenant, id), joined: { $elemMatch: { ...sameSeat(seat), seats: seat.seats } } };
    const $set = { 'joined.$.seats': seats };
    const $inc = { seatsTaken: seats - seat.seats, version: 1 };
    const reopened = await tables.updateOne({ ...held, status: 'full' }, { $set: { ...$set, status: 'open' }, $inc });
    if (reopened.matchedCount === 1) return true;
    const left = await tables.updateOne({ ...held, status: { $ne: 'full' } }, { $set, $inc });
    return left.matchedCount === 1;
  };
  const seatOf = async (
    tenant: Tenant,
    of: { sessionId: string } | { orderId: string },
  ): Promise<{ table: TableRecord; seat: Seat | SoldSeat } | undefined> => {
    const sessionId = 'orderId' in of ? soldTo(of.orderId) : of.sessionId;
    const table = await tables.findOne(
      { companyId: tenant, 'joined.sessionId': sessionId, seatsTaken: { $gt: 0 } },
      WITHOUT_OUTBOX,
    );
    const seat = table?.joined.find((one) => one.sessionId === sessionId);
    return table === null || seat === undefined ? undefined : { table, seat };
  };
  /**
   * Makes a change that takes `more` seats of a table with `seats` in total, if it is open and has that many left; the
   * last of them makes the table full. Undefined if the table does not match, or its number of seats changed.
   */
  const take = async (
    caller: Writer,
    { tableId, seats }: Pick<TableRecord, 'tableId' | 'seats'>,
    more: number,
    where: mongo.Filter<TableDocument>,
    { $inc, $push, ...update }: mongo.UpdateFilter<TableDocument>,
    entries: readonly OutboxEntry[],
    now: Date,
  ): Promise<TableDocument | undefined> => {
    const full = outboxEntry('table.full', now, caller);
    const ways = [
      { seatsTaken: { $lt: seats - more }, set: {}, outbox: entries },
      { seatsTaken: seats - more, set: { status: 'full' as const }, outbox: [...entries, full] },
    ];
    for (const { seatsTaken, set, outbox } of ways) {
      const changed = await tables.findOneAndUpdate(
        { ...where, _id: keyOf(caller.tenant, tableId), status: 'open', seats, seatsTaken },
        {
          $set: { ...update.$set, ...set },
          $push: { ...$push, outbox: { $each: [...outbox] } },
          $inc: { ...$inc, seatsTaken: more, version: 1 },
        },
        { returnDocument: 'after' },
      );
      if (changed === null) continue;
      relay.publish(changed);
      return changed;
    }
    return undefined;
  };

  return {
    load,

    /**
     * Undefined if the company has a table with this id.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED
     */
    async create(
      caller: Writer,
      { id, madeAs = id }: { id: string; madeAs?: string },
      input: Omit<TableCommitmentInput, 'id'>,
      now: Date,
    ): Promise<TableRecord | undefined> {
      const { contextId, seats, offeringId, minimumSpend } = input;
      const document: TableDocument = {
        _id: keyOf(caller.tenant, id),
        companyId: caller.tenant,
        tableId: id,
        contextId,
        seats,
        ...(offeringId === undefined ? {} : { offeringId }),
        ...(minimumSpend === undefined ? {} : { minimumSpend }),
        seatsTaken: 0,
        status: 'open',
        joined: [],
        ...(madeAs === id ? {} : { madeAs }),
        version: 1,
        createdAt: now,
        outbox: [outboxEntry('table.created', now, { ...caller, after: { version: 1 } })],
      };
      const growth = { tableCommitments: 1 };
      try {
        await quotas.use(caller.tenant, growth, async () => retryLost(async () => tables.insertOne(document)));
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
      relay.publish(document);
      return document;
    },

    /** One page of tables in descending order of their ids. */
    async page(tenant: Tenant, { contextId, status, ...query }: TableListQuery): Promise<Page<TableCommitment>> {
      const filters = {
        companyId: tenant,
        _id: keysBefore(tenant, afterCursor(query, 'table-commitments')),
        ...(contextId === undefined ? {} : { contextId }),
        ...(status === undefined ? {} : { status }),
      };
      const found = await findPage<TableDocument>(tables, undefined, filters, query);
      const page = pageAfter(found, query, 'table-commitments', ({ tableId }) => tableId);
      return { data: found.documents.map(toTableCommitment), page };
    },

    /** Takes the seats at the table, with the event, if the table is open and has that many left. */
    async takeSeat(
      caller: Writer,
      table: Pick<TableRecord, 'tableId' | 'seats'>,
      seat: Seat,
      now: Date,
    ): Promise<SeatOutcome> {
      const { sessionId: id, sessionCreatedAt, leaves, seats } = seat;
      const joined = outboxEntry('cart.table_joined', now, {
        ...caller,
        extra: { id, createdAt: sessionCreatedAt.toISOString(), ...(leaves === undefined ? {} : { leaves }), seats },
      });
      const where = { 'joined.sessionId': { $ne: id } };
      try {
        if (await take(caller, table, seats, where, { $push: { joined: seat } }, [joined], now)) return 'taken';
      } catch (error) {
        if (isDuplicateKey(error)) return 'elsewhere';
        if (isWriteConflict(error)) return 'contended';
        throw error;
      }
      const standing = await load(caller.tenant, table.tableId);
      return standing?.joined.some(({ sessionId }) => sessionId === id) ? 'held' : 'refused';
    },

    /**
     * Changes how many seats a session has, in one write. Returns false if that number or the table changed, or the
     * table has too few left.
     */
    async resizeSeat(
      caller: Writer,
      table: Pick<TableRecord, 'tableId' | 'seats'>,
      seat: Seat,
      seats: number,
      now: Date,
    ): Promise<boolean> {
      const more = seats - seat.seats;
      if (more <= 0) return await shrink(caller.tenant, table.tableId, seat, seats);
      const held = { joined: { $elemMatch: { ...sameSeat(seat), seats: seat.seats } } };
      const resized = { $set: { 'joined.$.seats': seats } };
      return (await take(caller, table, more, held, resized, [], now)) !== undefined;
    },

    /**
     * Changes how many seats the table has, if it has as many as `table`, its version matches and no more are taken.
     * Returns the table as it is then; undefined if there is none.
     */
    async setSeats(
      caller: Writer,
      table: Pick<TableRecord, 'tableId' | 'seats'>,
      seats: number,
      ifMatch: IfMatch,
      now: Date,
    ): Promise<TableRecord | undefined> {
      const told = { ...caller, before: { seats: table.seats }, after: { seats } };
      const updated = outboxEntry('table.updated', now, told);
      const _id = keyOf(caller.tenant, table.tableId);
      const ways = [
        { status: { $in: ['open', 'full'] as const }, seatsTaken: { $lt: seats }, set: { status: 'open' as const } },
        { status: 'open' as const, seatsTaken: seats, set: { status: 'full' as const } },
        { status: 'closed' as const, seatsTaken: { $lte: seats }, set: {} },
      ];
      for (const { set, ...is } of ways) {
        const changed = await tables.findOneAndUpdate(
          { ...is, _id, seats: table.seats, ...atVersion(ifMatch) },
          {
            $set: { seats, ...set },
            $inc: { version: 1 },
            $push: {
              outbox: {
                $each: [updated, ...(set.status === 'full' ? [outboxEntry('table.full', now, caller)] : [])],
              },
            },
          },
          { returnDocument: 'after' },
        );
        if (changed === null) continue;
        relay.publish(changed);
        return changed;
      }
      return await load(caller.tenant, table.tableId);
    },

    /** Releases a seat, but not one that the session took later; reopens a table that was full. Safe to repeat. */
    release,

    /** Releases the seat of an order that is over, for this reopening. Safe to repeat. */
    async releaseOrder(tenant: Tenant, { orderId, reopening }: OrderOfSession): Promise<void> {
      const sold = await seatOf(tenant, { orderId });
      if (sold !== undefined && 'boughtBy' in sold.seat && sold.seat.reopening <= reopening) {
        await release(tenant, sold.table.tableId, sold.seat);
      }
    },

    /** Gives the seat to the order. Safe to repeat. */
    async sell(tenant: Tenant, id: string, seat: Seat, { orderId, reopening, total }: SoldTo): Promise<void> {
      const sold = {
        'joined.$.sessionId': soldTo(orderId),
        'joined.$.boughtBy': seat.sessionId,
        'joined.$.reopening': reopening,
        'joined.$.spent': total,
      };
      await tables.updateOne(
        { _id: keyOf(tenant, id), joined: { $elemMatch: sameSeat(seat) } },
        { $set: sold, $inc: { version: 1 } },
      );
    },

    /**
     * Updates the seats of an order: what it costs, and how many it still has, which is never more than before. Safe to
     * repeat.
     */
    async followOrder(
      tenant: Tenant,
      orderId: string,
      { total, seats = Infinity }: { total: Money; seats?: number },
    ): Promise<void> {
      const differs = { sessionId: soldTo(orderId), 'spent.amount': { $ne: total.amount } };
      await tables.updateOne(
        {
          companyId: tenant,
          'joined.sessionId': soldTo(orderId),
          // Lets the index of seats be used.
          seatsTaken: { $gt: 0 },
          joined: { $elemMatch: differs },
        },
        { $set: { 'joined.$.spent': total }, $inc: { version: 1 } },
      );
      for (;;) {
        const sold = await seatOf(tenant, { orderId });
        if (sold === undefined || sold.seat.seats <= seats) return;
        if (await shrink(tenant, sold.table.tableId, sold.seat, seats)) return;
      }
    },

    /** The table at which a session with this id, or an order, holds a seat, and the seat. */
    seatOf,

    /** How many seats the session, or its order, has at the table that it names; undefined if none. */
    async seatsOf({
      companyId,
      sessionId,
      createdAt,
      tableCommitmentId,
    }: Pick<SessionDocument, 'companyId' | 'sessionId' | 'createdAt' | 'tableCommitmentId'>): Promise<
      number | undefined
    > {
      if (tableCommitmentId === undefined) return undefined;
      const table = await load(companyId, tableCommitmentId);
      return table?.joined.find(
        (seat) => sessionIdOf(seat) === sessionId && seat.sessionCreatedAt.getTime() === createdAt.getTime(),
      )?.seats;
    },

    /** Every seat that an order holds, of all tenants or of one. */
    async *soldSeats(tenant?: Tenant): AsyncGenerator<{ tenant: Tenant; tableId: string; seat: SoldSeat }> {
      const filter = { 'joined.boughtBy': { $exists: true }, ...(tenant === undefined ? {} : { companyId: tenant }) };
      // In the order of a key that never changes: an unsorted cursor may miss documents that are written meanwhile.
      for await (const table of tables.find(filter, { ...WITHOUT_OUTBOX, sort: { _id: 1 } })) {
        for (const seat of table.joined) {
          if ('boughtBy' in seat) yield { tenant: table.companyId, tableId: table.tableId, seat };
        }
      }
    },

    /** Closes the table for good, if its version matches: seats stay taken, and nobody can join. Safe to repeat. */
    async close(caller: Writer, id: string, ifMatch: IfMatch, now: Date): Promise<TableRecord | undefined> {
      // Reads no version first, or constant joins would keep the table from closing.
      for (const status of ['open', 'full'] as const) {
        const told = { ...caller, before: { status }, after: { status: 'closed' } };
        const closed = await tables.findOneAndUpdate(
          { _id: keyOf(caller.tenant, id), status, ...atVersion(ifMatch) },
          {
            $set: { status: 'closed' },
            $inc: { version: 1 },
            $push: { outbox: outboxEntry('table.closed', now, told) },
          },
          { returnDocument: 'after' },
        );
        if (closed === null) continue;
        relay.publish(closed);
        return closed;
      }
      return await load(caller.tenant, id);
    },
  };
}

/** Finds exactly this seat at its table: a session that left and joined again has a later one. */
function sameSeat({ sessionId, sessionCreatedAt, leaves = 0 }: SeatId) {
  return {
    sessionId: { $eq: sessionId },
    sessionCreatedAt: { $eq: sessionCreatedAt },
    leaves: { $not: { $gt: leaves } },
  };
}
