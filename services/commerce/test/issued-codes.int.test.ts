import { call } from '@event-commerce/bus';
import { RPC, type Scope } from '@event-commerce/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from './shop.ts';
import { orderOf } from './ticket-sale.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A shop with a coupon of 20 % that has a code for each buyer. */
async function newRaffle(coupon: object = {}) {
  const shop = await newShop(services);
  const { commerce, pricing } = shop;
  const made = await commerce.post('/coupons', { percentOff: 20, uniqueCodes: true, ...coupon });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const { id } = made.body.data;
  const codes = `/coupons/${id}/codes`;
  const offering = { id: shop.ticket, eventId: shop.eventId, price: { amount: 5_000, currency: 'EUR' } };
  return {
    ...shop,
    id: id as string,
    offering,
    codes,
    issue: async (body: object) => pricing.post(codes, body),
    evaluate: async (presented: string[], cartContext: object = {}) =>
      await call(
        services.bus,
        RPC.evaluate,
        { offering, cartContext: { codes: presented, ...cartContext } },
        shop.context(),
      ),
    buy: async (coupons: string[], changes: object = {}) =>
      shop.order({ items: [{ offeringId: shop.ticket, quantity: 1 }], coupons, ...changes }),
    show: async (code: string) => (await pricing.get(`${codes}/${encodeURIComponent(code)}`)).body.data,
    cancel: async ({ id: orderId }: { id: string }) =>
      expect((await commerce.post(`/orders/${orderId}/cancel`, {})).status).toBe(200),
  };
}

test(
  'a coupon issues a thousand distinct codes of a pattern, which can be exported',
  async () => {
    const raffle = await newRaffle();
    const made = await raffle.issue({ count: 1_000, pattern: 'ride-####-####' });
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { kind: 'generated', pattern: 'RIDE-####-####', count: 1_000, made: 1_000, limitPerCode: 1, status: 'done' },
    ]);
    const { id } = made.body.data;
    const exported: string = (await raffle.pricing.get(`${raffle.codes}?format=ndjson`)).body;
    const codes = new Set(
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).code),
    );
    expect(codes.size).toBe(1_000);
    for (const code of codes) expect(code).toMatch(/^RIDE-[34679CDFGHJKMNPQRTVWXY]{4}-[34679CDFGHJKMNPQRTVWXY]{4}$/);
    const page = (await raffle.pricing.get(`${raffle.codes}?batch=${id}&status=unused&limit=2`)).body;
    expect([page.data.length, page.data[0].status, typeof page.page.next]).toEqual([2, 'unused', 'string']);
    expect((await raffle.pricing.get(`${raffle.codes}/batches`)).body.data).toMatchObject([{ id, made: 1_000 }]);
    await expect
      .poll(() => raffle.published('coupon.codes_issued'), PATIENT)
      .toMatchObject([{ subject: raffle.id, data: { id, made: 1_000 } }]);
  },
  PATIENT.timeout,
);

test('a code counts once: for the order that has it, until that is cancelled', async () => {
  const raffle = await newRaffle();
  await raffle.issue({ codes: ['WIN-0001', 'WIN-0002'] });
  expect((await raffle.evaluate(['win0001'])).summary.total).toBe(4_000);
  const order = orderOf(await raffle.buy(['win 0001'], { expectedTotal: 4_000 }));
  expect(order).toMatchObject({ costs: { total: 4_000 } });
  expect(await raffle.show('WIN-0001')).toMatchObject({ claimed: 1, orderIds: expect.any(Array) });
  const used = await raffle.evaluate(['WIN-0001']);
  expect([used.summary.total, used.codes]).toMatchObject([
    5_000,
    [{ status: 'dropped', reason: 'code-used-up', detail: 'this code was used 1 of 1 times' }],
  ]);
  const refused = await raffle.buy(['WIN-0001']);
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    {
      code: 'REDEMPTION_LIMIT_REACHED',
      message: expect.stringContaining('Code WIN-0001 cannot be redeemed: this code was used 1 of 1 times.'),
      details: [{ reason: 'code-used-up', code: 'WIN-0001' }],
    },
  ]);
  // Another one of the coupon counts beside it.
  const both = await raffle.evaluate(['WIN-0001', 'WIN-0002']);
  expect([both.summary.total, both.codes.map(({ status, reason }: any) => [status, reason])]).toEqual([
    4_000,
    [
      ['dropped', 'code-used-up'],
      ['applied', undefined],
    ],
  ]);
  await expect.poll(async () => (await raffle.show('WIN-0001')).status, PATIENT).toBe('used');
  expect((await raffle.show('WIN-0001')).orderIds).toEqual([order.id]);
  await raffle.cancel(order);
  expect((await raffle.evaluate(['WIN-0001'])).summary.total).toBe(4_000);
  expect(await raffle.show('WIN-0001')).toMatchObject({ status: 'unused', claimed: 0 });
});

