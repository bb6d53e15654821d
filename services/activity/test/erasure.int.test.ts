import { liveTenant } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { documentsWith, newPerson, orderOf, sellTo } from './customers.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
}, 60_000);

/** Erases a customer. What takes longer than the request waits is read until it is done. */
async function erase({ activity }: Company, customer: string) {
  const begun = await activity.post(`/customers/${encodeURIComponent(customer)}/erase`, {});
  if (begun.status !== 202) return begun;
  const read = async () => activity.get(`/customers/erasures/${begun.body.data.id}`);
  await expect.poll(async () => (await read()).body.data.status, { timeout: 30_000 }).toBe('done');
  return await read();
}

const NOTHING = { orders: 0, carts: 0, groups: 0, redemptions: 0, activity: 0 };

test('a customer who is erased is named by no record of any service; what was sold and redeemed stays', async () => {
  const company = services.newCompany();
  const { activity, commerce, cart, events, pricing } = company;
  const [person, other] = [newPerson(), newPerson()];
  const { orders, coupon, code, session, groups, group, adjustment, sold } = await sellTo(company, person);
  const grace = orderOf(company, other, { coupons: [code] });
  expect((await commerce.post('/orders', grace)).status).toBe(201);
  await expect.poll(sold).toBe(3);
  const usageOf = async (id: string) => (await pricing.get(`/pricing/adjustments/${id}`)).body.data.usage;
  const usage = await usageOf(adjustment);
  expect(await documentsWith(services, person.word, company.companyId)).not.toEqual([]);

  const { status, body } = await erase(company, person.email.toLowerCase());
  expect([status, body]).toMatchObject([200, { data: { status: 'done' } }]);
  const { id, pseudonym, found, remains } = body.data;
  expect(pseudonym).toMatch(/^erased_[0-9a-f]{32}$/);
  expect(found).toMatchObject({ orders: 3, carts: 1, groups: 1, redemptions: 3 });
  expect(found.activity).toBeGreaterThanOrEqual(6);
  expect(remains.map(({ where }: { where: string }) => where)).toEqual([
    'order-attempts',
    'event-stream',
    'dead-letters',
  ]);
  expect(await documentsWith(services, person.word, company.companyId)).toEqual([]);
  expect(JSON.stringify(company.published('order.updated'))).not.toContain(person.word);

  const listed = async (query: string) => (await commerce.get(`/orders?${query}`)).body.data;
  expect(await listed(`email=${person.email}`)).toEqual([]);
  expect(await listed(`customerId=${encodeURIComponent(person.id)}`)).toEqual([]);
  expect(await listed(`q=${person.lastName}`)).toEqual([]);
  const kept = (await listed(`customerId=${pseudonym}`)).toReversed();
  expect(kept.map((order: { id: string; costs: object }) => [order.id, order.costs])).toEqual(
    orders.map(({ id: orderId, costs: { total, ...costs } }) => [
      orderId,
      expect.objectContaining({ total, currency: (costs as { currency?: string }).currency }),
    ]),
  );
  expect(kept[0]).toMatchObject({
    customer: { id: pseudonym, email: 'erased@erased.invalid' },
    meta: {},
    items: [{ offeringId: 'off_1', name: 'Ticket', quantity: 2 }],
    coupons: [{ code }],
    version: 2,
  });
  expect(await sold()).toBe(3);
  expect(await usageOf(adjustment)).toEqual(usage);
  const oneMore = await pricing.post(`/pricing/adjustments/${adjustment}/redemptions`, { orderId: 'one-more' });
  expect(oneMore.body.error?.code).toBe('REDEMPTION_LIMIT_REACHED');
  expect((await cart.get(`/cart/sessions/${session}`)).body.data.customerId).toBe(pseudonym);
  const { members, name, notes } = (await events.get(groups)).body.data.find((one: { id: string }) => one.id === group);
  expect({ members, name, notes }).toMatchObject({
    members: [{ id: pseudonym, customerId: pseudonym, email: 'erased@erased.invalid' }, { id: 'grace' }],
    name: 'Erased',
    notes: [{ text: '' }],
  });
  expect((await listed(`email=${other.email}`))[0].customer.lastName).toBe(other.lastName);

  // What the customer redeemed can still be released, and counts for nobody else.
  expect((await commerce.post(`/orders/${orders[0]?.id}/cancel`, {})).status).toBe(200);
  await expect.poll(sold).toBe(2);
  const shares = await services.models.pricing.customerUsage.find({ _id: { $regex: pseudonym } });
  expect(shares.map(({ claimed }) => claimed)).toEqual([1, 1]);

  expect((await activity.get(`/customers/erasures/${id}`)).body.data).toEqual(body.data);
  const told = async () => (await activity.get(`/activity?type=customer.*&after=oldest`)).body.data;
  await expect.poll(told).toMatchObject([{ type: 'customer.erased', subject: id, data: { pseudonym, found } }]);
  const again = await erase(company, person.email);
  expect([again.status, again.body.data.found]).toEqual([200, NOTHING]);
  expect((await commerce.get(`/coupons/${coupon}`)).body.data.quantitySold).toBe(2);
});

