import { randomUUID } from 'node:crypto';
import { IDENTITY_HEADER, RPC } from '@event-commerce/contracts';
import { adjustmentBody, newCode, rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2, asProcesses: true, eventsReplicas: 2, pricingReplicas: 2 });
});
afterAll(async () => carts?.stop());

test.concurrent('a returned price is the price of the next request, round after round over two replicas of cart and events', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const event = await company.eventsApi().post('/events', { name: 'Gala' });
  const { body } = await company
    .eventsApi()
    .post(`/events/${event.body.data.id}/offerings`, { name: 'Seat', price: { amount: 1, currency: 'EUR' } });
  const offeringId = body.data.id;
  const sessions = [`session-${randomUUID()}`, `session-${randomUUID()}`];
  for (const [n, id] of sessions.entries()) {
    const set = await company.api(n).post(`/cart/sessions/${id}/item`, { offeringId, quantity: 1 });
    expect(set.body.data.total).toBe(1);
  }
  const stale: string[] = [];
  for (let round = 0; round < rounds(500); round++) {
    const amount = 1_000 + round;
    const patched = await company
      .eventsApi(round % 2)
      .patch(`/offerings/${offeringId}`, { price: { amount, currency: 'EUR' } });
    expect(patched.body.data.price.amount).toBe(amount);
    const replica = (round >> 1) % 2;
    const cart = company.api(replica);
    const { data } =
      round % 3 === 0
        ? (await cart.post(`/cart/sessions/${sessions[replica]}/item`, { offeringId, quantity: 1 })).body
        : (await cart.get(`/cart/sessions/${sessions[replica]}`)).body;
    expect(data.priceStatus).toBe('current');
    if (data.total !== amount) stale.push(`round ${round}: ${data.total} instead of ${amount}`);
  }
  expect(stale).toEqual([]);
});

test.concurrent('an offering that was requested before it existed is known to the first request after its creation', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const event = await company.eventsApi().post('/events', { name: 'Gala' });
  for (let round = 0; round < 20; round++) {
    const offeringId = `seat-${round}`;
    const set = async () =>
      (await company.api(round % 2).post(`/cart/sessions/s-${round}/item`, { offeringId, quantity: 1 })).body.data;
    expect((await set()).items[0].priced).toBe(false);
    const offering = { id: offeringId, name: 'Seat', price: { amount: 500, currency: 'EUR' } };
    expect((await company.eventsApi().post(`/events/${event.body.data.id}/offerings`, offering)).status).toBe(201);
    expect((await set()).total).toBe(500);
  }
});

test.concurrent('an item says whether it can be ordered: at once after a change of the offering, ten seconds after one of what is left', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const { body: event } = await company.eventsApi().post('/events', { name: 'Gala' });
  const { body: offering } = await company.eventsApi().post(`/events/${event.data.id}/offerings`, {
    name: 'Seat',
    price: { amount: 500, currency: 'EUR' },
    capacity: 3,
  });
  const offeringId: string = offering.data.id;
  const path = `/cart/sessions/session-${randomUUID()}`;
  const items = [
    { offeringId, quantity: 2 },
    { offeringId: 'poster', quantity: 1, price: 100 },
  ];
  await company.api().post(`${path}/item`, items[1]);
  const set = await company.api().patch(path, { items });
  expect(set.body.data.items).toMatchObject([{ available: true }, { priced: true }]);
  expect(set.body.data.items[1]).not.toHaveProperty('available');

  const change = async (patch: object) => {
    expect((await company.eventsApi(1).patch(`/offerings/${offeringId}`, patch)).status).toBe(200);
    const [item] = (await company.api(1).get(path)).body.data.items;
    return { available: item.available, why: item.unavailableReason, priced: item.priced };
  };
  const refused = (why: string, priced = true) => ({ available: false, why, priced });
  expect(await change({ maxPerOrder: 1 })).toEqual(refused('above-max-per-order'));
  expect(await change({ maxPerOrder: null, onSaleUntil: '2020-01-01T00:00:00Z' })).toEqual(
    refused('no-longer-on-sale'),
  );
  expect(await change({ onSaleUntil: null, onSaleFrom: '2120-01-01T00:00:00Z' })).toEqual(refused('not-yet-on-sale'));
  expect(await change({ onSaleFrom: null, status: 'inactive' })).toEqual(refused('inactive', false));
  expect(await change({ status: 'active', capacity: 1 })).toEqual(refused('too-few-left'));
  expect(await change({ capacity: 3 })).toEqual({ available: true, why: undefined, priced: true });

  // Without a change of the offering: the count is cached.
  await company.claimTickets([{ index: 0, offeringId, quantity: 2 }]);
  const shown = async () => (await company.api(1).get(path)).body.data.items[0].unavailableReason;
  await expect.poll(shown, { timeout: 15_000 }).toBe('too-few-left');
});

test.concurrent('items of one event can be ordered as far as the event has tickets left for them together, and until it is cancelled', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const event = (await company.eventsApi().post('/events', { name: 'Gala', capacity: 3 })).body.data;
  for (const id of ['a', 'b']) {
    const offering = { id, name: id, price: { amount: 500, currency: 'EUR' } };
    expect((await company.eventsApi().post(`/events/${event.id}/offerings`, offering)).status).toBe(201);
  }
  const path = `/cart/sessions/session-${randomUUID()}`;
  const set = async (offeringId: string, quantity: number) =>
    (await company.api().post(`${path}/item`, { offeringId, quantity })).body.data;
  const shown = async () => (await company.api(1).get(path)).body.data.items;
  await set('a', 2);
  const short = { available: false, unavailableReason: 'too-few-left' };
  expect((await set('b', 2)).items).toMatchObject([short, short]);
  expect((await set('b', 1)).items).toMatchObject([{ available: true }, { available: true }]);
  expect((await company.eventsApi(1).patch(`/events/${event.id}`, { status: 'cancelled' })).status).toBe(200);
  const cancelled = { available: false, unavailableReason: 'event-cancelled', priced: true };
  await expect.poll(shown, { timeout: 15_000 }).toMatchObject([cancelled, cancelled]);
});

