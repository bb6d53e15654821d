import type {
  Money,
  Page,
  TableCommitment,
  TableCommitmentInput,
  TableListQuery,
  Tenant,
} from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
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
import { type CartModels, keyOf, keysBefore, type Seat, type SoldSeat, type TableDocument } from '../models.ts';
import { soldTo, type TableRecord, toTableCommitment } from './table-record.ts';

export type TableRepository = ReturnType<typeof tableRepository>;

/**
 * `held`: a session with this id holds a seat at this table already. `elsewhere`: at another table. `contended`: the
 * database aborted one of several writes that waited for each other; it may be retried.
 */
type SeatOutcome = 'taken' | 'held' | 'elsewhere' | 'refused' | 'contended';

/** The order that a seat becomes, and what it costs. */
export interface SoldTo {
  orderId: string;
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

  const release = async (tenant: Tenant, id: string, seat: Seat): Promise<void> => {
    const one = sameSeat(seat);
    const held = { _id: keyOf(tenant, id), joined: { $elemMatch: one } };
    const leave = { $pull: { joined: one }, $inc: { seatsTaken: -1, version: 1 } };
    const reopened = await tables.updateOne({ ...held, status: 'full' }, { ...leave, $set: { status: 'open' } });
    if (reopened.matchedCount === 1) return;
    const left = await tables.updateOne({ ...held, status: { $ne: 'full' } }, leave);
    if (left.matchedCount === 1) return;
    // Missing; or the table became full between the two.
    const still = await tables.findOne(held, { projection: { _id: 1 } });
    if (still !== null) await release(tenant, id, seat);
  };

  return {
    load,

    /**
     * Undefined if the company has a table with this id.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED
     */
    async create(
      tenant: Tenant,
      { id, madeAs = id }: { id: string; madeAs?: string },
      input: Omit<TableCommitmentInput, 'id'>,
      now: Date,
    ): Promise<TableRecord | undefined> {
      const { contextId, seats, offeringId, minimumSpend } = input;
      const document: TableDocument = {
        _id: keyOf(tenant, id),
        companyId: tenant,
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
      };
      const growth = { tableCommitments: 1 };
      try {
        await quotas.use(tenant, growth, async () => retryLost(async () => tables.insertOne(document)));
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
      return document;
    },

    /** One page of tables in the order of their ids, the last one first. */
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

    /** Takes a seat at the table if it is open and has one, together with the event. */
    async takeSeat(
      caller: Writer,
      table: Pick<TableRecord, 'tableId' | 'seats'>,
      seat: Seat,
      now: Date,
    ): Promise<SeatOutcome> {
      const _id = keyOf(caller.tenant, table.tableId);
      const { sessionId: id, sessionCreatedAt, leaves } = seat;
      const joined = outboxEntry('cart.table_joined', now, {
        ...caller,
        extra: { id, createdAt: sessionCreatedAt.toISOString(), ...(leaves === undefined ? {} : { leaves }) },
      });
      const full = outboxEntry('table.full', now, caller);
      const ways = [
        { seatsTaken: { $lt: table.seats - 1 }, set: {}, entries: [joined] },
        { seatsTaken: table.seats - 1, set: { $set: { status: 'full' as const } }, entries: [joined, full] },
      ];
      try {
        for (const { seatsTaken, set, entries } of ways) {
          const document = await tables.findOneAndUpdate(
            { _id, status: 'open', seatsTaken, 'joined.sessionId': { $ne: seat.sessionId } },
            {
              ...set,
              $push: { joined: seat, outbox: { $each: entries } },
              $inc: { seatsTaken: 1, version: 1 },
            },
            { returnDocument: 'after' },
          );
          if (document !== null) {
            relay.publish(document);
            return 'taken';
          }
        }
      } catch (error) {
        if (isDuplicateKey(error)) return 'elsewhere';
        if (isWriteConflict(error)) return 'contended';
        throw error;
      }
      const standing = await load(caller.tenant, table.tableId);
      return standing?.joined.some(({ sessionId }) => sessionId === seat.sessionId) ? 'held' : 'refused';
    },

    /** Releases a seat, and none that the session took later; a table that was full is open again. Safe to repeat. */
    release,

    /** Transfers the seat to the order. Safe to repeat. */
    async sell(tenant: Tenant, id: string, seat: Seat, { orderId, total }: SoldTo): Promise<void> {
      const sold = {
        'joined.$.sessionId': soldTo(orderId),
        'joined.$.boughtBy': seat.sessionId,
        'joined.$.spent': total,
      };
      await tables.updateOne(
        { _id: keyOf(tenant, id), joined: { $elemMatch: sameSeat(seat) } },
        { $set: sold, $inc: { version: 1 } },
      );
    },

    /** Transfers the order's seat back to the session; false if that session sits elsewhere by now. Safe to repeat. */
    async takeBack(tenant: Tenant, id: string, sold: SoldSeat): Promise<boolean> {
      try {
        await tables.updateOne(
          { _id: keyOf(tenant, id), joined: { $elemMatch: sameSeat(sold) } },
          {
            $set: { 'joined.$.sessionId': sold.boughtBy },
            $unset: { 'joined.$.boughtBy': '', 'joined.$.spent': '' },
            $inc: { version: 1 },
          },
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** The table at which a session with this id, or an order, holds a seat, and the seat. */
    async seatOf(
      tenant: Tenant,
      of: { sessionId: string } | { orderId: string },
    ): Promise<{ table: TableRecord; seat: Seat | SoldSeat } | undefined> {
      const sessionId = 'orderId' in of ? soldTo(of.orderId) : of.sessionId;
      const table = await tables.findOne(
        { companyId: tenant, 'joined.sessionId': sessionId, seatsTaken: { $gt: 0 } },
        WITHOUT_OUTBOX,
      );
      const seat = table?.joined.find((one) => one.sessionId === sessionId);
      return table === null || seat === undefined ? undefined : { table, seat };
    },

    /** Every seat that an order holds, of all tenants or of one. */
    async *soldSeats(tenant?: Tenant): AsyncGenerator<{ tenant: Tenant; tableId: string; seat: SoldSeat }> {
      const filter = { 'joined.boughtBy': { $exists: true }, ...(tenant === undefined ? {} : { companyId: tenant }) };
      // In order of a key that no write changes: an unsorted cursor may miss what is written meanwhile.
      for await (const table of tables.find(filter, { ...WITHOUT_OUTBOX, sort: { _id: 1 } })) {
        for (const seat of table.joined) {
          if ('boughtBy' in seat) yield { tenant: table.companyId, tableId: table.tableId, seat };
        }
      }
    },

    /** Closes the table for good, if its version matches: seats stay taken, nobody joins any more. Safe to repeat. */
    async close(tenant: Tenant, id: string, ifMatch: IfMatch): Promise<TableRecord | undefined> {
      const closed = await tables.findOneAndUpdate(
        { _id: keyOf(tenant, id), status: { $ne: 'closed' }, ...atVersion(ifMatch) },
        { $set: { status: 'closed' }, $inc: { version: 1 } },
        { returnDocument: 'after', ...WITHOUT_OUTBOX },
      );
      return closed ?? (await load(tenant, id));
    },
  };
}

/** Finds the seat at its table: a session that left and joined again has a later one. */
function sameSeat({ sessionId, sessionCreatedAt, leaves = 0 }: Seat) {
  return {
    sessionId: { $eq: sessionId },
    sessionCreatedAt: { $eq: sessionCreatedAt },
    leaves: { $not: { $gt: leaves } },
  };
}
