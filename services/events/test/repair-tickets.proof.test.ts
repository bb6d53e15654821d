import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serve } from '@event-commerce/bus';
import {
  type OrdersStandingReply,
  ordersStandingRequest,
  type OrderState,
  RPC,
  type SettleOrderReply,
  settleOrderRequest,
} from '@event-commerce/contracts';
import { parseJson, toPlatformError } from '@event-commerce/service-kit';
import { bundleOf } from '@event-commerce/service-kit/dist';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolIdOf } from '../src/tickets/ticket-pools.ts';
import { type Services, settingsOf, startServices } from '../../../tests/harness/services.ts';
import { claimTickets, tellOfOrder, ticket } from './tickets.ts';

const run = promisify(execFile);
const script = bundleOf('repair-tickets');
// A database of its own: the command compares the counters of all companies, and asks commerce, which the test
// simulates.
let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { events: 1 } });
});
afterAll(async () => services?.stop());

/** Runs the command as an operator does. */
async function repairTickets(...args: string[]): Promise<{ code: number; differences: object[]; summary: string }> {
  const env = { ...process.env, ...settingsOf('events', services), ...services.identity.keysOf('events') };
  const { code, stdout } = await run(process.execPath, [script, ...args], { env }).then(
    ({ stdout: text }) => ({ code: 0, stdout: text }),
    (error: unknown) => error as { code: number; stdout: string },
  );
  const lines = stdout.trim().split('\n');
  const differences = lines.slice(0, -1).map((line) => JSON.parse(line) as object);
  return { code, differences, summary: lines.at(-1) ?? '' };
}

