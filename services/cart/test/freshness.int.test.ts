import { randomUUID } from 'node:crypto';
import { rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2, asProcesses: true, eventsReplicas: 2 });
});
afterAll(async () => carts?.stop());

test('a returned price is the price of the next request, round after round over two replicas of cart and events', async () => {
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

test('an offering that was requested before it existed is known to the first request after its creation', async () => {
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
