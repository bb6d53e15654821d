import { type Order, type OrderState, type Tenant } from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import {
  type Asking,
  batched,
  changesInTurn,
  collectionOf,
  insertEach,
  pushAttempts,
  retryLost,
  withStoredNames,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { movedBy, type Transition } from './domain/order-life.ts';
import { saleOf, type SoldOrder } from './domain/order-sale.ts';
import { orderTerms } from '../search-terms.ts';
import type { CommerceModels, OrderDocument, OrderEventType } from '../models.ts';
import { type OrderRecord, toOrderRecord } from './order-record.ts';
import { orderSearch } from './order-search.ts';
import { inState, notYet, orderSettlement } from './order-settlement.ts';

/** An order with more characters is written alone, so that no other one waits for it. */
const WRITTEN_TOGETHER_MAX = 64 * 1024;
/** Few, because each may be as large as a document. */
const OVERDUE_TOGETHER = 16;

export type OrderRepository = ReturnType<typeof orderRepository>;

/** The members of an order that transitions change, as the API shows them. */
type Movable = Pick<Order, 'version'> & SoldOrder & { [when in 'expiresAt' | 'cancelledAt']?: string | undefined };
/** Those that say when it ends. */
type Ends = Pick<Movable, 'version' | 'status' | 'expiresAt' | 'cancelledAt'>;

/** What each transition except reopening writes; reopening also replaces what the order claimed. */
const MOVES = {
  confirm: { type: 'order.confirmed', to: 'placed' },
  cancel: { type: 'order.cancelled', to: 'cancelled' },
  expire: { type: 'order.expired', to: 'expired' },
} as const satisfies Partial<Record<Transition, { type: OrderEventType; to: OrderState }>>;

export function orderRepository(models: CommerceModels, relay: Relay<OrderDocument>) {
  const orders = collectionOf(models.orders);
  const write = batched(
    async (writes: readonly { document: OrderDocument; characters: number }[]) =>
      insertEach(
        orders,
        writes.map(({ document }) => document),
      ),
    { isLarge: ({ characters }) => characters > WRITTEN_TOGETHER_MAX },
  );
  // Only what identifies an order: it may be large, and a look-up by number should not delay others.
  const projection = { companyId: 1, orderNumber: 1 };
  const findNumbered = batched(async (wanted: readonly { tenant: Tenant; orderNumber: string }[]) => {
    const perTenant = [...Map.groupBy(wanted, ({ tenant }) => tenant)].map(async ([companyId, ofTenant]) => {
      const orderNumber = { $in: ofTenant.map((order) => order.orderNumber) };
      return orders.find<OrderDocument>({ companyId, orderNumber }, { projection }).toArray();
    });
    const found = (await Promise.all(perTenant)).flat();
    return wanted.map((order) =>
      found.find(({ companyId, orderNumber }) => companyId === order.tenant && orderNumber === order.orderNumber),
    );
  });

  const find = async (tenant: Tenant, id: string): Promise<OrderRecord | undefined> => {
    const document = await orders.findOne({ _id: id, companyId: tenant });
    return document === null ? undefined : toOrderRecord(document);
  };

  const update = async (
    { tenant, attempt, ...cause }: Writer & Asking,
    id: string,
    filter: mongo.Filter<OrderDocument>,
    {
      type,
      set,
      unset = [],
      now,
      before,
      compared = before,
    }: {
      type: OrderEventType;
      set: Partial<OrderDocument>;
      unset?: string[];
      now: Date;
      /** The order that it changes. */
      before: Movable;
      /** The members that it may change, if others need not be compared. */
      compared?: Ends;
    },
  ): Promise<OrderRecord | undefined> => {
    const sale = saleOf(before, { ...before, ...set });
    const document = await orders.findOneAndUpdate(
      {
        ...filter,
        _id: id,
        companyId: tenant,
        version: before.version,
        ...(attempt === undefined ? {} : { attempts: { $ne: attempt.idSuffix } }),
      },
      {
        $set: { ...withStoredNames(set), changedAt: now },
        ...(unset.length === 0 ? {} : { $unset: Object.fromEntries(unset.map((path) => [path, ''])) }),
        $inc: { version: 1 },
        $push: {
          outbox: outboxEntry(type, now, {
            ...cause,
            before: compared,
            after: withChange(compared, set, unset),
            ...(sale === undefined ? {} : { extra: { sale } }),
          }),
          ...pushAttempts(attempt?.idSuffix),
        },
      },
      { returnDocument: 'after' },
    );
    if (document === null) return undefined;
    relay.publish(document);
    return toOrderRecord(document);
  };

  return {
    changeInTurn: changesInTurn('The order'),

    /**
     * Writes the order, of `characters` of JSON, and its events in one document. Returns `repeated` if a copy of the
     * order was written first, `number-taken` if another order of the company has the number, `void` if the id was
     * declared void before.
     */
    async insert(
      document: OrderDocument,
      characters: number,
    ): Promise<'written' | 'repeated' | 'number-taken' | 'void'> {
      // If copies are written at once, the database may reject all of them as duplicates before any of them exists.
      if (!(await retryLost(async () => write({ document, characters })))) {
        const standing = await orders.findOne({ _id: document._id }, { projection: { companyId: 1 } });
        if (standing === null) return 'number-taken';
        return standing.companyId === undefined ? 'void' : 'repeated';
      }
      relay.publish(document);
      return 'written';
    },

    async findByNumber(tenant: Tenant, orderNumber: string): Promise<OrderRecord | undefined> {
      const document = await findNumbered({ tenant, orderNumber });
      return document && (await find(tenant, document._id));
    },

    find,
    ...orderSearch(orders),
    ...orderSettlement(orders),

    /**
     * Makes a transition of the order as it is in `record`, and stores its event; undefined if it was changed since, or
     * at `now` its state does not allow the transition. The document decides every race: an order expires only from
     * `expiresAt` on, and every other transition of a pending order happens before. `callOff`: why it is cancelled.
     */
    async move(
      by: Writer & Asking,
      { id, order }: { id: string; order: Movable },
      transition: keyof typeof MOVES,
      now: Date,
      callOff?: NonNullable<Order['callOff']>,
    ): Promise<OrderRecord | undefined> {
      const { type, to } = MOVES[transition];
      const { version, status, expiresAt, cancelledAt } = order;
      return await update(
        by,
        id,
        transition === 'expire' ? overdue(now) : { status: inState(movedBy(transition)), $nor: [overdue(now)] },
        {
          type,
          set: {
            status: to,
            ...(to === 'cancelled' ? { cancelledAt: now } : {}),
            ...(callOff === undefined ? {} : { callOff }),
          },
          unset: to === 'expired' ? [] : ['expiresAt'],
          now,
          before: order,
          compared: { version, status, expiresAt, cancelledAt },
        },
      );
    },

    /**
     * Lets a pending order expire at `expiresAt`; undefined if it was changed since it was read, or its time is over at
     * `now`.
     */
    extend: async (by: Writer & Asking, { id, order }: OrderRecord, expiresAt: Date, now: Date) =>
      await update(
        by,
        id,
        { status: 'pending', $nor: [overdue(now)] },
        { type: 'order.updated', set: { expiresAt }, now, before: order },
      ),

    /**
     * Writes the reopening as the revision after that in `record`, with what it claimed; undefined if the order was
     * changed, or that revision was declared void.
     */
    async reopen(
      by: Writer & Asking,
      { id, order, ...record }: OrderRecord,
      {
        expiresAt,
        ...claimed
      }: Pick<OrderDocument, 'claims' | 'tickets' | 'coupons' | 'tableCommitmentId' | 'seats'> & { expiresAt?: Date },
      now: Date,
    ): Promise<OrderRecord | undefined> {
      const isPending = expiresAt !== undefined;
      const revision = record.revision + 1;
      return await update(
        by,
        id,
        { status: inState(movedBy('reopen')), revision: notYet(revision) },
        {
          type: 'order.reopened',
          set: {
            ...claimed,
            status: isPending ? 'pending' : 'placed',
            revision,
            reopenings: revision,
            ...(isPending ? { expiresAt, pendingSince: now } : {}),
          },
          unset: ['cancelledAt', 'callOff', ...(isPending ? [] : ['expiresAt'])],
          now,
          before: order,
        },
      );
    },

    /**
     * Writes an amendment as the revision after that in `record`; undefined if the order was changed, is over, or that
     * revision was declared void.
     */
    async amend(
      by: Writer & Asking,
      { id, order, ...record }: OrderRecord,
      fields: Partial<OrderDocument>,
      now: Date,
    ): Promise<OrderRecord | undefined> {
      const revision = record.revision + 1;
      return await update(
        by,
        id,
        { status: inState(['pending', 'placed']), revision: notYet(revision), $nor: [overdue(now)] },
        {
          type: 'order.amended',
          set: { ...fields, revision, terms: orderTerms({ ...order, ...fields }) },
          unset: fields.basis === undefined ? ['basis'] : [],
          now,
          before: order,
        },
      );
    },

    /** Sets fields of the order if it is still as in `record`; undefined if it was changed since. */
    async change(
      by: Writer,
      { order }: OrderRecord,
      set: Partial<OrderDocument>,
      now: Date,
    ): Promise<OrderRecord | undefined> {
      const found = set.customer === undefined ? {} : { terms: orderTerms({ ...order, ...set }) };
      return await update(by, order.id, {}, { type: 'order.updated', set: { ...set, ...found }, now, before: order });
    },

    /**
     * Some pending orders, of companies after `after`, whose time was over at `now`: by company, oldest first, without
     * those in `except`.
     */
    async overdue(
      now: Date,
      after: Tenant | undefined,
      except: readonly string[],
    ): Promise<{ tenant: Tenant; id: string; order: Movable }[]> {
      const companies: mongo.Document = { companyId: { $gt: after ?? '' } };
      const found = await orders
        .find<Pick<OrderDocument, '_id' | 'companyId' | 'version' | 'expiresAt' | keyof SoldOrder>>(
          {
            status: 'pending',
            expiresAt: { $lte: now },
            ...companies,
            ...(except.length === 0 ? {} : { _id: { $nin: [...except] } }),
          },
          { projection: { companyId: 1, version: 1, expiresAt: 1, status: 1, currency: 1, items: 1, costs: 1 } },
        )
        .sort({ companyId: 1, expiresAt: 1 })
        .limit(OVERDUE_TOGETHER)
        .toArray();
      return found.map(({ _id: id, companyId: tenant, expiresAt, ...order }) => ({
        tenant,
        id,
        order: { ...order, ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }) },
      }));
    },
  };
}

/** The order as the API shows it after a write. */
function withChange({ version, ...before }: Ends, set: Partial<OrderDocument>, unset: readonly string[]) {
  const {
    terms: _terms,
    basis: _basis,
    amended: _amended,
    claims: _claims,
    tickets: _tickets,
    revision: _revision,
    reopenings: _reopenings,
    tableCommitmentId: _table,
    seats: _seats,
    ...shown
  } = set;
  const gone = Object.fromEntries(unset.map((name) => [name, undefined]));
  return { ...before, ...gone, ...shown, version: version + 1 };
}

/** The filter of a pending order whose time is over. */
function overdue(now: Date): mongo.Filter<OrderDocument> {
  return { status: 'pending', expiresAt: { $lte: now } };
}
