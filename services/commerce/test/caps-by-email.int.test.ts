import { newCode } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { PATIENT, redemptionsOf } from './shop.ts';
import { newSale, orderOf } from './ticket-sale.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ADA = { email: 'Ada@x.org' };
const ADA_AGAIN = { email: ' ada@X.org' };
const HALF = { kind: 'percentage_off', percent: 50 };

/** A sale at half price, once for each customer. */
async function newOncePerEmail(conditions: object = {}) {
  const code = newCode();
  const sale = await newSale(
    services,
    { code, maxRedemptionsPerCustomer: 1, perCustomerBy: 'email', ...conditions },
    { effect: HALF },
  );
  return { ...sale, code, buyAs: async (customer: object) => sale.buy(1, { coupons: [code], customer }) };
}

test('a guest redeems once per e-mail address, in any spelling, until the order is over', async () => {
  const { code, buyAs, cancel, evaluate, cartOf, items, commerce, cart } = await newOncePerEmail();
  const shown = async (cartContext: object) => {
    const { summary, codes } = await evaluate(1, { codes: [code], ...cartContext });
    return [summary.total, codes[0]?.reason];
  };
  expect(await shown({})).toEqual([5_000, 'customer-missing']);
  expect(await shown({ customerEmail: ADA.email })).toEqual([2_500, undefined]);
  const session = await cartOf(items(1), { coupons: [code], customerEmail: ADA.email });
  expect([session.total, session.customerEmail]).toEqual([2_500, 'ada@x.org']);
  const first = orderOf(await buyAs(ADA));
  expect(first.costs.total).toBe(2_500);
  const refused = await buyAs(ADA_AGAIN);
  expect([refused.status, refused.body.error.details[0].reason]).toEqual([409, 'customer-redemption-limit-reached']);
  expect(await shown({ customerEmail: 'ADA@x.org' })).toEqual([5_000, 'customer-redemption-limit-reached']);
  expect((await cart.get(`/cart/sessions/${session.id}`)).body.data.total).toBe(5_000);
  expect(orderOf(await buyAs({ email: 'grace@x.org' })).costs.total).toBe(2_500);
  await cancel(first);
  const second = orderOf(await buyAs(ADA_AGAIN));
  expect(second.costs.total).toBe(2_500);
  const reopened = await commerce.post(`/orders/${first.id}/reopen`, {});
  expect([reopened.status, reopened.body.error?.details[0].reason]).toEqual([409, 'customer-redemption-limit-reached']);
});

test('a customer with an id is known by the address and by the id', async () => {
  const { buyAs } = await newOncePerEmail();
  orderOf(await buyAs({ id: 'c1', ...ADA }));
  for (const customer of [ADA, { id: 'c1', email: 'other@x.org' }, { id: 'c2', ...ADA }]) {
    expect([customer, (await buyAs(customer)).status]).toEqual([customer, 409]);
  }
  expect((await buyAs({ id: 'c2', email: 'other@x.org' })).status).toBe(201);
});

test('an address of many letters outside ASCII is priced, ordered and counted', async () => {
  const { code, buyAs, cartOf, items } = await newOncePerEmail();
  const customer = { email: `ada@${'ü1.'.repeat(60)}example` };
  expect((await cartOf(items(1), { coupons: [code], customerEmail: customer.email })).total).toBe(2_500);
  expect([(await buyAs(customer)).status, (await buyAs(customer)).status]).toEqual([201, 409]);
});

test('tickets are counted by the address too', async () => {
  const sale = await newSale(services, { maxTicketsPerCustomer: 3, perCustomerBy: 'email' }, { effect: HALF });
  const total = async (quantity: number) => orderOf(await sale.buy(quantity, { customer: ADA })).costs.total;
  expect([await total(2), await total(2), await total(1)]).toEqual([5_000, 7_500, 5_000]);
});

