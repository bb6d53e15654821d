import { randomUUID } from 'node:crypto';
import type { Reply } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2, asProcesses: true, env: { CLAIM_TTL_MS: '1000' } });
});
afterAll(async () => carts?.stop());

/** Retries until there is a response, like a client whose connection broke or who was told to try again. */
async function untilAnswered(send: (attempt: number) => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await send(attempt).catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function killAndRestart(replica: number): Promise<void> {
  await carts.replicas[replica]?.kill9();
  await carts.replicas[replica]?.restart();
}

test('killed again and again while sessions join tables, no seat is oversold, lost or left without its session', async () => {
  const company = carts.newCompany();
  const tableIds = Array.from({ length: 5 }, (_, n) => `table-${n}`);
  for (const id of tableIds) await company.api().post('/cart/table-commitments', { id, contextId: 'evt_1', seats: 20 });
  const sessions = Array.from({ length: 150 }, () => `session-${randomUUID()}`);
  await Promise.all(sessions.map((id) => company.api().post('/cart/sessions', { id })));

  let answers = 0;
  const kills = (async () => {
    for (const [n, after] of [10, 60, 120, 180].entries()) {
      await expect.poll(() => answers, { interval: 2, timeout: 30_000 }).toBeGreaterThan(after);
      await killAndRestart(n % 2);
    }
  })();
  const queue = sessions.flatMap((session, n) =>
    // Each wants two tables, and may have one.
    [tableIds[n % 5], tableIds[(n + 1) % 5]].map((tableCommitmentId) => ({ session, tableCommitmentId })),
  );
  const worker = async (replica: number) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { session, tableCommitmentId } = next;
      await untilAnswered((attempt) =>
        company.api((replica + attempt) % 2).post(`/cart/sessions/${session}/join-table`, { tableCommitmentId }),
      );
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, n) => worker(n % 2)));
  await kills;

  const state = async () => {
    const ofCompany = { companyId: company.companyId };
    const tables = await carts.models.tables.collection.find(ofCompany as never).toArray();
    const stored = await carts.models.sessions.collection.find(ofCompany as never).toArray();
    const seats: string[] = tables.flatMap((table) =>
      table['joined'].map((seat: any) => `${seat.sessionId} ${table['tableId']}`),
    );
    const said = stored.flatMap((one) =>
      one['tableCommitmentId'] ? [`${one['sessionId']} ${one['tableCommitmentId']}`] : [],
    );
    return {
      taken: tables.map((table) => table['seatsTaken']),
      listed: tables.map((table) => table['joined'].length),
      said,
      // What only one side knows.
      apart: [...new Set(seats).symmetricDifference(new Set(said))],
    };
  };
  await expect.poll(async () => (await state()).apart, { timeout: 20_000 }).toEqual([]);
  const { taken, listed, said } = await state();
  // 150 sessions for 100 seats, each at one of two tables: all are full.
  expect(taken).toEqual(tableIds.map(() => 20));
  expect(listed).toEqual(taken);
  expect(new Set(said.map((line) => line.split(' ')[0])).size).toBe(100);
}, 120_000);

test('killed while a session is changed 200 times, every acknowledged change is there', async () => {
  const company = carts.newCompany();
  const id = `session-${randomUUID()}`;
  let answers = 0;
  const kills = (async () => {
    for (const [n, after] of [20, 80, 140].entries()) {
      await expect.poll(() => answers, { interval: 1, timeout: 30_000 }).toBeGreaterThan(after);
      await killAndRestart(n % 2);
    }
  })();
  const queue = Array.from({ length: 200 }, (_, n) => n);
  const worker = async (replica: number) => {
    for (let n = queue.shift(); n !== undefined; n = queue.shift()) {
      const body = { offeringId: `o${n}`, quantity: 1, price: 10 };
      const reply = await untilAnswered((attempt) =>
        company.api((replica + attempt) % 2).post(`/cart/sessions/${id}/item`, body),
      );
      expect(reply.status).toBe(200);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, n) => worker(n % 2)));
  await kills;
  const { body } = await company.api().get(`/cart/sessions/${id}`);
  expect(body.data.items).toHaveLength(200);
  expect(body.data.total).toBe(2_000);
  const unpublished = { companyId: company.companyId, 'outbox.0': { $exists: true } };
  await expect
    .poll(() => carts.models.sessions.collection.countDocuments(unpublished as never), { timeout: 10_000 })
    .toBe(0);
}, 120_000);

test('killed while sessions are ordered, every session is that of its one order, and none stays reserved', async () => {
  const company = carts.newCompany();
  const sessions = Array.from({ length: 60 }, () => `session-${randomUUID()}`);
  await Promise.all(sessions.map((id) => company.api().post('/cart/sessions', { id })));
  const placed = new Map<string, string[]>(sessions.map((id) => [id, []]));
  let answers = 0;
  const kills = (async () => {
    for (const [n, after] of [10, 50, 90, 130].entries()) {
      await expect.poll(() => answers, { interval: 2, timeout: 30_000 }).toBeGreaterThan(after);
      await killAndRestart(n % 2);
    }
  })();
  // Each is wanted by three orders. Of those that reserve it, one in four is never written: commerce was killed.
  const queue = [1, 2, 3].flatMap((order) =>
    sessions.map((sessionId, n) => ({ sessionId, isLost: (n + order) % 4 === 0 })),
  );
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { sessionId, isLost } = next;
      const reply = await company.checkOut({ sessionId }).catch(() => undefined);
      answers += 1;
      if (reply === undefined || isLost || !carts.orders.write(reply.orderId, 'placed')) continue;
      placed.get(sessionId)?.push(reply.orderId);
      await company.tell({ orderId: reply.orderId, sessionId, state: 'placed' });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await kills;
  expect([...placed.values()].filter((orders) => orders.length > 1)).toEqual([]);
  const wrong = async () => {
    const stored = await carts.models.sessions.collection.find({ companyId: company.companyId } as never).toArray();
    return stored.flatMap(({ sessionId, checkout, ordered }) => {
      const [order] = placed.get(sessionId) ?? [];
      return checkout === undefined && ordered?.orderId === order ? [] : [{ sessionId, checkout, ordered, order }];
    });
  };
  await expect.poll(wrong, { timeout: 30_000 }).toEqual([]);
}, 120_000);
