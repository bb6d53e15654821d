import { RPC } from '@event-commerce/contracts';
import { newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A shop whose offering was ordered, and has changed since. */
async function changed(change: object) {
  const shop = await newShop(services);
  const items = [{ offeringId: shop.ticket, quantity: 1 }];
  expect((await shop.order({ items })).status).toBe(201);
  expect((await shop.events.patch(`/offerings/${shop.ticket}`, change)).status).toBe(200);
  return { ...shop, items };
}

describe('an order of an offering that was changed since its last order', () => {
  test('is placed at the total that it expects or that a checkout key states', async () => {
    const { items, order } = await changed({ price: EUR(5_500) });
    const placed = await order({ items, expectedTotal: 5_500 });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);

    const { as, body, ...again } = await changed({ price: EUR(5_500) });
    const stated = await as('orders:checkout').post('/orders', body({ items: again.items, costs: { total: 5_500 } }));
    expect([stated.status, stated.body.error?.message]).toEqual([201, undefined]);
  });

  test('is placed in the currency that the offering is sold in now', async () => {
    const { items, order } = await changed({ price: { amount: 6_000, currency: 'USD' } });
    const placed = await order({ items, currency: 'USD' });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    expect(placed.body.data.order.costs).toMatchObject({ total: 6_000, currency: 'USD' });
  });

  test('is placed with a code that the offering qualifies for now', async () => {
    for (const conditions of [{ minOrderTotal: EUR(8_000) }, { tags: ['vip'] }]) {
      const { adjust, items, order } = await changed({ price: EUR(9_000), tags: ['vip'] });
      const { code } = await adjust({ conditions });
      const placed = await order({ items, coupons: [code] });
      expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    }
  });

  test('is placed even if the catalogue did not have the offering then', async () => {
    const { adjust, eventId, events, order } = await newShop(services);
    const id = newCode();
    const items = [{ offeringId: id, quantity: 1, unitPrice: 700 }];
    expect((await order({ items })).status).toBe(201);
    const offering = { id, name: 'Poster', price: EUR(700), tags: ['vip'] };
    expect((await events.post(`/events/${eventId}/offerings`, offering)).status).toBe(201);
    const { code } = await adjust({ conditions: { tags: ['vip'] } });
    const placed = await order({ items, coupons: [code] });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
  });

  test('is placed without stating a price once the catalogue has the offering', async () => {
    const { eventId, events, order, ticket } = await newShop(services);
    const id = newCode();
    const items = [ticket, id].map((offeringId) => ({ offeringId, quantity: 1 }));
    expect((await order({ items })).body.error.code).toBe('NOT_FOR_SALE');
    const offering = { id, name: 'Poster', price: EUR(700) };
    expect((await events.post(`/events/${eventId}/offerings`, offering)).status).toBe(201);
    const placed = await order({ items });
    expect([placed.status, placed.body.data?.order.costs.total]).toEqual([201, 5_700]);
  });

  test('is refused with its current price, after one look-up', async () => {
    const { items, order, ticket } = await changed({ price: EUR(5_500) });
    let lookUps = 0;
    const tap = services.bus.nats.subscribe(RPC.offerings.subject, { callback: () => void lookUps++ });
    await services.bus.nats.flush();
    // The first one learns the price, and is tried once more.
    for (const expected of [2, 3]) {
      const refused = await order({ items, expectedTotal: 4_000 });
      expect([refused.status, refused.body.error.details]).toMatchObject([
        409,
        [
          { total: 5_500 },
          { offeringId: ticket, unitPrice: 5_500, message: expect.stringContaining('5500') as string },
        ],
      ]);
      await services.bus.nats.flush();
      expect(lookUps).toBe(expected);
    }
    tap.unsubscribe();
  });
});