test('limited tickets of an erased customer still count, and can be returned, without saying whose they are', async () => {
  const company = services.newCompany();
  const { activity, commerce, events } = company;
  const event = (await events.post('/events', { name: 'Gala', maxPerCustomer: 3 })).body.data;
  const offering = { name: 'Ticket', price: { amount: 5_000, currency: 'EUR' }, maxPerCustomer: 2 };
  const { id: offeringId } = (await events.post(`/events/${event.id}/offerings`, offering)).body.data;
  const person = newPerson();
  const order = async (quantity: number) =>
    await commerce.post('/orders', orderOf(company, person, { items: [{ offeringId, quantity }] }));
  const placed = await order(2);
  expect([placed.status, placed.body.error]).toEqual([201, undefined]);
  const { id } = placed.body.data.order;
  const { body } = await activity.post(`/customers/${person.email}/erase`, {});
  const erasure = async () => (await activity.get(`/customers/erasures/${body.data.id}`)).body.data;
  await expect.poll(erasure, { timeout: 30_000 }).toMatchObject({ status: 'done', found: { orders: 1 } });
  expect(await documentsWith(services, person.word, company.companyId)).toEqual([]);

  expect((await order(1)).body.error.code).toBe('CUSTOMER_LIMIT_REACHED');
  const amended = await commerce.post(`/orders/${id}/amendments`, {
    mode: 'keep',
    items: [{ offeringId, quantity: 1 }],
  });
  expect(amended.status).toBe(201);
  expect((await order(2)).body.error.code).toBe('CUSTOMER_LIMIT_REACHED');
  expect((await commerce.post(`/orders/${id}/cancel`, {})).status).toBe(200);
  expect((await order(2)).status).toBe(201);
  const shares = await services.models.events.customerTickets.find({ companyId: liveTenant(company.companyId) }).lean();
  expect(shares.map(({ claimed }) => claimed)).toEqual([2, 2, 2, 2]);
});

test('a customer with a pending order is not erased before it is confirmed or cancelled', async () => {
  const company = services.newCompany();
  const person = newPerson();
  const pending = await company.commerce.post('/orders', orderOf(company, person, { expiresInSeconds: 600 }));
  const orderId = pending.body.data.order.id;
  expect(await erase(company, person.id)).toMatchObject({
    status: 409,
    body: { error: { code: 'CUSTOMER_HAS_PENDING_ORDERS', details: [{ orderId }] } },
  });
  await company.commerce.post(`/orders/${orderId}/cancel`, {});
  const erased = await erase(company, person.id);
  expect([erased.status, erased.body.data.found.orders]).toEqual([200, 1]);
  expect(await documentsWith(services, person.word, company.companyId)).toEqual([]);
});

test('an id that also occurs with other addresses is somebody else’s: only the orders with the address are erased', async () => {
  const company = services.newCompany();
  const [agency, person] = [newPerson(), newPerson()];
  const { id, uid } = agency;
  for (const one of [{ ...agency }, { ...person, id, uid }]) {
    expect((await company.commerce.post('/orders', orderOf(company, one))).status).toBe(201);
  }
  const { body } = await erase(company, person.email);
  expect(body.data.found).toMatchObject({ orders: 1, carts: 0 });
  expect(await documentsWith(services, person.word, company.companyId)).toEqual([]);
  const left = (await company.commerce.get(`/orders?customerId=${encodeURIComponent(id)}`)).body.data;
  expect(left).toMatchObject([{ uid, customer: { lastName: agency.lastName } }]);
});

test('only a key with the scope customers:erase erases, and an erasure that is not the company’s is not found', async () => {
  const { activity } = services.newCompany();
  expect((await activity.as('orders:write').post('/customers/ada/erase', {})).status).toBe(403);
  const { body } = await activity.as('customers:erase').post('/customers/ada/erase', {});
  expect(body.data.found).toEqual(NOTHING);
  expect((await services.newCompany().activity.get(`/customers/erasures/${body.data.id}`)).status).toBe(404);
});
