import type { AmendmentWithBefore, Order, Tenant } from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import {
  type Asking,
  batched,
  changeDocuments,
  changesInTurn,
  collectionOf,
  insertEach,
  pushAttempts,
  readDocuments,
  retryLost,
  withStoredNames,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { withoutHeld } from './domain/kept-claims.ts';
import { movedBy } from './domain/order-life.ts';
import { saleOf, type SoldOrder } from './domain/order-sale.ts';
import { orderTerms } from '../search-terms.ts';
import type { AmendedFields, CommerceModels, OrderDocument, OrderEventType } from '../models.ts';
import { type OrderRecord, shownPending, toOrderRecord } from './order-record.ts';
import { orderSearch } from './order-search.ts';
import { inState, notYet, orderSettlement } from './order-settlement.ts';

/** An order with more characters is written alone, so that no other one waits for it. */
const WRITTEN_TOGETHER_MAX = 64 * 1024;
/** Few, because each may be as large as a document. */
const OVERDUE_TOGETHER = 16;
const READ_TOGETHER = 20;

export type OrderRepository = ReturnType<typeof orderRepository>;

/** The members of an order that transitions change, as the API shows them. */
type Movable = Pick<Order, 'version'> &
  SoldOrder & { [name in 'expiresAt' | 'cancelledAt' | 'pendingAmendment']?: Order[name] | undefined };
/** The members that say when it ends. */
type Ends = Pick<Movable, 'version' | 'status' | 'expiresAt' | 'cancelledAt' | 'pendingAmendment'>;

/** An order whose time is over. */
interface OverdueOrder {
  tenant: Tenant;
  id: string;
  order: Movable;
}

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

  const read = readDocuments(orders, { projection: {}, together: READ_TOGETHER });
  const find = async (tenant: Tenant, id: string): Promise<OrderRecord | undefined> => {
    const document = await read(id);
    return document?.companyId === tenant ? toOrderRecord(document) : undefined;
  };

  const changeTogether = changeDocuments(orders);

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
      isRepeatable = false,
    }: {
      type: OrderEventType;
      set: Partial<OrderDocument>;
      unset?: string[];
      now: Date;
      /** The order that it changes. */
      before: Movable;
      /** The members that it may change, if others need not be compared. */
      compared?: Ends;
      /**
       * Whether the caller, who takes undefined for a change by others, may find this change made: then it shares its
       * write with concurrent ones, and one in thousands may not recognise itself.
       */
      isRepeatable?: boolean;
    },
  ): Promise<OrderRecord | undefined> => {
    const sale = saleOf(before, { ...before, ...set });
    const where = {
      ...filter,
      companyId: tenant,
      version: before.version,
      ...(attempt === undefined ? {} : { attempts: { $ne: attempt.idSuffix } }),
    };
    const entry = outboxEntry(type, now, {
      ...cause,
      before: compared,
      after: withChange(compared, set, unset),
      ...(sale === undefined ? {} : { extra: { sale } }),
    });
    const change: mongo.UpdateFilter<OrderDocument> = {
      $set: { ...withStoredNames(set), changedAt: now },
      ...(unset.length === 0 ? {} : { $unset: Object.fromEntries(unset.map((path) => [path, ''])) }),
      $inc: { version: 1 },
      $push: { outbox: entry, ...pushAttempts(attempt?.idSuffix) },
    };
    const document = isRepeatable
      ? await changeTogether({
          id,
          where,
          update: change,
          isMadeIn: ({ version, outbox }) =>
            version === before.version + 1 && (outbox ?? []).some(({ id: entryId }) => entryId === entry.id),
        })
      : await orders.findOneAndUpdate({ ...where, _id: id }, change, { returnDocument: 'after' });
    if (document === null || document === undefined) return undefined;
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
     * Confirms or cancels the order as it is in `record`, and stores its event; undefined if it was changed since, or
     * its state does not allow that at `now`. The document decides every race: an order expires only from `expiresAt`
     * on, and every other transition of a pending order happens before. Cancelling an order ends its pending amendment.
     * `callOff`: why it is cancelled.
     */
    async move(
      by: Writer & Asking,
      record: OrderRecord,
      transition: 'confirm' | 'cancel',
      now: Date,
      callOff?: NonNullable<Order['callOff']>,
    ): Promise<OrderRecord | undefined> {
      const isCancelled = transition === 'cancel';
      return await update(
        by,
        record.id,
        { status: inState(movedBy(transition)), $nor: [overdue(now)] },
        {
          type: isCancelled ? 'order.cancelled' : 'order.confirmed',
          set: isCancelled
            ? {
                status: 'cancelled',
                cancelledAt: now,
                ...withoutPending(record, 'cancelled'),
                ...(callOff === undefined ? {} : { callOff }),
              }
            : { status: 'placed' },
          unset: ['expiresAt', ...(isCancelled ? ['pendingAmendment'] : [])],
          now,
          before: record.order,
          compared: endsOf(record.order),
          isRepeatable: true,
        },
      );
    },

    /** Expires a pending order; undefined if it was changed since it was read, or its time is not over at `now`. */
    async expire(
      by: Writer,
      { id, order }: { id: string; order: Movable },
      now: Date,
    ): Promise<OrderRecord | undefined> {
      return await update(by, id, overdue(now), {
        type: 'order.expired',
        set: { status: 'expired' },
        now,
        before: order,
        compared: endsOf(order),
        isRepeatable: true,
      });
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
      fields: AmendedFields & Pick<OrderDocument, 'amended' | 'amendments'>,
      now: Date,
    ): Promise<OrderRecord | undefined> {
      const revision = record.revision + 1;
      return await update(
        by,
        id,
        { status: inState(['pending', 'placed']), revision: notYet(revision), $nor: [overdue(now)] },
        { type: 'order.amended', ...withTerms(order, { ...fields, revision }), now, before: order },
      );
    },

    /**
     * Writes a pending amendment of a placed order as the revision after that in `record`, with what it holds;
     * undefined as for `amend`.
     */
    async holdAmendment(
      by: Writer & Asking,
      { id, order, ...record }: OrderRecord,
      fields: Pick<OrderDocument, 'claims' | 'tickets' | 'amended' | 'amendments' | 'pendingAmendment'>,
      now: Date,
    ): Promise<OrderRecord | undefined> {
      const revision = record.revision + 1;
      return await update(
        by,
        id,
        { status: inState(['placed']), revision: notYet(revision) },
        { type: 'order.amendment_pending', set: { ...fields, revision }, now, before: order },
      );
    },

    /** Applies the pending amendment of an order; undefined if the order was changed, or its time is over at `now`. */
    async applyAmendment(
      by: Writer & Asking,
      { id, order, pendingAmendment }: OrderRecord,
      now: Date,
    ): Promise<OrderRecord | undefined> {
      if (pendingAmendment === undefined) return undefined;
      const { fields, amendment } = pendingAmendment;
      const last: AmendmentWithBefore = { ...amendment, state: 'applied', orderVersion: order.version + 1 };
      const { set, unset } = withTerms(order, { ...fields, amended: { ...fields.amended, last } });
      return await update(
        by,
        id,
        { 'pendingAmendment.expiresAt': { $gt: now } },
        { type: 'order.amended', set, unset: [...unset, 'pendingAmendment'], now, before: order },
      );
    },

    /**
     * Ends the pending amendment of an order without effect: what it holds is released. Undefined if the order was
     * changed, or `now` is too early to expire it, or too late to cancel it.
     */
    async endAmendment(
      by: Writer & Asking,
      record: OrderRecord,
      as: 'expired' | 'cancelled',
      now: Date,
    ): Promise<OrderRecord | undefined> {
      return await update(
        by,
        record.id,
        { 'pendingAmendment.expiresAt': as === 'expired' ? { $lte: now } : { $gt: now } },
        {
          type: 'order.amendment_ended',
          set: withoutPending(record, as),
          unset: ['pendingAmendment'],
          now,
          before: record.order,
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
    async overdue(now: Date, after: Tenant | undefined, except: readonly string[]): Promise<OverdueOrder[]> {
      const found = await orders
        .find<Pick<OrderDocument, '_id' | 'companyId' | 'version' | 'expiresAt' | keyof SoldOrder>>(
          { ...overdue(now), ...turnOf(after, except) },
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

    /** Like `overdue`, for orders whose pending amendment was to be confirmed by then. */
    async withOverdueAmendment(
      now: Date,
      after: Tenant | undefined,
      except: readonly string[],
    ): Promise<(OrderRecord & { tenant: Tenant })[]> {
      const found = await orders
        .find({ 'pendingAmendment.expiresAt': { $exists: true, $lte: now }, ...turnOf(after, except) })
        .sort({ companyId: 1, 'pendingAmendment.expiresAt': 1 })
        .limit(OVERDUE_TOGETHER)
        .toArray();
      return found.map((document) => ({ tenant: document.companyId, ...toOrderRecord(document) }));
    },
  };
}

function endsOf({ version, status, expiresAt, cancelledAt, pendingAmendment }: Movable): Ends {
  return { version, status, expiresAt, cancelledAt, pendingAmendment };
}

/** The order as the API shows it after a write. */
function withChange({ version, ...before }: Ends, set: Partial<OrderDocument>, unset: readonly string[]) {
  const {
    terms: _terms,
    basis: _basis,
    amended,
    pendingAmendment,
    claims: _claims,
    tickets: _tickets,
    revision: _revision,
    reopenings: _reopenings,
    tableCommitmentId: _table,
    seats: _seats,
    ...shown
  } = set;
  const gone = Object.fromEntries(unset.map((name) => [name, undefined]));
  return { ...before, ...gone, ...shown, ...shownPending({ amended, pendingAmendment }), version: version + 1 };
}

/** `fields` of an amended order with its search terms. Unsets its basis if it has none now. */
function withTerms<Fields extends AmendedFields>(order: Order, fields: Fields) {
  const terms = orderTerms({ ...order, ...fields });
  return { set: { ...fields, terms }, unset: fields.basis === undefined ? ['basis'] : [] };
}

/** What to write when an order's pending amendment ends. */
function withoutPending(
  { claims, tickets, amended, pendingAmendment }: OrderRecord,
  as: 'expired' | 'cancelled',
): Partial<OrderDocument> {
  if (pendingAmendment === undefined) return {};
  const { amendment } = pendingAmendment;
  return {
    claims: withoutHeld(claims),
    tickets: withoutHeld(tickets),
    amended: { ...amended, last: { ...amendment, state: as } },
  };
}

/** The filter of a sweep's next orders: of companies after `after`, without those in `except`. */
function turnOf(after: Tenant | undefined, except: readonly string[]): mongo.Filter<OrderDocument> {
  const companies: mongo.Document = { companyId: { $gt: after ?? '' } };
  return { ...companies, ...(except.length === 0 ? {} : { _id: { $nin: [...except] } }) };
}

/** The filter of a pending order whose time is over. */
function overdue(now: Date): mongo.Filter<OrderDocument> {
  return { status: 'pending', expiresAt: { $lte: now } };
}
