import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolIdOf } from '../src/store/ticket-pools.ts';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

const run = promisify(execFile);
const PATIENT = { timeout: 30_000 };
const script = path.resolve(import.meta.dirname, '../src/repair-tickets.ts');
let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 1 });
});
afterAll(async () => events?.stop());

/** Runs the command as an operator does. */
async function repairTickets(...args: string[]): Promise<{ code: number; differences: object[]; summary: string }> {
  const env = { ...process.env, MONGO_URL: events.mongoUrl, MONGO_DB_PREFIX: events.dbName.replace(/_events$/, '') };
  const { code, stdout } = await run(process.execPath, [script, ...args], { env }).then(
    ({ stdout: text }) => ({ code: 0, stdout: text }),
    (error: unknown) => error as { code: number; stdout: string },
  );
  const lines = stdout.trim().split('\n');
  const differences = lines.slice(0, -1).map((line) => JSON.parse(line) as object);
  return { code, differences, summary: lines.at(-1) ?? '' };
}

test('ticket counters that were damaged are found by the repair, and set right', PATIENT, async () => {
  const { companyId, api } = events.newCompany();
  const event = (await api().post('/events', { name: 'Gala', capacity: 20 })).body.data;
  const price = { amount: 5000, currency: 'EUR' };
  const { id } = (await api().post(`/events/${event.id}/offerings`, { name: 'Ticket', price, capacity: 10 })).body.data;
  const [held, sold] = await Promise.all([
    events.claimTickets(companyId, { [id]: 2 }),
    events.claimTickets(companyId, { [id]: 3 }),
  ]);
  await events.tellOfOrder(companyId, 'order.pending', { id: held.orderId, tickets: held.claims, state: 'pending' });
  await events.tellOfOrder(companyId, 'order.placed', { id: sold.orderId, tickets: sold.claims });
  await events.settled();
  expect(await repairTickets()).toEqual({ code: 0, differences: [], summary: 'The counters agree with the ledger.' });

  const tenant = liveTenant(companyId);
  const damage = { confirmed: 7, claimed: 9 };
  for (const _id of [poolIdOf('offering', tenant, id), poolIdOf('event', tenant, event.id)]) {
    await events.models.ticketPools.updateOne({ _id }, { $set: damage });
  }
  const difference = {
    companyId,
    environment: 'live',
    counted: damage,
    expected: { confirmed: 3, claimed: 5 },
    repaired: false,
  };
  const found = await repairTickets('--company', companyId);
  expect([found.code, found.summary]).toEqual([1, '2 differences remain.']);
  expect(new Set(found.differences)).toEqual(
    new Set([
      { offeringId: id, ...difference },
      { eventId: event.id, ...difference },
    ]),
  );
  expect((await repairTickets('--company', events.newCompany().companyId)).differences).toEqual([]);
  expect((await repairTickets('--repair')).differences).toMatchObject([{ repaired: true }, { repaired: true }]);
  expect((await api().get(`/offerings/${id}`)).body.data.availability).toEqual({ sold: 3, held: 2, left: 5 });
});