test('two codes of one coupon count once, and not beside its own code', async () => {
  const raffle = await newRaffle({ code: 'ALL' });
  await raffle.issue({ codes: ['A-1', 'A-2'] });
  const order = orderOf(await raffle.buy(['A-1', 'A-2']));
  expect(order.costs.total).toBe(4_000);
  expect((await raffle.show('A-2')).claimed).toBe(0);
  const { summary, codes } = await raffle.evaluate(['A-2', 'ALL']);
  expect([summary.total, codes]).toMatchObject([
    4_000,
    [
      { code: 'A-2', status: 'dropped', reason: 'code-counts-once' },
      { code: 'ALL', status: 'applied' },
    ],
  ]);
});

test('all codes together count as often as the coupon allows', async () => {
  const raffle = await newRaffle({ limit: 1 });
  await raffle.issue({ codes: ['B-1', 'B-2'] });
  orderOf(await raffle.buy(['B-1']));
  const refused = await raffle.buy(['B-2']);
  expect([refused.status, refused.body.error.details[0].reason]).toEqual([409, 'redemption-limit-reached']);
  expect((await raffle.show('B-2')).claimed).toBe(0);
});

test(
  'of fifty orders with one code at once, one is placed',
  async () => {
    const raffle = await newRaffle();
    await raffle.issue({ codes: ['ONE'] });
    const replies = await Promise.all(Array.from({ length: 50 }, async () => raffle.buy(['ONE'])));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of replies)
      if (status !== 201) expect(body.error.code).toBe('REDEMPTION_LIMIT_REACHED');
    expect((await raffle.show('ONE')).claimed).toBe(1);
  },
  PATIENT.timeout,
);

test('a coupon lists the codes that it cannot issue, and issues the rest', async () => {
  const raffle = await newRaffle();
  const { code: held } = await raffle.adjust({});
  const first = await raffle.issue({ codes: ['VIP-1', 'vip1', held, '---', 'VIP-2'] });
  expect([first.status, first.body.data]).toMatchObject([
    201,
    {
      kind: 'imported',
      made: 2,
      count: 2,
      rejected: [
        { index: 1, reason: 'duplicate' },
        { index: 2, reason: 'held' },
        { index: 3, reason: 'invalid' },
      ],
    },
  ]);
  const { id } = first.body.data;
  const more = await raffle.issue({ codes: ['VIP-2', 'VIP-3'], batchId: id });
  expect(more.body.data).toMatchObject({ id, made: 3, rejected: [{ index: 0, reason: 'duplicate' }] });
  const other = await raffle.commerce.post('/coupons', { amountOff: 100, uniqueCodes: true });
  const elsewhere = await raffle.pricing.post(`/coupons/${other.body.data.id}/codes`, { codes: ['VIP-3'] });
  expect(elsewhere.body.data).toMatchObject({ made: 0, rejected: [{ index: 0, reason: 'held' }] });
});

test('a revoked code counts only for the order that has it', async () => {
  const raffle = await newRaffle();
  const { id } = (await raffle.issue({ codes: ['R-1', 'R-2', 'R-3'] })).body.data;
  const order = orderOf(await raffle.buy(['R-1']));
  expect((await raffle.pricing.delete(`${raffle.codes}/R-2`)).body.data).toMatchObject({ status: 'revoked', limit: 0 });
  const revoked = await raffle.pricing.delete(`${raffle.codes}/batches/${id}`);
  expect([revoked.status, revoked.body.data.status]).toEqual([200, 'revoked']);
  for (const code of ['R-2', 'R-3']) {
    expect((await raffle.evaluate([code])).codes).toMatchObject([
      { status: 'dropped', reason: 'code-revoked', detail: 'this code was withdrawn' },
    ]);
    const refused = await raffle.buy([code]);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ADJUSTMENT_NOT_APPLICABLE']);
  }
  expect((await raffle.commerce.get(`/orders/${order.id}`)).body.data.costs.total).toBe(4_000);
  await raffle.cancel(order);
  expect((await raffle.show('R-1')).status).toBe('revoked');
  await expect
    .poll(() => raffle.published('coupon.codes_revoked'), PATIENT)
    .toMatchObject([{ subject: raffle.id, data: { id, status: 'revoked' } }]);
});