test.concurrent('a price that was read before is not shown again once anything it depends on has changed, over two replicas of cart and pricing', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const { pricing } = company;
  const event = (await company.eventsApi().post('/events', { name: 'Gala', venueId: 'ven_1' })).body.data;
  const price = { amount: 1_000, currency: 'EUR' };
  const offering = await company.eventsApi().post(`/events/${event.id}/offerings`, { name: 'Seat', price });
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
    expect((await company.api().post(`${path}/item`, { offeringId, quantity: 1 })).status).toBe(200);
    expect((await company.api().patch(path, { customerId: 'cus_1' })).status).toBe(200);
  }

  let reads = 0;
  const expectTotal = async (total: number, why: string): Promise<void> => {
    for (let n = 0; n < 4; n++, reads++) {
      const { body } = await company.api(reads % 2).get(`/cart/sessions/${sessions[(reads >> 1) % 2]}`);
      expect([why, body.data.priceStatus, body.data.total]).toEqual([why, 'current', total]);
    }
  };
  const redeem = async (id: string, orderId: string) => {
    const reply = await pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId, customerId: 'cus_1' });
    expect(reply.status).toBe(201);
    return `/pricing/adjustments/${id}/redemptions/${reply.body.data.redemption.id}`;
  };
  await expectTotal(700, 'at first');
  for (let round = 0; round < rounds(20); round++) {
    const amount = 100 + round;
    await pricing.patch(`/pricing/adjustments/${plain}`, {
      effect: { kind: 'amount_off', amount, currency: 'EUR' },
    });
    await expectTotal(800 - amount, 'an adjustment changed');
    const redemption = await redeem(capped, `order-${round}`);
    await expectTotal(900 - amount, 'a cap is reached');
    expect((await pricing.delete(redemption)).status).toBe(200);
    await expectTotal(800 - amount, 'a redemption was given back');
    const ofThem = await redeem(ofCustomer, `order-of-customer-${round}`);
    await expectTotal(900 - amount, "a customer's cap is reached");
    expect((await pricing.delete(ofThem)).status).toBe(200);
    await expectTotal(800 - amount, "a customer's redemption was given back");
    await company.eventsApi(round % 2).patch(`/events/${event.id}`, { venueId: 'ven_2' });
    await expectTotal(700 - amount, 'the event moved');
    await company.eventsApi(round % 2).patch(`/events/${event.id}`, { venueId: 'ven_1' });
    await expectTotal(800 - amount, 'the event moved back');
  }
  await pricing.patch(`/pricing/adjustments/${capped}`, { status: 'paused' });
  await pricing.patch(`/pricing/adjustments/${ofCustomer}`, { status: 'paused' });
  await pricing.patch(`/pricing/adjustments/${plain}`, {
    conditions: { endsAt: new Date(Date.now() + 5_000).toISOString() },
  });
  const total = async () => (await company.api(reads++ % 2).get(`/cart/sessions/${sessions[0]}`)).body.data.total;
  expect(await total()).toBeLessThan(1_000);
  await expect.poll(total).toBe(1_000);
  await expectTotal(1_000, 'the adjustment ended');
}, 120_000);

test.concurrent('a cart that nothing has changed is 304 to a caller who has it, with the same tag on every replica', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const path = '/cart/sessions/tagged';
  const item = { offeringId: 'poster', quantity: 2, price: { amount: 500, currency: 'EUR' } };
  const changed = await company.api().post(`${path}/item`, item);
  const tag = changed.headers.get('etag') ?? '';
  const known = { 'if-none-match': `"other", ${tag}` };
  const again = await company.api(1).get(path, known);
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tag]);
  const offer = { type: 'promotion', conditions: {} };
  expect((await company.pricing.post('/pricing/adjustments', adjustmentBody(newCode(), offer))).status).toBe(201);
  const cheaper = await company.api(1).get(path, known);
  expect([cheaper.status, cheaper.body.data.total, cheaper.body.data.version]).toEqual([200, 800, 1]);
  expect((await company.api().patch(path, { coupons: [] }, { 'if-match': tag })).status).toBe(200);
});

test.concurrent('a cart that nothing has changed is not priced again, nor is one with the same contents', async ({
  expect,
}) => {
  const company = carts.newCompany();
  const item = { offeringId: 'poster', quantity: 2, price: { amount: 500, currency: 'EUR' } };
  const paths = ['a', 'b'].map((id) => `/cart/sessions/${id}`);
  const priced: number[] = [];
  const spy = carts.bus.nats.subscribe(RPC.evaluateCarts.subject, {
    callback: (_error, message) => {
      const [, claims = ''] = (message.headers?.get(IDENTITY_HEADER) ?? '').split('.');
      const { companyId } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      if (companyId === company.companyId) priced.push(JSON.parse(message.string()).carts.length);
    },
  });
  await carts.bus.nats.flush();
  for (const path of paths) expect((await company.api().post(`${path}/item`, item)).body.data.total).toBe(1_000);
  for (const path of paths) expect((await company.api().get(path)).body.data.total).toBe(1_000);
  spy.unsubscribe();
  expect(priced).toEqual([1, 0, 0, 0]);
});
