import { call } from '@event-commerce/bus';
import {
  accepted,
  type ClaimedTickets,
  orderRequest,
  type Purchased,
  RPC,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { type Caller, createLogger } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { knownOfferings } from '../src/orders/offerings.ts';
import { cartCheckouts, eventsTickets, pricingPurchases } from '../src/other-services.ts';
import { orderNumbers } from '../src/orders/order-number.repository.ts';
import { orderRepository } from '../src/orders/order.repository.ts';
import type { AttemptDeps } from '../src/orders/order-attempt.ts';
import { placeOrder } from '../src/orders/place-order.ts';
import { claimsOf, newShop, PATIENT } from './shop.ts';

// A service does what it is asked, but its reply is lost, so nobody releases what it holds.

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** The replies of pricing and events, and the order that they were for. */
interface Lost {
  orderId: string;
  pricing?: Purchased;
  events?: ClaimedTickets;
}

/** Sends an order that fails because the replies `of` these services are lost. Returns those replies. */
async function loseReplies(companyId: string, body: unknown, of: { pricing: boolean; events: boolean }): Promise<Lost> {
  const { bus, models } = services;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const [purchases, tickets] = [pricingPurchases(bus, logger), eventsTickets(bus, logger)];
  const lost: Lost = { orderId: '' };
  const orders = orderRepository(models.commerce, { publish: () => {}, stop: async () => {} });
  const deps: AttemptDeps = {
    orders,
    numbers: orderNumbers(models.commerce),
    carts: cartCheckouts(bus, logger),
    purchases: {
      ...purchases,
      purchase: async (caller, request) => {
        const reply = await purchases.purchase(caller, request);
        if (!of.pricing) return reply;
        Object.assign(lost, { pricing: accepted(reply), orderId: request.orderId });
        throw tryAgainShortly('There was no reply.');
      },
    },
    tickets: {
      ...tickets,
      claim: async (caller, request) => {
        const reply = await tickets.claim(caller, request);
        if (!of.events) return reply;
        Object.assign(lost, { events: accepted(reply), orderId: request.orderId });
        throw tryAgainShortly('There was no reply.');
      },
    },
  };
  const caller = {
    companyId,
    tenant: liveTenant(companyId),
    identityToken: services.identity.token(companyId, ['pricing', 'events', 'cart'], 'live', ['orders:write']),
    requestId: 'test',
  } as Caller;
  const placing = placeOrder(
    {
      ...deps,
      orders,
      offerings: knownOfferings(bus),
      clock: () => new Date(),
    },
    { caller, placedBy: 'key_1', mayStatePrices: true },
    { input: orderRequest.parse(structuredClone(body)), body },
  );
  await expect(placing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  return lost;
}

test.each([
  { of: { pricing: true, events: false }, withCart: true },
  { of: { pricing: false, events: true }, withCart: true },
  { of: { pricing: true, events: true }, withCart: true },
  { of: { pricing: true, events: false }, withCart: false },
  { of: { pricing: false, events: true }, withCart: false },
])(
  'an order whose replies were lost is placed with what it holds when it is sent again: $of, of a cart: $withCart',
  async ({ of, withCart }) => {
    const { adjust, body, cart, cartOf, claimed, commerce, companyId, sold, ticket } = await newShop(services);
    const { code, id } = await adjust({ conditions: { maxRedemptions: 1 } });
    const items = [{ offeringId: ticket, quantity: 2 }];
    const session = withCart ? await cartOf(items, { coupons: [code] }) : undefined;
    const sent = body(session === undefined ? { items, coupons: [code] } : { cartSessionId: session.id });
    const { orderId, pricing, events } = await loseReplies(companyId, sent, of);
    let purchases = 0;
    const tap = services.bus.nats.subscribe(RPC.purchase.subject, { callback: () => void (purchases += 1) });
    await services.bus.nats.flush();

    const placed = await commerce.post('/orders', sent);
    tap.unsubscribe();
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    const { order } = placed.body.data;
    expect([order.id, order.costs.total]).toEqual([orderId, 8_000]);
    if (pricing !== undefined)
      expect(order.coupons).toMatchObject([{ code, redemptionId: pricing.claims[0]?.redemptionId }]);
    if (events !== undefined) {
      const stored = await services.models.commerce.orders.findById(order.id).lean();
      expect(stored?.tickets).toEqual(events.claims);
    }
    expect(purchases).toBe(1);
    await expect.poll(sold, PATIENT).toEqual({ sold: 2, held: 0, left: 98 });
    expect(await claimed(id)).toBe(1);
    if (session === undefined) return;
    const ofCart = async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.orderId;
    await expect.poll(ofCart, PATIENT).toBe(order.id);
  },
);

test('a cart stays as it is while an order of it may still be placed; then its new contents are ordered', async () => {
  const { body, cart, cartOf, commerce, companyId, context, sold, ticket } = await newShop(services);
  const session = await cartOf([{ offeringId: ticket, quantity: 2 }]);
  const sent = body({ cartSessionId: session.id });
  const { orderId, events } = await loseReplies(companyId, sent, { pricing: false, events: true });
  const patch = async () =>
    cart.patch(`/cart/sessions/${session.id}`, { items: [{ offeringId: ticket, quantity: 5 }] });
  const early = await patch();
  expect([early.status, early.body.error?.code, early.headers.get('retry-after')]).toEqual([
    409,
    'CART_ALREADY_ORDERED',
    '1',
  ]);

  // As when its claims lapse: the tickets come last.
  const asCart = { identityToken: services.identity.processToken('cart', 'commerce'), requestId: 'test' };
  expect(await call(services.bus, RPC.settleOrder, { orderId }, asCart)).toEqual({ outcome: 'void' });
  await call(services.bus, RPC.releaseCheckout, { orderId, sessionId: session.id }, context());
  expect((await patch()).status).toBe(200);
  const placed = await commerce.post('/orders', sent);
  expect([placed.status, placed.body.data?.order.items]).toEqual([201, [expect.objectContaining({ quantity: 5 })]]);
  const { claims = [] } = events ?? {};
  await call(services.bus, RPC.cancelTickets, { orderId, claims, unwritten: true }, context());
  await expect.poll(sold, PATIENT).toEqual({ sold: 5, held: 0, left: 95 });
});

test('a reopening is refused for now while one that was declared void holds the last place, and redeems once', async () => {
  const { adjust, claimed, commerce, context, order } = await newShop(services);
  const adjustment = await adjust({ conditions: { maxRedemptions: 1 } });
  const { id: orderId } = (await order({ coupons: [adjustment.code] })).body.data.order;
  await commerce.post(`/orders/${orderId}/cancel`);
  const { claims = [] } = (await services.models.commerce.orders.findById(orderId).lean()) ?? {};
  const lost = { orderId, revision: 1 };
  const what = { lines: [], codes: [], adjustmentIds: [adjustment.id], cartContext: {}, charges: 0, former: claims };
  const purchased = accepted(await call(services.bus, RPC.purchase, { ...lost, ...what }, context()));
  const asPricing = { identityToken: services.identity.processToken('pricing', 'commerce'), requestId: 'test' };
  await call(services.bus, RPC.settleOrder, lost, asPricing);

  const early = await commerce.post(`/orders/${orderId}/reopen`);
  expect([early.status, early.body.error?.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
  expect(early.headers.get('retry-after')).toBe('1');
  expect(await claimed(adjustment.id)).toBe(1);

  // As when the claim lapses.
  await call(services.bus, RPC.cancelClaims, { orderId, claims: purchased.claims, unwritten: true }, context());
  const reopened = await commerce.post(`/orders/${orderId}/reopen`);
  expect([reopened.status, reopened.body.error?.message]).toEqual([200, undefined]);
  await expect.poll(async () => claimsOf(services, adjustment.id), PATIENT).toEqual([]);
  expect(await claimed(adjustment.id)).toBe(1);
});

test('a repeat of a placed order gets a retryable error while the database does not show the order', async () => {
  const { adjust, body, commerce } = await newShop(services);
  const adjustment = await adjust({ conditions: { maxRedemptions: 1 } });
  const sent = body({ coupons: [adjustment.code] });
  const { order } = (await commerce.post('/orders', sent)).body.data;
  await expect.poll(async () => claimsOf(services, adjustment.id), PATIENT).toEqual([]);
  const { collection } = services.models.commerce.orders;
  const stored = await collection.findOneAndDelete({ _id: order.id });
  const refused = await commerce.post('/orders', sent);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  await collection.insertOne(stored as NonNullable<typeof stored>);
  const repeated = await commerce.post('/orders', sent);
  expect([repeated.status, repeated.body.data?.order]).toEqual([200, order]);
});