test('an order keeps its code when it is amended, gives it back with the last ticket, and takes it again', async () => {
  const raffle = await newRaffle();
  await raffle.issue({ codes: ['K-1', 'K-2'] });
  const order = orderOf(await raffle.buy(['K-1'], { items: [{ offeringId: raffle.ticket, quantity: 3 }] }));
  expect(order.costs.total).toBe(12_000);
  const lineId = order.items[0].lineId;
  for (const [mode, quantity, total] of [
    ['keep', 2, 8_000],
    ['reprice', 1, 4_000],
  ] as const) {
    const amended = await raffle.commerce.post(`/orders/${order.id}/amendments`, {
      mode,
      items: [{ lineId, quantity }],
    });
    expect([amended.body.error, amended.body.data?.order.costs.total]).toEqual([undefined, total]);
    expect((await raffle.show('K-1')).claimed).toBe(1);
  }
  const more = await raffle.commerce.post(`/orders/${order.id}/amendments`, {
    mode: 'reprice',
    items: [{ offeringId: raffle.ticket, quantity: 2 }],
  });
  expect([more.body.error, more.body.data?.order.costs.total]).toEqual([undefined, 8_000]);
  const without = await raffle.commerce.post(`/orders/${order.id}/amendments`, {
    mode: 'reprice',
    coupons: [],
    chargeDifference: true,
  });
  expect([without.body.error, without.body.data?.order.costs.total]).toEqual([undefined, 10_000]);
  expect((await raffle.show('K-1')).claimed).toBe(0);
  const again = await raffle.commerce.post(`/orders/${order.id}/amendments`, { mode: 'reprice', coupons: ['K-2'] });
  expect([again.body.error, again.body.data?.order.costs.total]).toEqual([undefined, 8_000]);
  expect((await raffle.show('K-2')).claimed).toBe(1);
  await raffle.cancel(order);
  expect((await raffle.show('K-2')).claimed).toBe(0);
  const reopened = await raffle.commerce.post(`/orders/${order.id}/reopen`, {});
  expect([reopened.status, reopened.body.error]).toEqual([200, undefined]);
  expect((await raffle.show('K-2')).claimed).toBe(1);
});

test('an order gives its code back before it takes another one of the same coupon', async () => {
  const raffle = await newRaffle();
  await raffle.issue({ codes: ['K-1', 'K-2'] });
  const order = orderOf(await raffle.buy(['K-1']));
  const path = `/orders/${order.id}/amendments`;
  for (const change of [
    { mode: 'reprice', coupons: ['K-2'], chargeDifference: true },
    { mode: 'keep', coupons: ['K-1', 'K-2'], items: [{ offeringId: raffle.ticket, quantity: 2 }] },
  ]) {
    const { status, body } = await raffle.commerce.post(path, change);
    expect([status, body.error.details[0].path]).toEqual([400, 'coupons']);
    expect(body.error.message).toContain('has redeemed another code of the same coupon');
  }
  expect([(await raffle.show('K-1')).claimed, (await raffle.show('K-2')).claimed]).toEqual([1, 0]);
});

test('a cart shows what its code does', async () => {
  const raffle = await newRaffle();
  await raffle.issue({ codes: ['CART-1'] });
  const cart = await raffle.cartOf([{ offeringId: raffle.ticket, quantity: 2 }], { coupons: ['cart1'] });
  expect(cart.total).toBe(8_000);
  orderOf(await raffle.buy(['CART-1']));
  expect((await raffle.cart.get(`/cart/sessions/${cart.id}`)).body.data.total).toBe(10_000);
});

test.each([
  [{}, 'count', 'is required, or codes'],
  [{ count: 1, codes: ['A'] }, 'count', 'not both'],
  [{ count: 1_000, pattern: 'RIDE' }, 'pattern', 'must have a #'],
  [{ count: 1_000, pattern: 'RIDE-###' }, 'pattern', 'needs 3 more # for 1000 codes'],
  [{ codes: ['A'], pattern: '####' }, 'pattern', 'belongs to count'],
  [{ count: 1_000_001 }, 'count', '1000000'],
])('refuses %j at %s', async (body, path, message) => {
  const raffle = await newRaffle();
  const { status, body: answer } = await raffle.issue(body);
  expect([status, answer.error.details[0].path]).toEqual([400, path]);
  expect(answer.error.details[0].message).toContain(message);
});

