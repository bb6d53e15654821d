import { randomUUID } from 'node:crypto';
import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, newCode, proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { cart: 2, pricing: 2, events: 2 },
    asProcesses: ['cart', 'pricing', 'events'],
  });
});
afterAll(async () => services?.stop());

test.concurrent('a changed price is in the next response, round after round on two replicas of cart and events', async ({
  expect,
}) => {
  const company = services.newCompany();
  const event = await company.events.post('/events', { name: 'Gala' });
  const { body } = await company.events.post(`/events/${event.body.data.id}/offerings`, {
    name: 'Seat',
    price: { amount: 1, currency: 'EUR' },
  });
  const offeringId = body.data.id;
  const sessions = [`session-${randomUUID()}`, `session-${randomUUID()}`];
  for (const [n, id] of sessions.entries()) {
    const set = await company.cart.replica(n).post(`/cart/sessions/${id}/item`, { offeringId, quantity: 1 });
    expect(set.body.data.total).toBe(1);
  }
  const stale: string[] = [];
  for (let round = 0; round < proofSize(30, 200); round++) {
    const amount = 1_000 + round;
    const patched = await company.events
      .replica(round % 2)
      .patch(`/offerings/${offeringId}`, { price: { amount, currency: 'EUR' } });
    expect(patched.body.data.price.amount).toBe(amount);
    const replica = (round >> 1) % 2;
    const cart = company.cart.replica(replica);
    const { data } =
      round % 3 === 0
        ? (await cart.post(`/cart/sessions/${sessions[replica]}/item`, { offeringId, quantity: 1 })).body
        : (await cart.get(`/cart/sessions/${sessions[replica]}`)).body;
    expect(data.priceStatus).toBe('current');
    if (data.total !== amount) stale.push(`round ${round}: ${data.total} instead of ${amount}`);
  }
  expect(stale).toEqual([]);
});

test.concurrent('an offering that was requested before it existed is found by the first request after its creation', async ({
  expect,
}) => {
  const company = services.newCompany();
  const event = await company.events.post('/events', { name: 'Gala' });
  for (let round = 0; round < proofSize(6, 20); round++) {
    const offeringId = `seat-${round}`;
    const set = async () =>
      (await company.cart.replica(round % 2).post(`/cart/sessions/s-${round}/item`, { offeringId, quantity: 1 })).body
        .data;
    expect((await set()).items[0].priced).toBe(false);
    const offering = { id: offeringId, name: 'Seat', price: { amount: 500, currency: 'EUR' } };
    expect((await company.events.post(`/events/${event.body.data.id}/offerings`, offering)).status).toBe(201);
    expect((await set()).total).toBe(500);
  }
});

test.concurrent('an item says within ten seconds that its tickets are sold out, or that its event was cancelled', async ({
  expect,
}) => {
  const company = services.newCompany();
  const { body: event } = await company.events.post('/events', { name: 'Gala' });
  const { body: offering } = await company.events.post(`/events/${event.data.id}/offerings`, {
    name: 'Seat',
    price: { amount: 500, currency: 'EUR' },
    capacity: 3,
  });
  const offeringId: string = offering.data.id;
  const path = `/cart/sessions/session-${randomUUID()}`;
  const set = await company.cart.post(`${path}/item`, { offeringId, quantity: 2 });
  expect(set.body.data.items).toMatchObject([{ available: true }]);
  const shown = async () => (await company.cart.replica(1).get(path)).body.data.items;
  expect(await shown()).toMatchObject([{ available: true }]);
  // The offering does not change, so the count is cached.
  const claim = { orderId: newId('ord'), key: 'order', items: [{ index: 0, offeringId, quantity: 2 }] };
  await call(services.bus, RPC.claimTickets, { ...claim, customer: { email: 'ada@example.com' } }, company.context());
  await expect
    .poll(shown, { timeout: 15_000 })
    .toMatchObject([{ available: false, unavailableReason: 'too-few-left' }]);

  expect((await company.events.replica(1).patch(`/events/${event.data.id}`, { status: 'cancelled' })).status).toBe(200);
  const cancelled = { available: false, unavailableReason: 'event-cancelled', priced: true };
  await expect.poll(shown, { timeout: 15_000 }).toMatchObject([cancelled]);
});

