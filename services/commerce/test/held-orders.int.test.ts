import { EVENT_STREAM } from '@event-commerce/bus';
import { adjustmentBody, newCode, orderBody, rounds } from '@event-commerce/test-kit';
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderDocument } from '../src/store/models.ts';
import { type CommerceAndPricing, type Company, startCommerceAndPricing } from './harness.ts';

/** Events are published, and claims settled. */
const PATIENT = { timeout: 30_000 };
const LEFT = 10;

/** A company with ten tickets, and a code that can be redeemed ten times. */
async function newShop(platform: CommerceAndPricing) {
  const company = platform.newCompany();
  const { events, pricing, companyId } = company;
  const event = (await events.post('/events', { name: 'Gala' })).body.data;
  const price = { amount: 5_000, currency: 'EUR' };
  const offering = (await events.post(`/events/${event.id}/offerings`, { name: 'Ticket', price, capacity: LEFT })).body
    .data;
  const code = newCode();
  const conditions = { code, maxRedemptions: LEFT };
  const adjustment = (await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions }))).body.data;
  return {
    ...company,
    body: (changes: Record<string, unknown> = {}) =>
      orderBody(companyId, { items: [{ offeringId: offering.id, quantity: 2 }], coupons: [code], ...changes }),
    /** What is sold, held and left of the tickets, and how often the code was redeemed, and is claimed. */
    counts: async () => {
      const { availability } = (await events.get(`/offerings/${offering.id}`)).body.data;
      const usage = await platform.pricingDb.collection('usages').findOne({ _id: adjustment.id });
      return { ...availability, redeemed: usage?.['confirmed'] ?? 0, claimed: usage?.['claimed'] ?? 0 };
    },
    /** The claims that wait for their order to be written. */
    claims: async () => (await platform.claimsOf(adjustment.id)) as { orderId: string }[],
    pending: async () => (await platform.claimsOf(adjustment.id)).length,
  };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

const held = (orders: number) => ({ sold: 0, held: 2 * orders, left: LEFT - 2 * orders, redeemed: 0, claimed: orders });
const sold = (orders: number) => ({
  sold: 2 * orders,
  held: 0,
  left: LEFT - 2 * orders,
  redeemed: orders,
  claimed: orders,
});

describe('a pending order', () => {
  let platform: CommerceAndPricing;
  beforeAll(async () => {
    platform = await startCommerceAndPricing({ replicas: 2 });
  });
  afterAll(async () => platform?.stop());

  const place = async (shop: Shop, changes?: Record<string, unknown>) => {
    const { status, body } = await shop.commerce.post('/orders', shop.body(changes));
    expect([status, body.error?.message]).toEqual([201, undefined]);
    return body.data.order;
  };

  test('holds its tickets and redemptions for longer than any claim, and sells them when it is confirmed', async () => {
    const shop = await newShop(platform);
    const { id } = await place(shop, { expiresInSeconds: 3_600 });
    await expect.poll(shop.pending, PATIENT).toBe(0);
    expect(await shop.counts()).toEqual(held(1));
    await shop.commerce.post(`/orders/${id}/confirm`);
    await expect.poll(shop.counts, PATIENT).toEqual(sold(1));
  });

  test('gives back exactly what it held when it is cancelled, whoever else holds some', async () => {
    const shop = await newShop(platform);
    const [first] = [await place(shop, { status: 'pending' }), await place(shop, { status: 'pending' })];
    await shop.commerce.post(`/orders/${first.id}/cancel`);
    await expect.poll(shop.counts, PATIENT).toEqual(held(1));
    await place(shop, { status: 'pending' });
    await expect.poll(shop.counts, PATIENT).toEqual(held(2));
  });

  test('gives back exactly what it held when it expires: no more, no less, and once', async () => {
    for (let round = 0; round < rounds(5); round++) {
      const shop = await newShop(platform);
      const orders = await Promise.all(
        [60, 60, 3_600, undefined].map((expiresInSeconds) =>
          place(shop, { ...(expiresInSeconds && { expiresInSeconds }) }),
        ),
      );
      await expect.poll(shop.counts, PATIENT).toEqual({ sold: 2, held: 6, left: 2, redeemed: 1, claimed: 4 });
      platform.clocks.aheadMs += 61_000;
      await expect.poll(shop.counts, PATIENT).toEqual({ sold: 2, held: 2, left: 6, redeemed: 1, claimed: 2 });
      // Both are there for others again.
      const more = await Promise.all([1, 2, 3].map(() => place(shop)));
      await expect.poll(shop.counts, PATIENT).toEqual({ sold: 8, held: 2, left: 0, redeemed: 4, claimed: 5 });
      for (const { id } of [...orders, ...more]) await shop.commerce.post(`/orders/${id}/cancel`);
      await expect.poll(shop.counts, PATIENT).toEqual(held(0));
    }
  }, 120_000);

  test('ten copies of it at once take one place', async () => {
    const shop = await newShop(platform);
    const sent = shop.body({ expiresInSeconds: 600 });
    const replies = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => (shop.replicas[n % 2] as Company['commerce']).post('/orders', sent)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(9).fill(200), 201]);
    await expect.poll(shop.pending, PATIENT).toBe(0);
    expect(await shop.counts()).toEqual(held(1));
  });
});

