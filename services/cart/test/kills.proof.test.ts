import { randomUUID } from 'node:crypto';
import { hasCode } from '@event-commerce/contracts';
import { proofSize, type Reply } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { checkOut, tell } from './checkouts.ts';
import { serveEmptyCatalogue, serveOrders, type SimulatedOrders } from './simulated-commerce.ts';
import { workUnderKills } from './work-under-kills.ts';

let services: Services;
let orders: SimulatedOrders;
beforeAll(async () => {
  services = await startServices({ replicas: { cart: 2, pricing: 1 }, asProcesses: ['cart'], claimTtlMs: 1_000 });
  serveEmptyCatalogue(services.bus);
  orders = serveOrders(services.bus);
});
afterAll(async () => services?.stop());

/** Retries until there is a response, like a client whose connection broke or that was told to retry. */
async function untilAnswered(send: (attempt: number) => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await send(attempt).catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('no seat is oversold, lost or left without its session if replicas are repeatedly killed while sessions join tables', async () => {
  const company = services.newCompany();
  const tableIds = Array.from({ length: 5 }, (_, n) => `table-${n}`);
  for (const id of tableIds) await company.cart.post('/cart/table-commitments', { id, contextId: 'evt_1', seats: 20 });
  const sessions = Array.from({ length: 150 }, () => `session-${randomUUID()}`);
  await Promise.all(sessions.map((id) => company.cart.post('/cart/sessions', { id })));

  const jobs = sessions.flatMap((session, n) =>
    // Each tries to join two tables, and may get one.
    [tableIds[n % 5], tableIds[(n + 1) % 5]].map((tableCommitmentId) => ({ session, tableCommitmentId })),
  );
  await workUnderKills(services.replicas.cart, {
    jobs,
    workers: 16,
    kills: proofSize(2, 4),
    cutOffAmong: 3,
    isCutOff: () => true,
    work: async ({ session, tableCommitmentId }, worker, send) => {
      await untilAnswered((attempt) => {
        const replica = (worker + attempt) % 2;
        const join = () =>
          company.cart.replica(replica).post(`/cart/sessions/${session}/join-table`, { tableCommitmentId });
        return send(join, replica);
      });
    },
  });

  const state = async () => {
    const ofCompany = { companyId: company.companyId };
    const tables = await services.models.cart.tables.collection.find(ofCompany as never).toArray();
    const stored = await services.models.cart.sessions.collection.find(ofCompany as never).toArray();
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
      // Seats that only one side knows.
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

test('every acknowledged change is kept if replicas are killed while a session is changed 200 times', async () => {
  const company = services.newCompany();
  const id = `session-${randomUUID()}`;
  await workUnderKills(services.replicas.cart, {
    jobs: Array.from({ length: 200 }, (_, n) => ({ offeringId: `o${n}`, quantity: 1, price: 10 })),
    workers: 8,
    kills: proofSize(2, 3),
    cutOffAmong: 3,
    isCutOff: () => true,
    work: async (item, worker, send) => {
      const reply = await untilAnswered((attempt) => {
        const replica = (worker + attempt) % 2;
        return send(() => company.cart.replica(replica).post(`/cart/sessions/${id}/item`, item), replica);
      });
      expect(reply.status).toBe(200);
    },
  });
  const { body } = await company.cart.get(`/cart/sessions/${id}`);
  expect(body.data.items).toHaveLength(200);
  expect(body.data.total).toBe(2_000);
  const unpublished = { companyId: company.companyId, 'outbox.0': { $exists: true } };
  await expect
    .poll(() => services.models.cart.sessions.collection.countDocuments(unpublished as never), { timeout: 10_000 })
    .toBe(0);
}, 120_000);

test('every session belongs to its one order, and none stays reserved, if replicas are killed while sessions are ordered', async () => {
  const company = services.newCompany();
  const sessions = Array.from({ length: proofSize(60, 120) }, () => `session-${randomUUID()}`);
  await Promise.all(sessions.map((id) => company.cart.post('/cart/sessions', { id })));
  const placed = new Map<string, string[]>(sessions.map((id) => [id, []]));
  // Three orders compete for each session. One in four of those that reserve it is never written: commerce was killed.
  const jobs = [1, 2, 3].flatMap((order) =>
    sessions.map((sessionId, n) => ({ sessionId, isLost: (n + order) % 4 === 0 })),
  );
  await workUnderKills(services.replicas.cart, {
    jobs,
    // Each replica gets about half of the calls, at random.
    workers: 32,
    kills: proofSize(2, 4),
    cutOffAmong: 20,
    isCutOff: (error) => error instanceof Error && hasCode(error.cause, 'UPSTREAM_TIMEOUT'),
    work: async ({ sessionId, isLost }, _worker, send) => {
      const reply = await send(() => checkOut(services, company, { sessionId })).catch(() => undefined);
      if (reply === undefined || isLost || !orders.write(reply.orderId, 'placed')) return;
      placed.get(sessionId)?.push(reply.orderId);
      await tell(services, company, { orderId: reply.orderId, sessionId, state: 'placed' });
    },
  });
  expect([...placed.values()].filter((made) => made.length > 1)).toEqual([]);
  const wrong = async () => {
    const stored = await services.models.cart.sessions.collection
      .find({ companyId: company.companyId } as never)
      .toArray();
    return stored.flatMap(({ sessionId, checkout, ordered }) => {
      const [order] = placed.get(sessionId) ?? [];
      return checkout === undefined && ordered?.orderId === order ? [] : [{ sessionId, checkout, ordered, order }];
    });
  };
  await expect.poll(wrong, { timeout: 30_000 }).toEqual([]);
}, 120_000);
