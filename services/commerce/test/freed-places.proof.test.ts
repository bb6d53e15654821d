import { proofSize } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop } from './shop.ts';

const ROUNDS = proofSize(20, 60);
let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test('what a cancelled order had is free for the next request, even after the faster of two concurrent cancellations', async () => {
  const { adjust, body, cart, cartOf, commerce, events, offer, pricing } = await newShop(services);
  const ticket = await offer('Last one', 5_000, { capacity: 1 });
  const { code, id } = await adjust({ conditions: { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 } });
  const customer = { id: 'cus_ada', email: 'ada@example.com' };
  const session = await cartOf([{ offeringId: ticket, quantity: 1 }], { coupons: [code] });
  const slower = [];
  for (let n = 0; n < ROUNDS; n++) {
    const held = n % 3 === 0 ? { expiresInSeconds: 60 } : {};
    const placed = await commerce
      .replica(n % 2)
      .post('/orders', body({ cartSessionId: session.id, customer, ...held }));
    expect([n, placed.status, placed.body.error?.message]).toEqual([n, 201, undefined]);
    const path = `/orders/${placed.body.data.order.id}/cancel`;
    const cancelled = [0, 1].map(async (replica) => commerce.replica(replica).post(path));
    slower.push(...cancelled);
    expect((await Promise.race(cancelled)).body.data.status).toBe('cancelled');
    const [adjustment, offering, opened] = await Promise.all([
      pricing.get(`/pricing/adjustments/${id}`),
      events.get(`/offerings/${ticket}`),
      cart.get(`/cart/sessions/${session.id}`),
    ]);
    expect([n, adjustment.body.data.usage]).toEqual([n, { redeemed: 0, claimed: 0, remaining: 1 }]);
    expect([n, offering.body.data.availability]).toEqual([n, { sold: 0, held: 0, left: 1 }]);
    expect([n, opened.body.data.status]).toEqual([n, 'open']);
  }
  expect((await Promise.all(slower)).map(({ status }) => status)).toEqual(slower.map(() => 200));
}, 240_000);