test('the repair finds and corrects damaged ticket counters', async () => {
  const company = services.newCompany();
  const { companyId, events: api } = company;
  const event = (await api.post('/events', { name: 'Gala', capacity: 20 })).body.data;
  const { id } = (await api.post(`/events/${event.id}/offerings`, { ...ticket, capacity: 10 })).body.data;
  const [held, sold] = await Promise.all([
    claimTickets(services, company, { [id]: 2 }),
    claimTickets(services, company, { [id]: 3 }),
  ]);
  await tellOfOrder(services, company, 'order.pending', { id: held.orderId, tickets: held.claims, state: 'pending' });
  await tellOfOrder(services, company, 'order.placed', { id: sold.orderId, tickets: sold.claims });
  await services.followedOrders('events');
  expect(await repairTickets()).toEqual({ code: 0, differences: [], summary: 'The counters agree with the ledger.' });

  const tenant = liveTenant(companyId);
  const damage = { confirmed: 7, claimed: 9 };
  for (const _id of [poolIdOf('offering', tenant, id), poolIdOf('event', tenant, event.id)]) {
    await services.models.events.ticketPools.updateOne({ _id }, { $set: damage });
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
  expect((await repairTickets('--company', services.newCompany().companyId)).differences).toEqual([]);
  expect((await repairTickets('--repair')).differences).toMatchObject([{ repaired: true }, { repaired: true }]);
  expect((await api.get(`/offerings/${id}`)).body.data.availability).toEqual({ sold: 3, held: 2, left: 5 });
});

test('the repair with --orders finds and corrects tickets of orders whose last change never reached events', async () => {
  const company = services.newCompany();
  const { companyId, events: api } = company;
  const event = (await api.post('/events', { name: 'Gala' })).body.data;
  const { id } = (await api.post(`/events/${event.id}/offerings`, { ...ticket, capacity: 40 })).body.data;
  interface Fate {
    told: OrderState;
    outcome: OrderState;
    tickets: number;
    /** What a pending amendment holds. */
    wasHeld?: true;
    isHeld?: true;
    /** What an amended order keeps. */
    keeps?: number;
  }
  const fates: Fate[] = [
    { told: 'pending', outcome: 'pending', tickets: 1 },
    { told: 'pending', outcome: 'placed', tickets: 2 },
    { told: 'pending', outcome: 'expired', tickets: 3 },
    { told: 'pending', outcome: 'cancelled', tickets: 4 },
    { told: 'placed', outcome: 'placed', tickets: 5 },
    { told: 'placed', outcome: 'cancelled', tickets: 6 },
    { told: 'placed', outcome: 'placed', tickets: 2, keeps: 1 },
    { told: 'placed', outcome: 'placed', tickets: 1, wasHeld: true, isHeld: true },
    { told: 'placed', outcome: 'placed', tickets: 1, wasHeld: true },
    { told: 'placed', outcome: 'placed', tickets: 1, wasHeld: true, keeps: 0 },
  ];
  const isLost = ({ told, outcome, wasHeld, isHeld, keeps }: Fate) =>
    told !== outcome || wasHeld !== isHeld || keeps !== undefined;
  const orders = await Promise.all(
    fates.map(async (fate) => ({ ...fate, ...(await claimTickets(services, company, { [id]: fate.tickets })) })),
  );
  for (const { orderId, claims, told, wasHeld = false } of orders) {
    const tickets = wasHeld ? claims.map((claim) => ({ ...claim, held: true as const })) : claims;
    await tellOfOrder(services, company, `order.${told}`, { id: orderId, tickets, state: told });
  }
  await services.followedOrders('events');
  expect((await api.get(`/offerings/${id}`)).body.data.availability).toEqual({ sold: 13, held: 13, left: 14 });
  const settled = { group: 'commerce', inFlightMax: 10, toPlatformError };
  const asked: string[][] = [];
  const stopStanding = serve(services.bus, RPC.ordersStanding, settled, ({ body }) => {
    const { orderIds } = ordersStandingRequest.parse(parseJson(body));
    asked.push(orderIds);
    const named = orders.filter(({ orderId }) => orderIds.includes(orderId));
    const over = named.filter(({ told, outcome }) => told === 'placed' && outcome === 'cancelled');
    // The sweep, which may run beside the command, leaves alone the orders that still wait.
    const waiting = named.filter(({ told, wasHeld }) => told === 'pending' || wasHeld);
    const amended = named.filter((one) => !waiting.includes(one) && one.keeps !== undefined);
    const total = { amount: 0, currency: 'EUR' };
    const data: OrdersStandingReply = {
      standing: [
        ...waiting.map(({ orderId }) => ({ orderId, isPending: true, revision: 0, total })),
        ...amended.map(({ orderId }) => ({ orderId, isPending: false, revision: 1, total })),
      ],
      over: over.map(({ orderId }) => ({ orderId, revision: 0 })),
    };
    return JSON.stringify({ data });
  });
  const stop = serve(services.bus, RPC.settleOrder, settled, ({ body }) => {
    const { orderId } = settleOrderRequest.parse(parseJson(body));
    const order = orders.find((one) => one.orderId === orderId);
    const ticketIds = order?.claims.map(({ claimId }) => claimId) ?? [];
    const { outcome = 'void' as const, keeps, isHeld = false } = order ?? {};
    const data: SettleOrderReply = {
      outcome,
      redemptionIds: [],
      ticketIds,
      ...(keeps === undefined ? {} : { keeps: Object.fromEntries(ticketIds.map((claimId) => [claimId, keeps])) }),
      ...(isHeld ? { held: ticketIds } : {}),
    };
    return JSON.stringify({ data });
  });
  // Their events may be on their way.
  expect(await repairTickets('--company', companyId, '--orders')).toMatchObject({ code: 0, differences: [] });
  await services.models.events.tickets.updateMany(
    { companyId: liveTenant(companyId) },
    { $set: { created: new Date(Date.now() - 600_000) } },
  );
  const expected = orders.filter(isLost).flatMap(({ told, outcome, orderId, claims, wasHeld, keeps }) =>
    claims.map(({ claimId, poolId }) => ({
      companyId,
      environment: 'live',
      ...(poolId.startsWith('offering') ? { offeringId: id } : { eventId: event.id }),
      orderId,
      claimId,
      status: told === 'placed' && !wasHeld ? 'confirmed' : 'held',
      expected: outcome === 'placed' && keeps !== 0 ? 'confirmed' : 'released',
      ...(keeps === 1 ? { quantity: 1 } : {}),
    })),
  );
  const found = await repairTickets('--company', companyId, '--orders');
  expect([found.code, found.summary]).toEqual([1, '14 differences remain.']);
  expect(new Set(found.differences)).toEqual(new Set(expected.map((one) => ({ ...one, repaired: false }))));
  // Asked about all confirmed ones at once.
  const confirmed = orders.flatMap(({ told, wasHeld, orderId }) => (told === 'placed' && !wasHeld ? [orderId] : []));
  expect(asked.map((ids) => ids.toSorted())).toContainEqual(confirmed.toSorted());
  expect(await repairTickets('--company', companyId, '--orders', '--repair')).toMatchObject({ code: 0 });
  await Promise.all([stop(), stopStanding()]);
  expect((await api.get(`/offerings/${id}`)).body.data.availability).toEqual({ sold: 9, held: 2, left: 29 });
});
