import { randomUUID } from 'node:crypto';
import { PlatformError, type PurchaseReply, type PurchaseRequest } from '@event-commerce/contracts';
import { adjustmentBody, hostileMembers, liveTenant, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aLine, type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2 });
});
afterAll(async () => pricing.stop());

/** Ten percent off for everybody, unless `changes` say otherwise. */
async function create(company: Company, changes: Record<string, unknown> = {}): Promise<string> {
  const automatic = {
    name: 'Spring',
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    stacking: 'stackable',
    conditions: {},
    effect: { kind: 'percentage_off', percent: 10 },
  };
  const { status, body } = await company
    .api()
    .post('/pricing/adjustments', adjustmentBody('', { ...automatic, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data.id;
}

/** 20 % off for a code. */
async function createCoupon(company: Company, conditions: Record<string, unknown> = {}, changes = {}) {
  const code = newCode();
  const { status, body } = await company
    .api()
    .post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, ...conditions }, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return { code, id: body.data.id as string };
}

const buy = async (company: Company, request: Partial<PurchaseRequest> = {}) =>
  await pricing.purchase(company.companyId, request);

const refusalOf = async (company: Company, request: Partial<PurchaseRequest> = {}) =>
  await buy(company, request).then(
    (reply) => expect.fail(`was not refused: ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );

async function usage(company: Company, id: string) {
  const document = await pricing.models.usages.findOne({ _id: id, companyId: liveTenant(company.companyId) }).lean();
  const { confirmed = 0, claimed = 0, pending = [] } = document ?? {};
  return { confirmed, claimed, pending: pending.length };
}
const NOTHING = { confirmed: 0, claimed: 0, pending: 0 };
const ONE = { confirmed: 0, claimed: 1, pending: 1 };

const redeemed = ({ claims }: PurchaseReply) => claims.map(({ adjustmentId }) => adjustmentId).toSorted();

describe('a purchase', () => {
  test('claims exactly what makes its price', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    await create(company, { conditions: { minQuantity: 3 } });
    const fee = await create(company, {
      effect: { kind: 'amount_surcharge', amount: 150, currency: 'EUR', per: 'order' },
    });
    const { code, id } = await createCoupon(company, { maxRedemptions: 5 });
    const reply = await buy(company, { codes: [code.toLowerCase()], charges: 500, expectedTotal: 7_650 });
    expect(redeemed(reply)).toEqual([spring, fee, id].toSorted());
    expect(reply.price?.summary).toMatchObject({ subtotal: 10_000, total: 7_150, currency: 'EUR' });
    expect(reply.platformTotal).toBe(7_150);
    expect(reply.codes).toEqual([{ code: code.toLowerCase(), status: 'applied', adjustmentId: id }]);
    expect(reply.claims.find(({ adjustmentId }) => adjustmentId === id)?.code).toBe(code);
    for (const claimed of [spring, fee, id]) expect(await usage(company, claimed)).toEqual(ONE);
  });

  test('without lines redeems what is named, and has no price', async () => {
    const company = pricing.newCompany();
    await create(company);
    const { code, id } = await createCoupon(company);
    const reply = await buy(company, { lines: [], codes: [code] });
    expect([redeemed(reply), reply.price, reply.platformTotal]).toEqual([[id], undefined, undefined]);
  });

  test('with stated prices is charged at them, and says what it costs at list prices', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    const reply = await buy(company, { lines: [aLine({ statedPrice: 3_000 })], expectedTotal: 5_400 });
    expect([reply.price?.summary.total, reply.platformTotal]).toEqual([5_400, 9_000]);
    expect(redeemed(reply)).toEqual([spring]);
  });

  test('does not claim a code that lost against a better one, and says why', async () => {
    const company = pricing.newCompany();
    const better = await createCoupon(company);
    const worse = await createCoupon(company, {}, { effect: { kind: 'percentage_off', percent: 5 } });
    const reply = await buy(company, { codes: [worse.code, better.code] });
    expect(redeemed(reply)).toEqual([better.id]);
    expect(reply.codes).toMatchObject([
      { code: worse.code, status: 'dropped', reason: 'replaced-within-category', adjustmentId: worse.id },
      { code: better.code, status: 'applied' },
    ]);
    expect(await usage(company, worse.id)).toEqual(NOTHING);
  });

  test('names a code that no active adjustment holds, and claims nothing', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    expect(await refusalOf(company, { codes: ['NOBODY'] })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'order.coupons', message: expect.stringContaining('NOBODY') }],
    });
    expect(await usage(company, spring)).toEqual(NOTHING);
  });

  test('that does not cost what was expected is refused with both totals, and claims nothing', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    const { code, id } = await createCoupon(company);
    expect(await refusalOf(company, { codes: [code], charges: 100, expectedTotal: 7_000 })).toMatchObject({
      code: 'PRICE_CHANGED',
      message: 'The order costs 7100 now, and expectedTotal is 7000 (minor units of EUR).',
      details: [
        { path: 'order.expectedTotal', expectedTotal: 7_000, total: 7_100, currency: 'EUR' },
        ...[
          { path: 'order.items', adjustmentId: spring, total: -1_000 },
          { path: 'order.coupons', adjustmentId: id, code, total: -2_000 },
        ].map((detail) => expect.objectContaining(detail)),
      ],
    });
    expect(await usage(company, spring)).toEqual(NOTHING);
    expect(await usage(company, id)).toEqual(NOTHING);
  });
});

/** What an evaluation of the same cart says about `code`, with the current time left out of the sentence. */
async function evaluated(
  company: Company,
  { lines = [aLine()], cartContext = {}, codes = [] }: Partial<PurchaseRequest>,
) {
  const amount = lines.reduce((sum, { offering, quantity }) => sum + offering.price.amount * quantity, 0);
  const orderTotal = { amount, currency: lines[0]?.offering.price.currency ?? 'EUR' };
  const [cart] = await pricing.askCarts(company.companyId, [
    { lines, cartContext: { ...cartContext, codes, orderTotal } },
  ]);
  if (cart === undefined || !('evaluation' in cart)) throw new Error(`was not priced: ${JSON.stringify(cart)}`);
  return cart.evaluation;
}
const withoutTime = (detail = '') => detail.replace(/it is .*Z/, 'it is now');

describe('a code that does not count is refused with the reason of an evaluation', () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const customer = { cartContext: { customerId: 'c1' } };
  test.each<[string, Record<string, unknown>, Partial<PurchaseRequest>, Record<string, unknown>?]>([
    ['target-mismatch', {}, {}, { targets: [{ eventId: 'evt_other' }] }],
    ['not-started', { startsAt: tomorrow }, {}],
    ['ended', { endsAt: yesterday }, {}],
    ['quantity-below-minimum', { minQuantity: 3 }, {}],
    ['quantity-above-maximum', { maxQuantity: 1 }, {}],
    ['order-total-below-minimum', { minOrderTotal: { amount: 10_001, currency: 'EUR' } }, {}],
    ['order-total-above-maximum', { maxOrderTotal: { amount: 9_999, currency: 'EUR' } }, {}],
    ['segment-mismatch', { customerSegments: ['vip'] }, { cartContext: { customerSegment: 'staff' } }],
    ['channel-mismatch', { channelIds: ['web'] }, { cartContext: { channelId: 'app' } }],
    ['tag-mismatch', { tags: ['seated'] }, {}],
    ['currency-mismatch', { minOrderTotal: { amount: 1, currency: 'USD' } }, {}],
    ['customer-missing', { maxRedemptionsPerCustomer: 1 }, {}],
    ['redemption-limit-reached', { maxRedemptions: 1 }, customer],
    ['customer-redemption-limit-reached', { maxRedemptionsPerCustomer: 1 }, customer],
  ])('%s', async (reason, conditions, request, changes) => {
    const company = pricing.newCompany();
    const spring = await create(company);
    const { code, id } = await createCoupon(company, conditions, changes);
    if (reason.endsWith('limit-reached')) await buy(company, { codes: [code], ...request });
    const claimed = await usage(company, spring);
    const [told] = (await evaluated(company, { codes: [code], ...request })).codes;
    expect(told).toMatchObject({ status: 'dropped', reason });
    const refusal = await refusalOf(company, { codes: [code], ...request });
    expect(refusal).toMatchObject({
      code: reason.endsWith('limit-reached') ? 'REDEMPTION_LIMIT_REACHED' : 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ path: 'order.coupons', reason, code, adjustmentId: id }],
    });
    const [detail] = (refusal as PlatformError).details ?? [];
    expect(withoutTime(detail?.message)).toBe(withoutTime(told?.detail));
    expect(await usage(company, spring)).toEqual(claimed);
  });
});

describe('an adjustment that the order names', () => {
  test('counts without its code, and is claimed', async () => {
    const company = pricing.newCompany();
    const { id } = await createCoupon(company);
    const reply = await buy(company, { adjustmentIds: [id], expectedTotal: 8_000 });
    expect([redeemed(reply), reply.codes]).toEqual([[id], []]);
  });

  test.each([
    ['target-mismatch', {}, { targets: [{ eventId: 'evt_other' }] }],
    ['segment-mismatch', { customerSegments: ['vip'] }, {}],
  ])('is refused when it does not count: %s', async (reason, conditions, changes) => {
    const company = pricing.newCompany();
    const { id } = await createCoupon(company, conditions, changes);
    expect(await refusalOf(company, { adjustmentIds: [id] })).toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ path: 'order.items', reason, adjustmentId: id }],
    });
  });

  test('is not claimed when it lost, and refused when it is not active', async () => {
    const company = pricing.newCompany();
    const better = await createCoupon(company);
    const worse = await createCoupon(company, {}, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(redeemed(await buy(company, { adjustmentIds: [worse.id, better.id] }))).toEqual([better.id]);
    await company.api().delete(`/pricing/adjustments/${worse.id}`);
    expect(await refusalOf(company, { adjustmentIds: [worse.id] })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'order.items', message: expect.stringContaining(worse.id) }],
    });
  });
});

describe('a cap', () => {
  test('of an automatic adjustment that ran out leaves it out, unless the buyer expects it', async () => {
    const company = pricing.newCompany();
    const first = await create(company, { conditions: { maxRedemptions: 1 } });
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(redeemed(await buy(company, { expectedTotal: 8_500 }))).toEqual([first, always].toSorted());
    const refusal = await refusalOf(company, { expectedTotal: 8_500 });
    expect(refusal).toMatchObject({
      code: 'PRICE_CHANGED',
      details: [
        { expectedTotal: 8_500, total: 9_500 },
        { adjustmentId: always, total: -500 },
        { adjustmentId: first, reason: 'redemption-limit-reached' },
      ],
    });
    for (const expectedTotal of [9_500, undefined]) {
      const reply = await buy(company, expectedTotal === undefined ? {} : { expectedTotal });
      expect([redeemed(reply), reply.price?.summary.total]).toEqual([[always], 9_500]);
    }
    expect(await usage(company, first)).toEqual(ONE);
    expect(await usage(company, always)).toEqual({ confirmed: 0, claimed: 3, pending: 3 });
  });

  test('that is raised has room for the next purchase', async () => {
    const company = pricing.newCompany();
    const id = await create(company, { conditions: { maxRedemptions: 1 } });
    for (const total of [9_000, 10_000, 10_000]) expect((await buy(company)).price?.summary.total).toBe(total);
    await company.api(1).patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptions: 2 } });
    for (const total of [9_000, 10_000]) expect((await buy(company)).price?.summary.total).toBe(total);
  });

  test('that gets room again has it for the next purchase', async () => {
    const company = pricing.newCompany();
    const id = await create(company, { conditions: { maxRedemptions: 1 } });
    const { orderId, claims } = await buy(company);
    expect((await buy(company)).price?.summary.total).toBe(10_000);
    await pricing.cancel(company.companyId, { orderId, claims });
    expect(redeemed(await buy(company))).toEqual([id]);
  });

  test('per customer counts each customer alone', async () => {
    const company = pricing.newCompany();
    const id = await create(company, { conditions: { maxRedemptionsPerCustomer: 1 } });
    const totalFor = async (customerId?: string) =>
      (await buy(company, { cartContext: customerId === undefined ? {} : { customerId } })).price?.summary.total;
    expect(await totalFor()).toBe(10_000);
    for (const customerId of ['c1', 'c2']) {
      expect([await totalFor(customerId), await totalFor(customerId), await totalFor(customerId)]).toEqual([
        9_000, 10_000, 10_000,
      ]);
    }
    expect(await usage(company, id)).toEqual({ confirmed: 0, claimed: 2, pending: 2 });
  });

  test('is given to a reopened order before anybody else can have it', async () => {
    const company = pricing.newCompany();
    const { code, id } = await createCoupon(company, { maxRedemptions: 1 });
    const { orderId, claims: former } = await buy(company, { codes: [code], key: 'first' });
    const reopened = { codes: [code], orderId, key: 'second', reopening: 1, former };
    const { claims } = await buy(company, reopened);
    expect([claims.length, claims[0]?.redemptionId === former[0]?.redemptionId]).toEqual([1, false]);
    expect(await usage(company, id)).toEqual(ONE);
    // A copy of it gets the same.
    expect((await buy(company, reopened)).claims).toEqual(claims);
    expect(await usage(company, id)).toEqual(ONE);
  });
});

describe('200 purchases at once', () => {
  /** Their total, or the code of the refusal, each with how often it occurred. */
  const outcomes = async (company: Company, request: Partial<PurchaseRequest>) => {
    const bought = await Promise.all(
      Array.from({ length: 200 }, async (_, n) =>
        buy(company, { cartContext: { customerId: `c${n}` }, ...request }).then(
          ({ price }) => price?.summary.total ?? 0,
          (error: unknown) => (error instanceof PlatformError ? error.code : String(error)),
        ),
      ),
    );
    return Object.fromEntries([...Map.groupBy(bought, (one) => one)].map(([one, { length }]) => [one, length]));
  };

  test('take a code with a cap of 20 exactly 20 times, and nothing else for the others', async () => {
    const company = pricing.newCompany();
    const automatic = [
      await create(company, { conditions: { maxRedemptionsPerCustomer: 1 } }),
      await create(company, { effect: { kind: 'amount_surcharge', amount: 100, currency: 'EUR', per: 'order' } }),
      await create(company, { conditions: { maxRedemptions: 150 }, effect: { kind: 'percentage_off', percent: 1 } }),
    ];
    const { code, id } = await createCoupon(company, { maxRedemptions: 20 });
    expect(await outcomes(company, { codes: [code] })).toEqual({ 7000: 20, REDEMPTION_LIMIT_REACHED: 180 });
    for (const claimed of [...automatic, id]) {
      expect([claimed, await usage(company, claimed)]).toEqual([claimed, { confirmed: 0, claimed: 20, pending: 20 }]);
    }
  }, 60_000);

  test('that want a code which is gone leave what is scarcer to others', async () => {
    const company = pricing.newCompany();
    const scarcer = await create(company, { conditions: { maxRedemptions: 150 } });
    const { code } = await createCoupon(company, { maxRedemptions: 200 });
    const own = { cartContext: { customerId: 'c1' } };
    await Promise.all(Array.from({ length: 200 }, async () => buy(company, { lines: [], codes: [code], ...own })));
    expect(await outcomes(company, { codes: [code] })).toEqual({ REDEMPTION_LIMIT_REACHED: 200 });
    expect(await usage(company, scarcer)).toEqual(NOTHING);
  }, 60_000);

  test('get an automatic adjustment with a cap of 20 exactly 20 times, and all are bought', async () => {
    const company = pricing.newCompany();
    const capped = await create(company, { conditions: { maxRedemptions: 20 } });
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(await outcomes(company, {})).toEqual({ 8500: 20, 9500: 180 });
    expect(await usage(company, capped)).toEqual({ confirmed: 0, claimed: 20, pending: 20 });
    expect(await usage(company, always)).toEqual({ confirmed: 0, claimed: 200, pending: 200 });
  }, 60_000);

  test('of which only 20 can have the price that all expect are 20', async () => {
    const company = pricing.newCompany();
    const capped = await create(company, { conditions: { maxRedemptions: 20 } });
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(await outcomes(company, { expectedTotal: 8_500 })).toEqual({ 8500: 20, PRICE_CHANGED: 180 });
    for (const id of [capped, always]) {
      expect(await usage(company, id)).toEqual({ confirmed: 0, claimed: 20, pending: 20 });
    }
  }, 60_000);
});

describe('ten copies of an order at once', () => {
  test.each([
    ['a code', true],
    ['an automatic adjustment', false],
  ])('share the last place of %s, the order id and the price', async (_what, byCode) => {
    const company = pricing.newCompany();
    // Full for everybody: copies that find it so price again, while others of them hold the last place of the rest.
    const gone = await create(company, {
      conditions: { maxRedemptions: 1 },
      effect: { kind: 'percentage_off', percent: 1 },
    });
    await buy(company);
    const { code, id } = byCode
      ? await createCoupon(company, { maxRedemptions: 1 })
      : { code: undefined, id: await create(company, { conditions: { maxRedemptions: 1 } }) };
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    const copy = {
      key: randomUUID(),
      content: 'c',
      codes: code === undefined ? [] : [code],
      expectedTotal: byCode ? 7_500 : 8_500,
    };
    const replies = await Promise.all(Array.from({ length: 10 }, async () => buy(company, copy)));
    expect(replies.map(redeemed)).toEqual(replies.map(() => [id, always].toSorted()));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    for (const claimed of [gone, id, always]) expect(await usage(company, claimed)).toEqual(ONE);
  });

  test('with other content get nothing while the first has its claims', async () => {
    const company = pricing.newCompany();
    await create(company);
    const key = randomUUID();
    await buy(company, { key, content: 'one' });
    expect(await refusalOf(company, { key, content: 'other' })).toMatchObject({ code: 'ORDER_NUMBER_TAKEN' });
  });
});

test.each(
  Object.entries({ ...hostileMembers(), 'a lone surrogate': '\ud800', 'a NUL': 'a\u0000b' }).filter(
    ([what]) => !what.startsWith('no end') && !what.startsWith('more'),
  ),
)('purchases are as good as ever beside those that hold %s', async (_what, member: any) => {
  const company = pricing.newCompany();
  const { code, id } = await createCoupon(company, { maxRedemptions: 100 });
  const bad = ['orderId', 'key', 'content', 'attempt', 'former', 'lines', 'codes', 'adjustmentIds', 'charges'].map(
    (name) => ({ codes: [code], [name]: member }),
  );
  const hostile = [...bad, { cartContext: { customerId: member } }].map(async (request) =>
    buy(company, { codes: [code], ...request }).then(
      ({ claims }) => claims.length,
      () => 0,
    ),
  );
  const good = await Promise.all(Array.from({ length: 20 }, async () => buy(company, { codes: [code] })));
  expect(good.map(redeemed)).toEqual(good.map(() => [id]));
  const taken = (await Promise.all(hostile)).reduce((sum, claims) => sum + claims, 0);
  expect((await usage(company, id)).claimed).toBe(20 + taken);
});

test('an order that cannot be priced is refused, naming its items', async () => {
  const company = pricing.newCompany();
  await create(company, { effect: { kind: 'percentage_surcharge', percent: 100 } });
  const offering = (currency: string, amount = 5_000) => ({ id: 'o', eventId: 'e', price: { amount, currency } });
  const lines = [aLine(), aLine({ offering: offering('USD') })];
  expect(await refusalOf(company, { lines })).toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'order.items must be of one currency, not EUR, USD.',
  });
  const charges = Number.MAX_SAFE_INTEGER;
  expect(await refusalOf(company, { charges })).toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'The price becomes too large to be kept exactly.',
  });
});
