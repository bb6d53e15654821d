import type { OrderChange, ReceivedEvent, Tenant } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import type { Orders, StandingOrder } from '../src/orders.ts';
import { toCart } from '../src/sessions/session-record.ts';
import { followOrder, type FollowOrderDeps } from '../src/sessions/follow-order.ts';
import { createJoinTable, finishJoin, type JoinTable } from '../src/tables/join-table.ts';
import { leaveTable } from '../src/tables/leave-table.ts';
import { newSessionAndTable, standingOrder, unpriced } from './session-world.ts';
import { useStores } from './use-stores.ts';

const clock = () => new Date();
const stores = useStores();

/** A commerce service in which these orders are placed. */
const ordersOf = (standing: () => Map<string, StandingOrder>): Orders => ({
  shown: async () => ({ standing: standing(), over: new Map() }),
  became: async () => undefined,
  settle: async () => 'void',
});

const orderEvent = (tenant: Tenant, cartSessionId: string, id: string, state: 'placed' | 'cancelled') =>
  ({
    type: `order.${state}`,
    tenant,
    data: { id, state, reopenings: 0, cartSessionId },
  }) as unknown as ReceivedEvent<OrderChange>;

/** A join that takes its seat, and crashes before its session is linked. */
async function joinKilled(request: Parameters<JoinTable>[0]): Promise<void> {
  const { sessions, tables } = stores();
  const link = async () => Promise.reject(new Error('killed'));
  await expect(createJoinTable({ tables, sessions: { ...sessions, link }, clock })(request)).rejects.toThrow('killed');
}

/** What others do to a session, just before the first write of its join or leave. */
async function newRace() {
  const { tenant, caller, sessionId, tableId } = await newSessionAndTable(stores());
  const { sessions, tables } = stores();
  await tables.create({ tenant }, { id: 'other' }, { contextId: 'evt_1', seats: 1 }, clock());
  const request = { caller, sessionId, ifMatch: undefined };
  let others: (() => Promise<unknown>) | undefined;
  const overtake = async () => {
    const overtaking = others;
    others = undefined;
    await overtaking?.();
  };
  const slow = {
    sessions: {
      ...sessions,
      unlink: async (...args: Parameters<typeof sessions.unlink>) => {
        await overtake();
        return await sessions.unlink(...args);
      },
      link: async (...args: Parameters<typeof sessions.link>) => {
        await overtake();
        return await sessions.link(...args);
      },
    },
    tables: {
      ...tables,
      takeSeat: async (...args: Parameters<typeof tables.takeSeat>) => {
        await overtake();
        return await tables.takeSeat(...args);
      },
    },
    clock,
  };
  const found = async () => {
    const session = await sessions.load(tenant, sessionId);
    if (session === undefined) throw new Error('there is no session');
    return session;
  };
  return {
    join: async (id: string) => createJoinTable({ ...stores(), clock })({ ...request, tableId: id }),
    joinKilled: async () => joinKilled({ ...request, tableId }),
    leave: async () => leaveTable({ ...stores(), clock }, request),
    move: async (contextId: string) => {
      const base = await found();
      const { version, createdAt } = base;
      const next = { cart: { ...toCart(base), contextId }, priced: unpriced, version: version + 1, createdAt };
      expect(await sessions.save(caller, sessionId, base, { ...next, now: clock() })).toBeDefined();
    },
    joinOvertaken: async (by: () => Promise<unknown>, version?: number) => {
      others = by;
      const ifMatch = version === undefined ? undefined : [version];
      await createJoinTable(slow)({ ...request, tableId, ifMatch });
    },
    /** Once it has its seat, `others` change the session, and the event of the join is processed. */
    joinFollowed: async (change: () => Promise<unknown>, version: number) => {
      let isFollowed = false;
      const link: typeof sessions.link = async (...args) => {
        if (!isFollowed) {
          isFollowed = true;
          await change();
          const session = { id: sessionId, createdAt: (await found()).createdAt.toISOString() };
          const data = { id: tableId, contextId: 'evt_1', session };
          const event = { tenant, data } as unknown as ReceivedEvent<'cart.table_joined'>;
          await finishJoin({ sessions, tables, clock }, event);
        }
        return await sessions.link(...args);
      };
      const deps = { tables, sessions: { ...sessions, link }, clock };
      await createJoinTable(deps)({ ...request, tableId, ifMatch: [version] });
    },
    leaveOvertaken: async (by: () => Promise<unknown>, version: number) => {
      others = by;
      await leaveTable(slow, { ...request, ifMatch: [version] });
    },
    state: async () => {
      const { version, contextId, tableCommitmentId } = await found();
      const { seatsTaken, status } = (await tables.load(tenant, tableId)) ?? {};
      return { version, contextId, tableCommitmentId, seatsTaken, status };
    },
  };
}