test('a coupon without uniqueCodes issues none, and other companies find none', async () => {
  const raffle = await newRaffle({ uniqueCodes: null, code: 'PLAIN' });
  const refused = await raffle.issue({ count: 1 });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('set uniqueCodes to true'),
  ]);
  const mine = await newRaffle();
  await mine.issue({ codes: ['SECRET'] });
  expect((await raffle.evaluate(['SECRET'])).codes).toMatchObject([{ status: 'unknown' }]);
  const foreign = await raffle.pricing.get(`${mine.codes}/SECRET`);
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'COUPON_NOT_FOUND']);
  expect((await mine.pricing.get(`${mine.codes}/UNKNOWN`)).body.error.code).toBe('CODE_NOT_FOUND');
});

describe('a client that guesses codes', () => {
  const shopKey: Scope[] = ['pricing:evaluate', 'orders:checkout'];
  const tried = Array.from({ length: 11 }, (_, index) => `GUESS-${index}`);

  test('learns nothing more about codes for a minute, while others are served', async () => {
    const raffle = await newRaffle();
    await raffle.issue({ codes: ['GOOD-1'] });
    const enter = async (code: string, clientRef: string, scopes = shopKey) => {
      const body = { offering: raffle.offering, cartContext: { codes: [code], clientRef } };
      const { codes, summary } = await call(services.bus, RPC.evaluate, body, raffle.context(scopes));
      return [codes[0]?.status, summary.total];
    };
    // A repeated misspelling counts once.
    for (let times = 0; times < 15; times++) expect(await enter('GOOD', 'r')).toEqual(['unknown', 5_000]);
    expect(await enter('GOOD-1', 'r')).toEqual(['applied', 4_000]);
    for (const code of tried) await enter(code, 'r');
    await expect.poll(async () => enter('GOOD-1', 'r')).toEqual(['throttled', 5_000]);
    expect(await enter('GOOD-1', 'another')).toEqual(['applied', 4_000]);
    expect(await enter('GOOD-1', 'r', ['pricing:evaluate', 'pricing:read'])).toEqual(['applied', 4_000]);
  });

  test('with amendments learns nothing more either', async () => {
    const raffle = await newRaffle();
    await raffle.issue({ codes: ['GOOD-1'] });
    const shop = raffle.as('orders:checkout');
    const items = [{ offeringId: raffle.ticket, quantity: 1 }];
    const pending = await shop.post('/orders', raffle.body({ items, expiresInSeconds: 600 }));
    const preview = async (coupons: string[]) => {
      const { status, body } = await shop.post(`/orders/${orderOf(pending).id}/amendments/preview`, { coupons });
      if (status === 200) return body.data.reprice.code ?? body.data.reprice.due;
      expect(body.error.details[0].path).toBe('coupons');
      return body.error.code;
    };
    expect(await preview(['GOOD-1'])).toBe(-1_000);
    for (let from = 0; from < 7; from++) {
      const guesses = Array.from({ length: 50 }, (_, n) => `GUESS-${from}-${n}`);
      expect(['VALIDATION_FAILED', 'RATE_LIMITED']).toContain(await preview(guesses));
    }
    await expect.poll(async () => preview(['GOOD-1'])).toBe('RATE_LIMITED');
    const amended = await shop.post(`/orders/${orderOf(pending).id}/amendments`, {
      mode: 'reprice',
      coupons: ['GOOD-1'],
    });
    expect([amended.status, amended.body.error.details[0].path]).toEqual([429, 'coupons']);
    const other = await raffle.commerce.post(`/orders/${orderOf(pending).id}/amendments/preview`, {
      coupons: ['GOOD-1'],
    });
    expect(other.body.data.reprice.due).toBe(-1_000);
  });

  test('in a cart keeps the price without codes', async () => {
    const raffle = await newRaffle();
    await raffle.issue({ codes: ['GOOD-1'] });
    const { id } = await raffle.cartOf([{ offeringId: raffle.ticket, quantity: 1 }], { coupons: tried });
    const enter = async () => (await raffle.cart.patch(`/cart/sessions/${id}`, { coupons: ['GOOD-1'] })).body.data;
    await expect.poll(enter).toMatchObject({ total: 5_000, couponResults: [{ code: 'GOOD-1', status: 'throttled' }] });
    const ordering = { contextId: raffle.eventId, cartSessionId: id, items: undefined };
    const placed = await raffle.as('orders:checkout').post('/orders', raffle.body(ordering));
    expect([placed.status, placed.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    const other = await raffle.cartOf([{ offeringId: raffle.ticket, quantity: 1 }], { coupons: ['GOOD-1'] });
    expect(other.total).toBe(4_000);
  });
});
