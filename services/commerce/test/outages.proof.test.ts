import { newCode, orderBody, triesOfOne } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { totalWith } from './coupon-state.ts';
import { claimsOf, createAdjustment, newShop, PATIENT, redemptionsOf, usageOf } from './shop.ts';

// Commerce while another service is down, or does not answer.

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 1, cart: 1, events: 1 },
    asProcesses: ['pricing', 'cart', 'events'],
    claimTtlMs: 1_500,
  });
});
afterAll(async () => services?.stop());

/** Runs `work` while pricing does not answer. */
async function withoutPricing(work: () => Promise<void>): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of services.replicas.pricing) process.kill(pid as number, name);
  };
  signal('SIGSTOP');
  try {
    await work();
  } finally {
    signal('SIGCONT');
  }
}

/** Runs `work` while `service` is down. */
async function without(service: 'pricing' | 'cart' | 'events', work: () => Promise<void>): Promise<void> {
  const [process] = services.replicas[service];
  await process?.kill9();
  try {
    await work();
  } finally {
    await process?.restart();
  }
}

describe('while pricing is down', () => {
  test('an order that redeems or needs a price is 503, and one that needs none is placed', async () => {
    const company = services.newCompany();
    const { commerce, companyId } = company;
    const code = newCode();
    await createAdjustment(company, code);
    await without('pricing', async () => {
      const redeeming = await commerce.post('/orders', orderBody(companyId, { coupons: [code] }));
      expect([redeeming.status, redeeming.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(redeeming.headers.get('retry-after')).toBe('1');
      expect((await commerce.post('/orders', orderBody(companyId))).status).toBe(503);
      const plain = await commerce.post('/orders', orderBody(companyId, { items: [{ name: 'Gift' }] }));
      expect(plain.status).toBe(201);
      expect((await commerce.get('/orders')).body.data).toEqual([plain.body.data.order]);
    });
  });
});

describe('while pricing does not answer', () => {
  test('cancelling an order succeeds, and pricing releases its redemptions later', async () => {
    const company = services.newCompany();
    const code = newCode();
    const id = await createAdjustment(company, code, { conditions: { maxRedemptions: 1 } });
    const body = () => orderBody(company.companyId, { coupons: [code] });
    const orderId = (await company.commerce.post('/orders', body())).body.data.order.id;
    await withoutPricing(async () => {
      const { status, body: answer } = await company.commerce.post(`/orders/${orderId}/cancel`);
      expect([status, answer.data.status]).toEqual([200, 'cancelled']);
    });
    await expect.poll(async () => redemptionsOf(company, id), PATIENT).toEqual([[orderId, 'released']]);
    await expect.poll(async () => claimsOf(services, id), PATIENT).toEqual([]);
    expect((await company.commerce.post('/orders', body())).status).toBe(201);
  });

  test('no coupon is created or changed, not even by a repeated creation; a repeat completes the removal of a code', async () => {
    const company = services.newCompany();
    const { commerce } = company;
    const [first, again] = triesOfOne();
    const coupon = { code: newCode(), percentOff: 10 };
    const created = (await commerce.post('/coupons', coupon, first)).body.data;
    const { id, code } = (await commerce.post('/coupons', { code: newCode(), percentOff: 10 })).body.data;
    const removeCode = async () => commerce.patch(`/coupons/${id}`, { code: null });
    await withoutPricing(async () => {
      const replies = await Promise.all([
        commerce.post('/coupons', { code: newCode(), percentOff: 20 }),
        commerce.patch(`/coupons/${created.id}`, { percentOff: 20 }),
        commerce.post('/coupons', coupon, again),
        removeCode(),
      ]);
      expect(replies.map((reply) => [reply.status, reply.body.error.code, reply.headers.get('retry-after')])).toEqual(
        replies.map(() => [503, 'SERVICE_UNAVAILABLE', '1']),
      );
      expect((await commerce.get(`/coupons/${created.id}`)).body.data).toEqual(created);
      expect((await commerce.get('/coupons')).body.data).toHaveLength(2);
    });
    // The coupon has lost its code already; the repeat makes sure that pricing knows.
    expect([(await removeCode()).status, await totalWith(services, company, code)]).toEqual([200, 10_000]);
  });
});

test('while cart is down, an order of a cart is 503, and another one is placed', async () => {
  const { cartOf, order, sold, ticket } = await newShop(services);
  const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
  await without('cart', async () => {
    expect((await order({ cartSessionId: session.id })).body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect((await order({ items: [{ offeringId: ticket, quantity: 1 }] })).status).toBe(201);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 1, held: 0 });
  });
  expect((await order({ cartSessionId: session.id })).status).toBe(201);
});

test('while events is down, an order that names an offering is 503 and holds nothing, and another one is placed', async () => {
  const { adjust, offer, order } = await newShop(services);
  const ticket = await offer('Last one', 5_000, { capacity: 1 });
  const { code, id } = await adjust({ conditions: { maxRedemptions: 1 } });
  await without('events', async () => {
    const refused = await order({ items: [{ offeringId: ticket, quantity: 1 }], coupons: [code] });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await usageOf(services, id))?.['claimed'] ?? 0).toBe(0);
    const other = await order({ items: [{ name: 'Poster', unitPrice: 900 }], coupons: [code] });
    expect([other.status, other.body.error?.message]).toEqual([201, undefined]);
  });
});