test(
  'of twenty orders of one guest at once, one redeems',
  async () => {
    const sale = await newOncePerEmail();
    const replies = await Promise.all(Array.from({ length: 20 }, async () => sale.buyAs(ADA)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  },
  PATIENT.timeout,
);

test(
  'an erased customer leaves no address behind, and what was redeemed still counts',
  async () => {
    const sale = await newOncePerEmail({ maxRedemptions: 5 });
    const order = orderOf(await sale.buyAs({ id: 'c-erased', ...ADA }));
    await expect.poll(async () => redemptionsOf(sale, sale.id), PATIENT).toEqual([[order.id, 'confirmed']]);
    await sale.cartOf(sale.items(1), { customerEmail: ADA.email });
    const started = await sale.activity.post('/customers/c-erased/erase', {});
    const erasure = async () => (await sale.activity.get(`/customers/erasures/${started.body.data.id}`)).body.data;
    await expect.poll(async () => (await erasure()).status, PATIENT).toBe('done');
    expect((await erasure()).found).toMatchObject({ carts: 1, redemptions: 1 });
    const shares = await services.databases.pricing.collection('customer_usage').find({}).toArray();
    const own = shares.filter(({ _id }) => String(_id).includes(sale.id));
    const { pseudonym } = await erasure();
    expect(own.map(({ _id, claimed }) => [String(_id).includes(pseudonym), claimed])).toEqual([
      [true, 1],
      [true, 1],
    ]);
    expect((await sale.buyAs(ADA)).status).toBe(201);
  },
  PATIENT.timeout,
);

test('a redemption by hand names the address, and the issued code', async () => {
  const { pricing, commerce, ...sale } = await newOncePerEmail();
  const redeem = async (id: string, body: object) => pricing.post(`/pricing/adjustments/${id}/redemptions`, body);
  const missing = await redeem(sale.id, { orderId: 'o-1', customerId: 'c1' });
  expect([missing.status, missing.body.error.details[0].path]).toEqual([400, 'customerEmail']);
  expect((await redeem(sale.id, { orderId: 'o-1', customerEmail: ADA.email })).status).toBe(201);
  const second = await redeem(sale.id, { orderId: 'o-2', customerEmail: ADA_AGAIN.email });
  expect([second.status, second.body.error.details[0].reason]).toEqual([409, 'customer-redemption-limit-reached']);

  const coupon = (await commerce.post('/coupons', { percentOff: 20, uniqueCodes: true })).body.data;
  await pricing.post(`/coupons/${coupon.id}/codes`, { codes: ['HAND-1', 'HAND-2'] });
  const [{ id }] = (await pricing.get(`/pricing/adjustments?couponId=${coupon.id}`)).body.data;
  const byCode = async (orderId: string, code?: string) => {
    const { status, body } = await redeem(id, { orderId, ...(code === undefined ? {} : { code }) });
    return [status, body.error?.details[0].path, body.error?.details[0].reason];
  };
  expect(await byCode('o-1')).toEqual([400, 'code', undefined]);
  expect(await byCode('o-1', 'HAND-9')).toEqual([400, 'code', undefined]);
  expect(await byCode('o-1', 'hand1')).toEqual([201, undefined, undefined]);
  expect(await byCode('o-1', 'hand1')).toEqual([200, undefined, undefined]);
  expect(await byCode('o-2', 'HAND-1')).toEqual([409, 'code', 'code-used-up']);
  const shown = async () => (await pricing.get(`/coupons/${coupon.id}/codes/HAND-1`)).body.data;
  expect(await shown()).toMatchObject({ status: 'used', orderIds: ['o-1'] });
  const redemptions = (await pricing.get(`/pricing/adjustments/${id}/redemptions`)).body.data;
  const { id: redemptionId } = redemptions.find(({ status }: any) => status === 'confirmed');
  await pricing.delete(`/pricing/adjustments/${id}/redemptions/${redemptionId}`);
  expect(await shown()).toMatchObject({ status: 'unused', claimed: 0 });
});
