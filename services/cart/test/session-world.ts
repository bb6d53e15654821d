import {
  type CheckoutReply,
  type OrderOutcome,
  type OrderState,
  PlatformError,
  type ReceivedEvent,
  tenantOf,
} from '@event-commerce/contracts';
import { noQuotas } from '@event-commerce/service-kit';
import { newCompanyId } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Orders } from '../src/orders.ts';
import type { CartModels } from '../src/models.ts';
import { sessionOrders } from '../src/sessions/session-orders.ts';
import { sessionRepository } from '../src/sessions/session.repository.ts';
import { tableRepository } from '../src/tables/table.repository.ts';
import type { PriceDeps } from '../src/sessions/price-session.ts';
import { checkOut } from '../src/sessions/check-out.ts';
import { followOrder, settleReservation, withOrderFollowed } from '../src/sessions/follow-order.ts';
import { releaseReservation } from '../src/sessions/release-reservation.ts';
import { createJoinTable, finishJoin } from '../src/tables/join-table.ts';
import { lapseSeat } from '../src/tables/lapse-seats.ts';
import { finishLeave, leaveTable } from '../src/tables/leave-table.ts';
import { dyingAt } from './dying.ts';

const relay = { publish: () => {}, stop: async () => {} };
const clock = () => new Date();

/** The stores as used by a replica that ends before it publishes anything. */
export function openStores(models: CartModels) {
  return {
    models,
    sessions: sessionRepository(models, relay, { idleMs: 60_000, seatHoldMs: 60_000 }, noQuotas),
    tables: tableRepository(models, relay, noQuotas),
    sessionOrders: sessionOrders(models, relay, 60_000),
  };
}

interface StoredOrder {
  id: string;
  state: OrderState | 'void' | undefined;
  reopenings: number;
  /** The table that it got when it was placed or last reopened. */
  table: string | undefined;
}

type Snapshot = Pick<StoredOrder, 'id' | 'reopenings'> & { state: OrderState };

const summary = { subtotal: 0, modifiers: 0, total: 0, currency: 'EUR', clampedAtZero: false };
/** A pending or placed order, as commerce returns it. */
export const standingOrder = () => ({
  total: { amount: 900, currency: 'EUR' },
  price: { ...unpriced, pricedAt: '2027-01-01T00:00:00.000Z' },
});

export const unpriced = { items: [], couponResults: [], perOrderModifiers: [], summary };

/** An empty session, and a table with one seat. */
export async function newSessionAndTable({
  sessions,
  tables,
}: Pick<ReturnType<typeof openStores>, 'sessions' | 'tables'>) {
  const companyId = newCompanyId();
  const tenant = tenantOf({ companyId, environment: 'live' });
  const caller = { tenant, companyId, keyId: 'key', requestId: 'r', identityToken: '', traceparent: undefined };
  const [sessionId, tableId] = ['session', 'table'];
  const now = clock();
  await tables.create({ tenant }, { id: tableId }, { contextId: 'evt_1', seats: 1 }, now);
  const cart = { lines: [], coupons: [] };
  await sessions.save(caller, sessionId, undefined, { cart, priced: unpriced, version: 1, createdAt: now, now });
  return { companyId, tenant, caller, sessionId, tableId };
}

/**
 * A session, a table with one seat, and a commerce service with two orders of the session. It only promises that each
 * write is atomic.
 */
