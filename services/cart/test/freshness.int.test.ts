import { randomUUID } from 'node:crypto';
import { rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2, asProcesses: true, eventsReplicas: 2 });
});
afterAll(async () => carts?.stop());

test.concurrent(
  'a returned price is the price of the next request, round after round over two replicas of cart and events',
  async ({ expect }) => {
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
  },
);

test.concurrent(
  'an offering that was requested before it existed is known to the first request after its creation',
  async ({ expect }) => {
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
  },
);

test.concurrent(
  'an item says whether it can be ordered: at once after a change of the offering, ten seconds after one of what is left',
  async ({ expect }) => {
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
  },
  30_000,
);
