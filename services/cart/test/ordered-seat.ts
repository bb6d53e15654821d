import { randomUUID } from 'node:crypto';
import { type ReceivedEvent, tenantOf } from '@event-commerce/contracts';
import { newCompanyId } from '@event-commerce/test-kit';
import type { Orders } from '../src/orders.ts';
import type { PricedCart } from '../src/sessions/domain/cart.ts';
import { followOrder } from '../src/sessions/follow-order.ts';
import { toTableCommitment } from '../src/tables/table-record.ts';
import { finishLeave } from '../src/tables/leave-table.ts';
import { createJoinTable } from '../src/tables/join-table.ts';
import { dyingAt } from './dying.ts';
import { type openStores, standingOrder } from './session-world.ts';

const summary = { subtotal: 0, modifiers: 0, total: 0, currency: 'EUR', clampedAtZero: false };
const priced: PricedCart = { items: [], couponResults: [], perOrderModifiers: [], summary };

/** A session with a seat at a table with one seat, and an order that was placed for it without cart hearing of it. */
export async function orderedSeat({ models, sessions, tables, sessionOrders }: ReturnType<typeof openStores>) {
  const companyId = newCompanyId();
  const tenant = tenantOf({ companyId, environment: 'live' });
  const caller = { tenant, companyId, keyId: 'key', requestId: 'r', identityToken: '', traceparent: undefined };
  const [tableId, sessionId, orderId] = ['table', 'session', `ord_${randomUUID()}`];
  const clock = () => new Date();
  const orders: Orders = {
    shown: async () => ({
      standing: new Map(stands ? [[orderId, standingOrder()]] : []),
      over: new Map(stands ? [] : [[orderId, 0]]),
    }),
    became: async () => (stands ? standingOrder() : 'over'),
    settle: async () => (stands ? 'placed' : 'cancelled'),
  };
  const base = { tables, sessions, sessionOrders, clock, orders };
  let stands = true;
  await tables.create({ tenant }, { id: tableId }, { contextId: 'evt_1', seats: 1 }, clock());
  const now = clock();
  await sessions.save(caller, sessionId, undefined, {
    cart: { lines: [], coupons: [] },
    priced,
    version: 1,
    createdAt: now,
    now,
  });
  const join = createJoinTable(base);
  await join({ caller, sessionId, tableId, ifMatch: undefined });
  const order = { orderId, reopening: 0 };
  const stored = async () => await models.sessions.collection.findOne({ sessionId, companyId });
  /** Releases every seat that the session gave up until it was read, as the events do. */
  const followLeaves = async (session: Awaited<ReturnType<typeof stored>>) => {
    for (const { type, extra } of session?.['outbox'] ?? []) {
      const event = { tenant, data: { id: sessionId, left: extra } };
      if (type === 'cart.table_left') await finishLeave(base, event as unknown as ReceivedEvent<'cart.table_left'>);
    }
  };
  await sessionOrders.reserve(tenant, { sessionId }, order, clock());
  return {
    companyId,
    tenant,
    sessionId,
    orderId,
    deps: base,
    cancel: () => void (stands = false),
    followLeaves: async () => await followLeaves(await stored()),
    /** Deletes the session as the database does after it expired, unless it must not: days after its last event. */
    expire: async () => {
      const session = await stored();
      await followLeaves(session);
      // A session that changed meanwhile is not deleted: its last event is new.
      await models.sessions.collection.deleteOne({
        sessionId,
        companyId,
        version: session?.['version'],
        purgeAt: { $exists: true },
      });
    },
    /** Creates another session with the same id, which joins the table if it is not full. */
    liveAgain: async () => {
      const createdAt = new Date(now.getTime() + 1);
      const again = { cart: { lines: [], coupons: [] }, priced, version: 9, createdAt, now: clock() };
      await sessions.save(caller, sessionId, await sessions.load(tenant, sessionId), again);
      await join({ caller, sessionId, tableId, ifMatch: undefined }).catch(() => undefined);
    },
    /** Delivers an event; the process dies at the `diesAt`th use of the database, if there are that many. */
    deliver: async (type: 'order.placed' | 'order.cancelled', diesAt = Infinity) => {
      const dying = dyingAt(diesAt);
      const state = type === 'order.placed' ? 'placed' : 'cancelled';
      await followOrder(
        { ...base, tables: dying(tables), sessions: dying(sessions), sessionOrders: dying(sessionOrders) },
        {
          type,
          tenant,
          // A repeated event has the content with which it was first published.
          data: { id: orderId, state, reopenings: 0, cartSessionId: sessionId },
        } as unknown as ReceivedEvent<'order.placed' | 'order.cancelled'>,
      );
    },
    state: async () => {
      const table = await tables.load(tenant, tableId);
      const session = await sessions.load(tenant, sessionId);
      const [seat] = table?.joined ?? [];
      return {
        seatsTaken: table?.seatsTaken,
        status: table?.status,
        holder: seat === undefined ? 'nobody' : 'boughtBy' in seat ? 'order' : 'session',
        spent: table && toTableCommitment(table).spent,
        sessionSaysSo: session?.tableCommitmentId === tableId,
      };
    },
  };
}