describe('when commerce is killed', () => {
  let platform: CommerceAndPricing;
  beforeAll(async () => {
    platform = await startCommerceAndPricing({ claimTtlMs: 1_500, killable: true });
  });
  afterAll(async () => platform?.stop());

  /** While `work` runs, the broker refuses events: nobody is told of anything. */
  async function untold(work: () => Promise<void>): Promise<void> {
    const { streams } = await jetstreamManager(platform.bus.nats);
    const { max_bytes, discard } = (await streams.info(EVENT_STREAM)).config;
    await streams.update(EVENT_STREAM, { max_bytes: 1, discard: DiscardPolicy.New });
    try {
      await work();
    } finally {
      await streams.update(EVENT_STREAM, { max_bytes, discard });
    }
  }

  /** The types of the events of an order that are still to be told. */
  async function untoldOf(id: string): Promise<string[]> {
    const order = await platform.models.orders.findById(id).lean<OrderDocument>();
    return (order?.outbox ?? []).map(({ type }) => type);
  }

  test.each<[string, string, number, string, () => object]>([
    ['placing an order', '', 0, 'order.placed', () => sold(1)],
    ['confirming it', 'confirm', 600, 'order.confirmed', () => sold(1)],
    ['cancelling it', 'cancel', 600, 'order.cancelled', () => held(0)],
  ])(
    'between %s and telling of it, others learn of it all the same',
    async (_what, transition, expiresInSeconds, type, after) => {
      for (let round = 0; round < rounds(10); round++) {
        const shop = await newShop(platform);
        const body = shop.body(expiresInSeconds > 0 ? { expiresInSeconds } : {});
        let id = '';
        const place = async () => {
          const placed = await shop.commerce.post('/orders', body);
          expect(placed.status).toBe(201);
          id = placed.body.data.order.id;
        };
        if (transition !== '') await place();
        await untold(async () => {
          if (transition === '') await place();
          else expect((await shop.commerce.post(`/orders/${id}/${transition}`)).status).toBe(200);
          await platform.commerceProcess?.kill9();
        });
        expect(await untoldOf(id)).toContain(type);
        await platform.commerceProcess?.restart();
        await expect.poll(shop.counts, PATIENT).toEqual(after());
        await expect.poll(() => untoldOf(id), PATIENT).toEqual([]);
        await expect.poll(() => platform.toldOf(id)).toContain(type);
      }
    },
    180_000,
  );

  test('between claiming and writing, an order leaves nothing held, or is there', async () => {
    for (let unwritten = 0; unwritten < rounds(10);) {
      const shop = await newShop(platform);
      const sent = Array.from({ length: LEFT / 2 }, () => shop.body({ expiresInSeconds: 600 }));
      let placed = 0;
      const placing = sent.map(async (body) => {
        await shop.commerce.post('/orders', body).catch(() => undefined);
        placed += 1;
      });
      // Or all were placed between two looks: what follows holds then, too, but is no such kill.
      await expect
        .poll(async () => placed === sent.length || (await shop.pending()) > 0, { timeout: 10_000, interval: 1 })
        .toBe(true);
      await platform.commerceProcess?.kill9();
      await Promise.all(placing);
      const orderIds = (await shop.claims()).map(({ orderId }) => orderId);
      const written = await platform.models.orders.collection.countDocuments({ _id: { $in: orderIds } } as never);
      if (written < orderIds.length) unwritten += 1;
      await platform.commerceProcess?.restart();
      await expect.poll(shop.pending, PATIENT).toBe(0);
      const stored: { orderNumber: string }[] = (await shop.commerce.get('/orders')).body.data;
      await expect.poll(shop.counts, PATIENT).toEqual(held(stored.length));
      const numbers = new Set(stored.map(({ orderNumber }) => orderNumber));
      const again = await Promise.all(sent.map((body) => shop.commerce.post('/orders', body)));
      expect(again.map(({ status }) => status)).toEqual(
        sent.map(({ order }) => (numbers.has(String(order['orderNumber'])) ? 200 : 201)),
      );
      await expect.poll(shop.counts, PATIENT).toEqual(held(sent.length));
    }
  }, 180_000);
});