test('a session that moves to another context while it joins does not get its seat', async () => {
  const race = await newRace();
  await expect(race.joinOvertaken(async () => race.move('evt_2'))).rejects.toMatchObject({
    code: 'TABLE_NOT_JOINABLE',
  });
  const free = { tableCommitmentId: undefined, seatsTaken: 0, status: 'open' };
  expect(await race.state()).toEqual({ ...free, version: 2, contextId: 'evt_2' });
});

test('a session that moves to the context of the table while it joins gets its seat', async () => {
  const race = await newRace();
  await race.joinOvertaken(async () => race.move('evt_1'));
  const joined = { tableCommitmentId: 'table', seatsTaken: 1, status: 'full' };
  expect(await race.state()).toEqual({ ...joined, version: 3, contextId: 'evt_1' });
});

test.each([
  ['from the request', 'joinOvertaken'],
  ['from the event of the join', 'joinFollowed'],
] as const)('a session that changes while it joins with If-Match does not get its seat: %s', async (_from, join) => {
  const race = await newRace();
  await expect(race[join](async () => race.move('evt_1'), 1)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  const free = { tableCommitmentId: undefined, seatsTaken: 0, status: 'open' };
  expect(await race.state()).toEqual({ ...free, version: 2, contextId: 'evt_1' });
});

test('a session that changes while it joins with If-Match does not get the seat of a join that crashed', async () => {
  const race = await newRace();
  await race.joinKilled();
  await expect(race.joinOvertaken(async () => race.move('evt_1'), 1)).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
  });
  expect(await race.state()).toMatchObject({ version: 2, tableCommitmentId: undefined, seatsTaken: 0 });
});

test('a session that joins another table while it leaves with If-Match stays there', async () => {
  const race = await newRace();
  await race.join('table');
  const moved = race.leaveOvertaken(async () => {
    await race.leave();
    await race.join('other');
  }, 2);
  await expect(moved).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  expect(await race.state()).toMatchObject({ version: 4, tableCommitmentId: 'other', seatsTaken: 0 });
});

test('an order does not get a seat that it did not know of, from a join that crashed before its session was linked', async () => {
  const { tenant, caller, sessionId, tableId } = await newSessionAndTable(stores());
  const { sessions, sessionOrders, tables } = stores();
  await joinKilled({ caller, sessionId, tableId, ifMatch: undefined });
  const order = { orderId: 'ord_1', reopening: 0 };
  const reserved = await sessionOrders.reserve(tenant, { sessionId }, order, clock());
  expect(reserved).not.toHaveProperty('tableCommitmentId');
  const standing = new Map([['ord_1', standingOrder()]]);
  await followOrder(
    { ...stores(), orders: ordersOf(() => standing), clock },
    orderEvent(tenant, sessionId, 'ord_1', 'placed'),
  );
  const joined = async () => (await tables.load(tenant, tableId))?.joined;
  expect(await joined()).toMatchObject([{ sessionId }]);
  const session = { id: sessionId, createdAt: reserved?.createdAt.toISOString() };
  const data = { id: tableId, contextId: 'evt_1', session };
  await finishJoin({ sessions, tables, clock }, { tenant, data } as unknown as ReceivedEvent<'cart.table_joined'>);
  expect(await joined()).toEqual([]);
});

test('a late event of an ended order does not give the order a seat that its session took afterwards', async () => {
  const { tenant, caller, sessionId, tableId } = await newSessionAndTable(stores());
  const { sessionOrders, tables } = stores();
  let standing = 'ord_1';
  const orders = ordersOf(() => new Map([[standing, standingOrder()]]));
  const deps = { ...stores(), orders, clock };
  const join = async () => createJoinTable(deps)({ caller, sessionId, tableId, ifMatch: undefined });
  const reserve = async (orderId: string) =>
    sessionOrders.reserve(tenant, { sessionId }, { orderId, reopening: 0 }, clock());
  const follow = async (some: FollowOrderDeps, orderId: string, state: 'placed' | 'cancelled') =>
    followOrder(some, orderEvent(tenant, sessionId, orderId, state));
  const slow = {
    ...tables,
    sell: async (...args: Parameters<typeof tables.sell>) => {
      await follow(deps, 'ord_1', 'cancelled');
      await join();
      await reserve('ord_2');
      standing = 'ord_2';
      await tables.sell(...args);
    },
  };
  await join();
  await reserve('ord_1');
  await follow({ ...deps, tables: slow }, 'ord_1', 'placed');
  const joined = async () => (await tables.load(tenant, tableId))?.joined;
  expect(await joined()).toMatchObject([{ sessionId }]);
  await follow(deps, 'ord_1', 'cancelled');
  await follow(deps, 'ord_2', 'placed');
  expect(await joined()).toMatchObject([{ sessionId: 'order/ord_2' }]);
});
