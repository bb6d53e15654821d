import type { ReceivedEvent } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { createJoinTable, finishJoin } from '../src/tables/join-table.ts';
import { finishLeave, leaveTable } from '../src/tables/leave-table.ts';
import { dyingAt } from './dying.ts';
import { newSessionAndTable } from './session-world.ts';
import { useStores } from './use-stores.ts';

const clock = () => new Date();
const stores = useStores();

/** A session and a table, a request with an Idempotency-Key, and requests without one. */
async function newTries() {
  const { tenant, caller, sessionId, tableId } = await newSessionAndTable(stores());
  const asking = { ...caller, attempt: { idSuffix: newId('req').slice('req_'.length), repeated: true } };
  const request = { sessionId, tableId, ifMatch: undefined };
  const deps = (diesAt = Infinity) => {
    const dying = dyingAt(diesAt);
    return { sessions: dying(stores().sessions), tables: dying(stores().tables), clock };
  };
  const { sessions, tables } = stores().models;
  const entries = async () => {
    const found = await Promise.all([
      sessions.collection.findOne({ companyId: tenant }),
      tables.collection.findOne({ companyId: tenant }),
    ]);
    return found.flatMap((document) => document?.['outbox'] ?? []);
  };
  return {
    joinOnce: async (diesAt?: number) => createJoinTable(deps(diesAt))({ caller: asking, ...request }),
    leaveOnce: async (diesAt?: number) => leaveTable(deps(diesAt), { caller: asking, ...request }),
    join: async () => createJoinTable(deps())({ caller, ...request }),
    leave: async () => leaveTable(deps(), { caller, ...request }),
    /** How often the session took a seat, or left one. */
    count: async (what: 'cart.table_joined' | 'cart.table_left') =>
      (await entries()).filter(({ type }) => type === what).length,
    /** Handles every join and leave so far, as their events do. */
    follow: async () => {
      for (const { type, extra } of await entries()) {
        if (type === 'cart.table_joined') {
          const data = { id: tableId, contextId: 'evt_1', session: extra };
          await finishJoin(deps(), { tenant, data } as unknown as ReceivedEvent<'cart.table_joined'>);
        } else if (type === 'cart.table_left') {
          const data = { id: sessionId, left: extra };
          await finishLeave(deps(), { tenant, data } as unknown as ReceivedEvent<'cart.table_left'>);
        }
      }
    },
    state: async () => {
      const [session, table] = [
        await stores().sessions.load(tenant, sessionId),
        await stores().tables.load(tenant, tableId),
      ];
      return { sitsAt: session?.tableCommitmentId, seats: table?.joined.map((seat) => seat.sessionId) };
    },
  };
}

/** Every use of the database at which a join or a leave can die, and one more, at which it does not. */
const DEATHS = [1, 2, 3, 4, 5].flatMap((diesAt) => [
  { diesAt, isFollowed: true },
  { diesAt, isFollowed: false },
]);

test.each(DEATHS)(
  'a request that is killed at use $diesAt of the database joins once (event handled: $isFollowed)',
  async ({ diesAt, isFollowed }) => {
    const tries = await newTries();
    const outcome = await Promise.allSettled([tries.joinOnce(diesAt)]);
    expect(outcome[0].status).toBe(diesAt < 5 ? 'rejected' : 'fulfilled');
    for (let again = 0; again < 2; again++) {
      if (isFollowed) await tries.follow();
      await tries.leave();
      await tries.joinOnce();
    }
    await tries.leave();
    await tries.joinOnce();
    await tries.follow();
    expect(await tries.count('cart.table_joined')).toBe(1);
    expect(await tries.state()).toEqual({ sitsAt: undefined, seats: [] });
  },
);

test.each(DEATHS)(
  'a request that is killed at use $diesAt of the database leaves once (event handled: $isFollowed)',
  async ({ diesAt, isFollowed }) => {
    const tries = await newTries();
    await tries.join();
    const outcome = await Promise.allSettled([tries.leaveOnce(diesAt)]);
    expect(outcome[0].status).toBe(diesAt < 4 ? 'rejected' : 'fulfilled');
    for (let again = 0; again < 2; again++) {
      if (isFollowed) await tries.follow();
      await tries.join();
      await tries.leaveOnce();
    }
    await tries.join();
    await tries.leaveOnce();
    await tries.follow();
    expect(await tries.count('cart.table_left')).toBe(1);
    expect(await tries.state()).toEqual({ sitsAt: 'table', seats: ['session'] });
  },
);