export async function newWorld(stores: ReturnType<typeof openStores>) {
  const { sessions, tables } = stores;
  const { companyId, tenant, caller, sessionId, tableId } = await newSessionAndTable(stores);

  const placed: StoredOrder[] = ['a', 'b'].map((name) => ({
    id: `ord_${name}_${companyId}`,
    state: undefined,
    reopenings: 0,
    table: undefined,
  }));
  const told: Snapshot[] = [];
  const isStanding = ({ state }: StoredOrder) => state === 'placed' || state === 'pending';
  const become = (order: StoredOrder, state: OrderState) => {
    order.state = state;
    expect(placed.filter(isStanding).length, 'orders of one session that stand').toBeLessThanOrEqual(1);
    told.push({ id: order.id, state, reopenings: order.reopenings });
  };
  const orders: Orders = {
    shown: async (ids) => {
      const some = placed.filter(({ id }) => ids.includes(id));
      const over = some.filter(({ state }) => state === 'cancelled' || state === 'expired');
      return {
        standing: new Map(some.filter(isStanding).map(({ id }) => [id, standingOrder()])),
        over: new Map(over.map(({ id, reopenings }) => [id, reopenings])),
      };
    },
    became: async ({ orderId, reopening }) => {
      const order = placed.find(({ id }) => id === orderId);
      if (order === undefined) return undefined;
      if (isStanding(order)) return standingOrder();
      const { state, reopenings } = order;
      return (state === 'cancelled' || state === 'expired') && reopenings >= reopening ? 'over' : undefined;
    },
    settle: async (id, reopening): Promise<OrderOutcome> => {
      const order = placed.find((one) => one.id === id);
      if (order === undefined) return 'void';
      order.reopenings = Math.max(order.reopenings, reopening);
      return (order.state ??= 'void');
    },
  };
  // Nothing here is priced.
  const unused = { catalogue: { find: async () => new Map() }, pricing: {} } as unknown as PriceDeps;
  /** Dies at its `diesAt`th use of the database, if there are that many. */
  const deps = (diesAt = Infinity) => {
    const dying = dyingAt(diesAt);
    const { sessions: some, tables: other, sessionOrders: more } = stores;
    const repositories = { sessions: dying(some), tables: dying(other), sessionOrders: dying(more) };
    return { ...unused, ...repositories, orders, defaultCurrency: 'EUR', clock };
  };

  /** How many attempts at an order, or at one of its reopenings, have not failed: see commerce's `orderNumbers`. */
  const underWay = new Map<string, number>();

  /** Orders as commerce does: reserves the session, then writes or leaves. `isKilled`: commerce dies in between. */
  const claim = async (
    order: StoredOrder,
    reopening: number,
    isKilled: boolean,
    diesAt: number,
    write: () => 'written' | 'repeated' | 'void',
  ) => {
    const { id: orderId, table } = order;
    const again = reopening === 0 ? {} : { reopening, ...(table === undefined ? {} : { tableCommitmentId: table }) };
    const mortal = deps(diesAt);
    const number = `${orderId} ${reopening}`;
    underWay.set(number, (underWay.get(number) ?? 0) + 1);
    const release = async () => releaseReservation({ ...stores, clock }, tenant, { sessionId, orderId, reopening });
    const leave = async () => {
      const left = (underWay.get(number) ?? 0) - 1;
      underWay.set(number, left);
      if (left > 0) return;
      order.reopenings = Math.max(order.reopenings, reopening);
      await release();
    };
    let reply: CheckoutReply;
    try {
      reply = await withOrderFollowed(mortal, caller, sessionId, async () =>
        checkOut(mortal, caller, { sessionId, orderId, ...again }),
      );
    } catch (error) {
      if (error instanceof PlatformError && error.statusCode < 500) await leave();
      throw error;
    }
    if (isKilled) return;
    if ('refusal' in reply) return await leave();
    const outcome = write();
    if (outcome === 'void') await release();
    else if (outcome === 'written') order.table = reply.tableCommitmentId;
  };

  return {
    told,
    place: async (which: number, isKilled: boolean, diesAt: number) => {
      const order = placed[which] as StoredOrder;
      if (order.state !== undefined) return;
      await claim(order, 0, isKilled, diesAt, () => {
        if (order.state !== undefined) return order.state === 'void' ? 'void' : 'repeated';
        become(order, 'pending');
        return 'written';
      });
    },
    reopen: async (which: number, isKilled: boolean, diesAt: number) => {
      const order = placed[which] as StoredOrder;
      if (isStanding(order)) become(order, 'cancelled');
      if (order.state !== 'cancelled' && order.state !== 'expired') return;
      const reopening = order.reopenings + 1;
      await claim(order, reopening, isKilled, diesAt, () => {
        if (order.reopenings >= reopening) {
          return order.reopenings === reopening && isStanding(order) ? 'repeated' : 'void';
        }
        order.reopenings = reopening;
        become(order, 'placed');
        return 'written';
      });
    },
    end: (which: number, state: 'cancelled' | 'expired') => {
      const order = placed[which] as StoredOrder;
      if (isStanding(order)) become(order, state);
    },
    deliver: async ({ id, state, reopenings }: Snapshot, diesAt = Infinity) => {
      const data = {
        id,
        companyId,
        orderNumber: 'N-1',
        version: 1,
        customer: {},
        claims: [],
        cartSessionId: sessionId,
      };
      const event = { type: `order.${state}`, tenant, data: { ...data, state, reopenings } };
      await followOrder(deps(diesAt), event as unknown as ReceivedEvent<'order.placed'>);
    },
    join: async (diesAt: number) => {
      await createJoinTable(deps(diesAt))({ caller, sessionId, tableId, ifMatch: undefined });
    },
    leave: async (diesAt: number) => {
      await leaveTable(deps(diesAt), { caller, sessionId, ifMatch: undefined });
    },
    lapse: async (diesAt: number) => {
      const session = await sessions.load(tenant, sessionId);
      if (session !== undefined) await lapseSeat(deps(diesAt), session);
    },
    sweep: async (diesAt = Infinity) => {
      const { checkout } = (await sessions.load(tenant, sessionId)) ?? {};
      if (checkout === undefined) return;
      const { orderId, reopening } = checkout;
      await settleReservation(deps(diesAt), { id: '', companyId: tenant, sessionId, orderId, reopening });
    },
    /** Handles every join and leave that was written, as their events do: late, and in any order. */
    followSeats: async (isReversed: boolean) => {
      const ofSession = await stores.models.sessions.collection.findOne({ _id: `${companyId}/${sessionId}` } as never);
      const ofTable = await stores.models.tables.collection.findOne({ _id: `${companyId}/${tableId}` } as never);
      const entries = [...(ofSession?.['outbox'] ?? []), ...(ofTable?.['outbox'] ?? [])].map(
        ({ type, extra }) =>
          async () => {
            if (type === 'cart.table_joined') {
              const data = { id: tableId, contextId: 'evt_1', session: extra };
              await finishJoin(deps(), { tenant, data } as unknown as ReceivedEvent<'cart.table_joined'>);
            } else if (type === 'cart.table_left') {
              const data = { id: sessionId, left: extra };
              await finishLeave(deps(), { tenant, data } as unknown as ReceivedEvent<'cart.table_left'>);
            }
          },
      );
      for (const follow of isReversed ? entries.toReversed() : entries) await follow();
    },
    state: async () => {
      const session = await sessions.load(tenant, sessionId);
      const table = await tables.load(tenant, tableId);
      const seats = (table?.joined ?? []).map((seat) => seat.sessionId);
      const standing = placed.find(isStanding);
      const joined = session?.tableCommitmentId;
      return {
        is: {
          reserved: session?.checkout?.orderId,
          ordered: session?.ordered?.orderId,
          // Not before it expires: an order that cart hears of late must find its session.
          isDeletedInTime: session?.purgeAt && session.purgeAt >= session.expiresAt,
          seats,
          seatsTaken: table?.seatsTaken,
          status: table?.status,
          toldOrder: standing?.table,
        },
        expected: {
          reserved: undefined,
          ordered: standing?.id,
          isDeletedInTime: joined === undefined || standing !== undefined ? true : undefined,
          seats: joined === undefined ? [] : [standing === undefined ? sessionId : `order/${standing.id}`],
          seatsTaken: joined === undefined ? 0 : 1,
          status: joined === undefined ? 'open' : 'full',
          // An order has the seat that it got when it was placed, and no other.
          toldOrder: standing === undefined ? undefined : joined,
        },
      };
    },
  };
}

export type World = Awaited<ReturnType<typeof newWorld>>;
