import {
  type CalledOffOrder,
  type CalledOffOrdersQuery,
  type CallOffCounts,
  type CallOffOrdersReply,
  type CallOffOrdersRequest,
  emailKey,
  type Page,
  PlatformError,
  type Tenant,
} from '@event-commerce/contracts';
import {
  afterCursor,
  collectionOf,
  findPage,
  idFrom,
  retryOnConflict,
  toPage,
  versionConflict,
  withOwnNames,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import type { CalledOffDocument, CommerceModels, OrderDocument } from '../models.ts';
import type { AmendmentRepository } from '../orders/amendment.repository.ts';
import { refundOf, returnTickets } from '../orders/amend-order.ts';
import { currentOrder, type MoveOrderDeps } from '../orders/move-order.ts';
import { type OrderRecord, toOrderRecord } from '../orders/order-record.ts';
import { term } from '../search-terms.ts';
import { linesOf, ticketsIn } from './domain/lines-of-event.ts';

/** How many orders one request deals with, and how many of them at once. */
const PAGE = 50;
const AT_ONCE = 5;

interface Deps extends MoveOrderDeps {
  amendments: AmendmentRepository;
}

/** What became of an order. */
type Outcome = Pick<CalledOffDocument, 'state' | 'tickets' | 'toPayBack' | 'why'>;

export type CallOffOrders = ReturnType<typeof callOffOrders>;

/**
 * The orders of events that were called off. Each gets an entry before it is dealt with, because afterwards it may no
 * longer be found by its offerings. So a repeat finishes an interrupted page, and counts it once.
 */
export function callOffOrders(models: CommerceModels, deps: Deps) {
  const orders = collectionOf(models.orders);
  const entries = collectionOf(models.calledOffOrders);

  /** Deals with an order. Returns its outcome; undefined if it has nothing to do with the event. */
  const dealWith = async (
    { tenant, callOff, eventId, mode, cause }: CallOffOrdersRequest,
    orderId: string,
  ): Promise<Outcome | undefined> => {
    const amendmentId = idFrom('amd', orderId, callOff.id);
    const by = { tenant, ...cause, attempt: { idSuffix: amendmentId.slice('amd_'.length), repeated: false } };
    const dealt = await retryOnConflict(async (): Promise<{ outcome?: Outcome } | undefined> => {
      const record = await currentOrder(deps, by, orderId);
      const { order, state } = record;
      if (order.callOff?.id === callOff.id) return { outcome: cancelledOutcome(record, eventId) };
      const made = await deps.amendments.find(tenant, record, amendmentId);
      if (made !== undefined) {
        const tickets = ticketsIn(linesOf(made.before.items, eventId, order.contextId));
        const toPayBack = state === 'placed' ? Math.max(0, -made.due) : 0;
        return { outcome: { state: 'changed', tickets, toPayBack } };
      }
      const lines = linesOf(order.items, eventId, order.contextId);
      if (mode === 'stop' || lines.length === 0 || (state !== 'pending' && state !== 'placed')) return {};
      const tickets = ticketsIn(lines);
      const all = lines.length === order.items.length;
      const cancelled = { ...callOff, eventId, stateBefore: state };
      if (mode === 'cancel' && all) {
        const over = await deps.orders.move(by, record, 'cancel', deps.clock(), cancelled);
        return over && { outcome: cancelledOutcome(over, eventId) };
      }
      if (mode === 'cancel' && record.pendingAmendment !== undefined) {
        // The buyer has not paid for it. Decide again about what is left of the order.
        await deps.orders.endAmendment({ tenant, ...cause }, record, 'cancelled', deps.clock());
        return undefined;
      }
      const lineIds = lines.map(({ lineId }) => lineId);
      try {
        const refund = all ? order.costs.total : refundOf(record, lineIds);
        const toPayBack = state === 'placed' ? Math.max(0, refund) : 0;
        if (mode === 'list') return { outcome: { state: 'listed', tickets, toPayBack } };
        const changed = await returnTickets(deps, by, record, lineIds, { ...callOff, eventId });
        return changed && { outcome: { state: 'changed', tickets, toPayBack } };
      } catch (error) {
        if (!(error instanceof PlatformError) || error.statusCode >= 500) throw error;
        return { outcome: { state: mode === 'list' ? 'listed' : 'by-hand', tickets, why: error.message } };
      }
    }, versionConflict('The order'));
    return dealt.outcome;
  };

  const counted = async (filter: mongo.Filter<CalledOffDocument>): Promise<CallOffCounts> => {
    const inState = (state: CalledOffDocument['state']) => ({ $sum: { $cond: [{ $eq: ['$state', state] }, 1, 0] } });
    const found = await entries
      .aggregate<{ _id: string; toPayBack: number } & Record<Exclude<keyof CallOffCounts, 'toPayBack'>, number>>([
        { $match: filter },
        {
          $group: {
            _id: '$currency',
            orders: { $sum: 1 },
            cancelled: inState('cancelled'),
            changed: inState('changed'),
            byHand: inState('by-hand'),
            listed: inState('listed'),
            tickets: { $sum: '$tickets' },
            toPayBack: { $sum: '$toPayBack' },
          },
        },
      ])
      .toArray();
    const sum = (count: Exclude<keyof CallOffCounts, 'toPayBack'>) => found.reduce((all, one) => all + one[count], 0);
    return {
      orders: sum('orders'),
      cancelled: sum('cancelled'),
      changed: sum('changed'),
      byHand: sum('byHand'),
      listed: sum('listed'),
      tickets: sum('tickets'),
      toPayBack: found.map(({ _id: currency, toPayBack: amount }) => ({ amount, currency })),
    };
  };

  /** How many addresses the orders of a call-off have, each counted once. */
  const addressesOf = async (tenant: Tenant, callOffId: string): Promise<number> => {
    const found = new Set<string>();
    const ids: string[] = [];
    const count = async () => {
      const some = { _id: { $in: ids.splice(0) }, companyId: tenant };
      for await (const { customer } of orders.find(some, { projection: { 'customer.email': 1 } })) {
        found.add(emailKey(customer.email));
      }
    };
    const all = entries.find({ companyId: tenant, callOffId }, { projection: { orderId: 1 } });
    for await (const { orderId } of all) {
      ids.push(orderId);
      if (ids.length === READ_AT_ONCE) await count();
    }
    if (ids.length > 0) await count();
    return found.size;
  };

  return {
    /** Deals with one page of the orders of an event. Safe to repeat. */
    async dealWithPage(request: CallOffOrdersRequest): Promise<CallOffOrdersReply> {
      const { tenant, callOff, eventId, offeringIds, mode, place } = request;
      const page =
        mode === 'stop'
          ? []
          : await orders
              .find({ companyId: tenant, terms: { $in: offeringIds.map(term.offering) }, _id: { $gt: place } })
              .sort({ _id: 1 })
              .limit(PAGE)
              .toArray();
      const last = page.length < PAGE ? undefined : page.at(-1)?._id;
      const ofPage = {
        companyId: tenant,
        callOffId: callOff.id,
        orderId: { $gt: place, ...(last === undefined ? {} : { $lte: last }) },
      };
      const concerned = page.filter((order) => isConcerned(toOrderRecord(order), callOff.id, eventId));
      if (concerned.length > 0) {
        await entries.bulkWrite(
          concerned.map((order) => ({
            updateOne: {
              filter: { _id: `${callOff.id}/${order._id}` },
              update: { $setOnInsert: newEntry(order, callOff.id, deps.clock()) },
              upsert: true,
            },
          })),
          { ordered: false },
        );
      }
      const waiting = await entries.find({ ...ofPage, state: 'waiting' }, { projection: { orderId: 1 } }).toArray();
      for (let from = 0; from < waiting.length; from += AT_ONCE) {
        await Promise.all(
          waiting.slice(from, from + AT_ONCE).map(async ({ _id, orderId }) => {
            const outcome = await dealWith(request, orderId);
            if (outcome === undefined) await entries.deleteOne({ _id, state: 'waiting' });
            else await entries.updateOne({ _id, state: 'waiting' }, { $set: outcome });
          }),
        );
      }
      const counts = await counted(ofPage);
      return last === undefined ? { counts, emails: await addressesOf(tenant, callOff.id) } : { counts, next: last };
    },

    /** One page of the orders that a call-off has dealt with, newest first, as they are now. */
    async page(tenant: Tenant, callOffId: string, query: CalledOffOrdersQuery): Promise<Page<CalledOffOrder>> {
      const list = `call-off ${callOffId}`;
      const after = afterCursor(query, list);
      const filter = {
        companyId: tenant,
        callOffId,
        state: query.state ?? { $ne: 'waiting' as const },
        // The ids of its entries begin with its own and a slash, which comes before a zero.
        _id: { $gt: `${callOffId}/`, $lt: after ?? `${callOffId}0` },
      };
      const found = await findPage<CalledOffDocument>(entries, undefined, filter, query);
      const ids = found.documents.map(({ orderId }) => orderId);
      const projection = { orderNumber: 1, customer: 1, status: 1 };
      const theirs = await orders.find({ _id: { $in: ids }, companyId: tenant }, { projection }).toArray();
      const byId = new Map(theirs.map((order) => [order._id, order]));
      return toPage(found, query, list, (entry) => shown(entry, byId.get(entry.orderId)));
    },
  };
}

const READ_AT_ONCE = 1_000;
const KEPT_MS = 366 * 24 * 60 * 60 * 1_000;

/** Whether an order has tickets of the event, or had them until it was called off. */
function isConcerned({ order, state }: OrderRecord, callOffId: string, eventId: string): boolean {
  if (order.callOff?.id === callOffId) return true;
  const stands = state === 'pending' || state === 'placed';
  return stands && linesOf(order.items, eventId, order.contextId).length > 0;
}

function newEntry({ _id: orderId, companyId, currency }: OrderDocument, callOffId: string, now: Date) {
  return {
    companyId,
    callOffId,
    orderId,
    state: 'waiting' as const,
    tickets: 0,
    currency,
    purgeAt: new Date(now.getTime() + KEPT_MS),
  };
}

function cancelledOutcome({ order }: OrderRecord, eventId: string): Outcome {
  const toPayBack = order.callOff?.stateBefore === 'placed' ? order.costs.total : 0;
  return { state: 'cancelled', tickets: ticketsIn(linesOf(order.items, eventId, order.contextId)), toPayBack };
}

function shown(
  { orderId, state, tickets, currency, toPayBack, why }: CalledOffDocument,
  order: Pick<OrderDocument, 'orderNumber' | 'customer' | 'status'> | undefined,
): CalledOffOrder {
  if (order === undefined) throw new Error(`order ${orderId} of a call-off is gone`);
  if (state === 'waiting') throw new TypeError(`order ${orderId} is not dealt with yet`);
  const { email, firstName, lastName } = withOwnNames(order.customer);
  return {
    orderId,
    orderNumber: order.orderNumber,
    email,
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    tickets,
    currency,
    ...(toPayBack === undefined ? {} : { toPayBack }),
    state,
    ...(why === undefined ? {} : { why }),
    orderStatus: order.status,
  };
}
