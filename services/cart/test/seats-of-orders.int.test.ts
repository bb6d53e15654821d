import { randomUUID } from 'node:crypto';
import { type ReceivedEvent, tenantOf } from '@event-commerce/contracts';
import { noQuotas } from '@event-commerce/service-kit';
import { newCompanyId, newDatabase } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Orders } from '../src/orders.ts';
import type { PricedCart } from '../src/domain/cart.ts';
import { type CartModels, cartModels } from '../src/store/models.ts';
import { type SessionOrders, sessionOrders } from '../src/store/session-orders.ts';
import { type SessionRepository, sessionRepository } from '../src/store/session.repository.ts';
import { type TableRepository, tableRepository } from '../src/store/table.repository.ts';
import { followOrder } from '../src/use-cases/follow-order.ts';
import { toTableCommitment } from '../src/store/table-record.ts';
import { createJoinTable } from '../src/use-cases/join-table.ts';
import { repairSeats } from '../src/use-cases/repair-seats.ts';
import { retireSession } from '../src/use-cases/retire-session.ts';
import { dyingAt } from './dying.ts';

const relay = { publish: () => {}, stop: async () => {} };
const summary = { subtotal: 0, modifiers: 0, total: 0, currency: 'EUR', clampedAtZero: false };
const priced: PricedCart = { items: [], couponResults: [], perOrderModifiers: [], summary };

let models: CartModels;
let tables: TableRepository;
let sessions: SessionRepository;
let ofOrders: SessionOrders;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = cartModels(connection);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  tables = tableRepository(models, relay, noQuotas);
  sessions = sessionRepository(models, relay, 60_000, noQuotas);
  ofOrders = sessionOrders(models, relay, 60_000);
  return drop;
});

/** A session with a seat at a table with one seat, and an order that was placed for it. */
async function orderedSeat() {
  const companyId = newCompanyId();
  const tenant = tenantOf({ companyId, environment: 'live' });
  const caller = { tenant, companyId, keyId: 'key', requestId: 'r', identityToken: '', traceparent: undefined };
  const [tableId, sessionId, orderId] = ['table', 'session', `ord_${randomUUID()}`];
  const clock = () => new Date();
  const orders: Orders = {
    standing: async () => new Map(stands ? [[orderId, { amount: 900, currency: 'EUR' }]] : []),
    became: async () => (stands ? 'standing' : 'over'),
    settle: async () => (stands ? 'placed' : 'cancelled'),
  };
  const base = { tables, sessions, sessionOrders: ofOrders, clock, orders };
  let stands = true;
  await tables.create(tenant, { id: tableId }, { contextId: 'evt_1', seats: 1 }, clock());
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
  await ofOrders.reserve(tenant, { sessionId }, { ...order, key: 'k', content: 'c', attempt: 'a' }, clock());
  await ofOrders.order(caller, sessionId, order, clock());
  return {
    companyId,
    tenant,
    sessionId,
    orderId,
    deps: base,
    cancel: () => void (stands = false),
    /** Expires the session as the sweep does: again, if it changed since it was read. */
    expire: async () => {
      for (;;) {
        const session = await sessions.load(tenant, sessionId);
        if (session === undefined || session.retired) return;
        await retireSession(base, session);
      }
    },
    /** Creates another session with the same id, which joins the table. */
    liveAgain: async () => {
      const createdAt = new Date(now.getTime() + 1);
      const again = { cart: { lines: [], coupons: [] }, priced, version: 9, createdAt, now: clock() };
      await sessions.save(caller, sessionId, await sessions.load(tenant, sessionId), again);
      await join({ caller, sessionId, tableId, ifMatch: undefined });
    },
    /** Delivers an event; the process dies at the `diesAt`th use of the database, if there are that many. */
    deliver: async (type: 'order.placed' | 'order.cancelled', diesAt = Infinity) => {
      const dying = dyingAt(diesAt);
      const state = type === 'order.placed' ? 'placed' : 'cancelled';
      await followOrder({ ...base, tables: dying(tables), sessions: dying(sessions), sessionOrders: dying(ofOrders) }, {
        type,
        tenant,
        // As it was published: a repeated event has its first content.
        data: { id: orderId, state, reopenings: 0, cartSessionId: sessionId },
      } as unknown as ReceivedEvent<'order.placed' | 'order.cancelled'>);
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
        sessionSaysSo: session?.retired !== true && session?.tableCommitmentId === tableId,
      };
    },
  };
}