test.concurrent('a price is not shown again once anything it depends on has changed, on two replicas of cart and pricing', async ({
  expect,
}) => {
  const company = services.newCompany();
  const { pricing } = company;
  const event = (await company.events.post('/events', { name: 'Gala', venueId: 'ven_1' })).body.data;
  const price = { amount: 1_000, currency: 'EUR' };
  const offering = await company.events.post(`/events/${event.id}/offerings`, { name: 'Seat', price });
  const offeringId = offering.body.data.id;
  const create = async (changes: object): Promise<string> => {
    const effect = { kind: 'amount_off', amount: 100, currency: 'EUR' };
    const body = adjustmentBody(newCode(), {
      type: 'promotion',
      stacking: 'stackable',
      effect,
      conditions: {},
      ...changes,
    });
    const reply = await pricing.post('/pricing/adjustments', body);
    expect(reply.status).toBe(201);
    return reply.body.data.id;
  };
  const plain = await create({});
  const capped = await create({ conditions: { maxRedemptions: 1 } });
  const ofCustomer = await create({ conditions: { maxRedemptionsPerCustomer: 1 } });
  await create({ targets: [{ urn: `urn:v1:${company.companyId}:events:venue/ven_2` }] });
  const sessions = [`session-${randomUUID()}`, `session-${randomUUID()}`];
  for (const id of sessions) {
    const path = `/cart/sessions/${id}`;
    expect((await company.cart.post(`${path}/item`, { offeringId, quantity: 1 })).status).toBe(200);
    expect((await company.cart.patch(path, { customerId: 'cus_1' })).status).toBe(200);
  }

  let reads = 0;
  const expectTotal = async (total: number, why: string): Promise<void> => {
    for (let n = 0; n < 4; n++, reads++) {
      const { body } = await company.cart.replica(reads % 2).get(`/cart/sessions/${sessions[(reads >> 1) % 2]}`);
      expect([why, body.data.priceStatus, body.data.total]).toEqual([why, 'current', total]);
    }
  };
  const redeem = async (id: string, orderId: string) => {
    const reply = await pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId, customerId: 'cus_1' });
    expect(reply.status).toBe(201);
    return `/pricing/adjustments/${id}/redemptions/${reply.body.data.redemption.id}`;
  };
  await expectTotal(700, 'at first');
  for (let round = 0; round < proofSize(3, 8); round++) {
    const amount = 100 + round;
    await pricing.patch(`/pricing/adjustments/${plain}`, {
      effect: { kind: 'amount_off', amount, currency: 'EUR' },
    });
    await expectTotal(800 - amount, 'an adjustment changed');
    const redemption = await redeem(capped, `order-${round}`);
    await expectTotal(900 - amount, 'a cap is reached');
    expect((await pricing.delete(redemption)).status).toBe(200);
    await expectTotal(800 - amount, 'a redemption was released');
    const ofThem = await redeem(ofCustomer, `order-of-customer-${round}`);
    await expectTotal(900 - amount, "a customer's cap is reached");
    expect((await pricing.delete(ofThem)).status).toBe(200);
    await expectTotal(800 - amount, "a customer's redemption was released");
    await company.events.replica(round % 2).patch(`/events/${event.id}`, { venueId: 'ven_2' });
    await expectTotal(700 - amount, 'the event moved');
    await company.events.replica(round % 2).patch(`/events/${event.id}`, { venueId: 'ven_1' });
    await expectTotal(800 - amount, 'the event moved back');
  }
  await pricing.patch(`/pricing/adjustments/${capped}`, { status: 'paused' });
  await pricing.patch(`/pricing/adjustments/${ofCustomer}`, { status: 'paused' });
  await pricing.patch(`/pricing/adjustments/${plain}`, {
    conditions: { endsAt: new Date(Date.now() + 5_000).toISOString() },
  });
  const total = async () =>
    (await company.cart.replica(reads++ % 2).get(`/cart/sessions/${sessions[0]}`)).body.data.total;
  expect(await total()).toBeLessThan(1_000);
  await expect.poll(total).toBe(1_000);
  await expectTotal(1_000, 'the adjustment ended');
}, 120_000);