type Step =
  | { kind: 'cancel' }
  | { kind: 'expire' }
  | { kind: 'deliver'; type: 'order.placed' | 'order.cancelled'; diesAt: number; meanwhile: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'expire' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      type: fc.constantFrom('order.placed' as const, 'order.cancelled' as const),
      diesAt: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 8 })),
      meanwhile: fc.boolean(),
    }),
  },
);

describe("the seat of an order's session", () => {
  test('ends in the right place, whatever the order in which its events arrive, repeat, overlap or die', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 7 }), fc.boolean(), async (steps, placedFirst) => {
      const seat = await orderedSeat();
      let [cancelled, expired] = [false, false];
      const running: Promise<void>[] = [];
      for (const one of steps) {
        if (one.kind === 'expire') {
          // A session that has a seat is ended by the sweep, whichever event is being handled.
          expired = true;
          await seat.expire();
        } else if (one.kind === 'cancel') {
          cancelled = true;
          seat.cancel();
        } else if (one.type === 'order.placed' || cancelled) {
          const delivered = seat.deliver(one.type, one.diesAt).catch(() => undefined);
          if (one.meanwhile) running.push(delivered);
          else await delivered;
        }
      }
      await Promise.all(running);
      // Every event is eventually handled to its end, in some order.
      const last = cancelled ? (['order.placed', 'order.cancelled'] as const) : (['order.placed'] as const);
      for (const type of placedFirst ? last : last.toReversed()) await seat.deliver(type);

      const state = await seat.state();
      if (cancelled && expired)
        expect(state).toMatchObject({ seatsTaken: 0, status: 'open', holder: 'nobody', spent: 0 });
      else if (cancelled) {
        expect(state).toEqual({ seatsTaken: 1, status: 'full', holder: 'session', spent: 0, sessionSaysSo: true });
      } else if (!expired) expect(state).toMatchObject({ seatsTaken: 1, status: 'full', holder: 'order', spent: 900 });
      else expect(['order', 'nobody']).toContain(state.holder);
    });
    await fc.assert(property, {
      numRuns: 40,
      examples: [
        [
          [
            { kind: 'deliver', type: 'order.placed', diesAt: Infinity, meanwhile: false },
            { kind: 'cancel' },
            { kind: 'deliver', type: 'order.cancelled', diesAt: Infinity, meanwhile: false },
          ],
          false,
        ],
        [[{ kind: 'cancel' }], false],
        [
          [
            { kind: 'deliver', type: 'order.placed', diesAt: Infinity, meanwhile: false },
            { kind: 'cancel' },
            { kind: 'expire' },
          ],
          true,
        ],
      ],
    });
  });

  test('that a later life of its id took stays with that life, whatever becomes of the order', async () => {
    const seat = await orderedSeat();
    await seat.expire();
    await seat.liveAgain();
    for (const type of ['order.placed', 'order.cancelled'] as const) {
      if (type === 'order.cancelled') seat.cancel();
      await seat.deliver(type);
      expect(await seat.state()).toEqual({
        seatsTaken: 1,
        status: 'full',
        holder: 'session',
        spent: 0,
        sessionSaysSo: true,
      });
    }
  });

  test('that a cancelled order still has is released by repair-seats, and no other', async () => {
    const [kept, standing] = [await orderedSeat(), await orderedSeat()];
    for (const seat of [kept, standing]) await seat.deliver('order.placed');
    kept.cancel();
    const orders = {
      ...kept.deps.orders,
      standing: async () => new Map([[standing.orderId, { amount: 900, currency: 'EUR' }]]),
    };
    const repair = async (options: { repair: boolean }) => {
      const found = [];
      for (const { tenant } of [kept, standing]) {
        for await (const lost of repairSeats({ ...kept.deps, orders }, { ...options, tenant })) found.push(lost);
      }
      return found;
    };
    const { companyId, orderId, sessionId } = kept;
    const lost = { companyId, environment: 'live', tableId: 'table', orderId, sessionId };
    expect(await repair({ repair: false })).toEqual([{ ...lost, repaired: false }]);
    expect(await repair({ repair: true })).toEqual([{ ...lost, repaired: true }]);
    expect(await repair({ repair: true })).toEqual([]);
    expect(await kept.state()).toMatchObject({ holder: 'session', sessionSaysSo: true });
    expect(await standing.state()).toMatchObject({ holder: 'order' });
  });
});
