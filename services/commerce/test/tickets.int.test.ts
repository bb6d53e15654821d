import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { send } from './copies-of-orders.ts';
import { PATIENT, usageOf } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

async function newCompany(capacity: { offering?: number; event?: number; maxRedemptions?: number }) {
  const company = services.newCompany();
  const { events, pricing, companyId } = company;
  const bounded = (limit: number | undefined) => (limit === undefined ? {} : { capacity: limit });
  const event = (await events.post('/events', { name: 'Gala', ...bounded(capacity.event) })).body.data;
  const offering = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' }, ...bounded(capacity.offering) };
  const { id } = (await events.post(`/events/${event.id}/offerings`, offering)).body.data;
  const code = newCode();
  const { maxRedemptions } = capacity;
  const conditions = { code, ...(maxRedemptions === undefined ? {} : { maxRedemptions }) };
  const adjustment = (await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions }))).body.data;
  return {
    ...company,
    offeringId: id as string,
    eventId: event.id as string,
    code,
    body: (quantity: number, more: object = {}) =>
      orderBody(companyId, { items: [{ offeringId: id, quantity, unitPrice: 5000 }], ...more }),
    availability: async () => (await events.get(`/offerings/${id}`)).body.data.availability,
    usage: async () => (await usageOf(services, adjustment.id))?.['claimed'] ?? 0,
  };
}

describe('an order takes tickets', () => {
  test('and keeps them until it is cancelled', async () => {
    const { commerce, body, availability, offeringId, eventId } = await newCompany({ offering: 5, event: 20 });
    const { status, body: placed } = await commerce.post('/orders', body(3));
    expect(status).toBe(201);
    expect(placed.data.order).not.toHaveProperty('tickets');
    expect(placed.data.order.items).toMatchObject([{ lineId: 'ln_1', eventId }]);
    const { tickets } = (await services.models.commerce.orders.findById(placed.data.order.id).lean()) ?? {};
    expect(tickets).toMatchObject([
      { of: { offeringId }, quantity: 3 },
      { of: { eventId }, quantity: 3 },
    ]);
    await expect.poll(availability, PATIENT).toEqual({ sold: 3, held: 0, left: 2 });
    await commerce.post(`/orders/${placed.data.order.id}/cancel`);
    await expect.poll(availability, PATIENT).toEqual({ sold: 0, held: 0, left: 5 });
  });

  test('as long as there are any: of eight orders for three tickets, on two replicas, three are placed', async () => {
    const company = await newCompany({ offering: 5, event: 3 });
    const replies = await Promise.all(Array.from({ length: 8 }, async (_, n) => send(company, company.body(1), n)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(new Set(replies.filter(({ status }) => status !== 201).map(({ body }) => body.error.code))).toEqual(
      new Set(['SOLD_OUT']),
    );
    await expect.poll(company.availability, PATIENT).toEqual({ sold: 3, held: 0, left: 0 });
  });

  test('or is refused with what is left of each item', async () => {
    const { commerce, companyId, offeringId, body, availability } = await newCompany({ offering: 2 });
    const items = [
      { name: 'Poster', quantity: 1, unitPrice: 900 },
      { offeringId, quantity: 3, unitPrice: 5000 },
    ];
    const { status, body: refused } = await commerce.post('/orders', orderBody(companyId, { items }));
    expect([status, refused.error.code, refused.error.details]).toEqual([
      409,
      'SOLD_OUT',
      [{ path: 'order.items[1]', offeringId, left: 2, message: 'has 2 tickets left, and the order asks for 3' }],
    ]);
    expect((await commerce.post('/orders', body(2))).status).toBe(201);
    await expect.poll(availability, PATIENT).toEqual({ sold: 2, held: 0, left: 0 });
  });

  test('once, even if ten copies of it arrive at once, with or without a coupon', async () => {
    for (const coupons of [true, false]) {
      const company = await newCompany({ offering: 4, event: 4, maxRedemptions: 1 });
      const body = company.body(2, coupons ? { coupons: [company.code] } : {});
      const replies = await Promise.all(Array.from({ length: 10 }, async (_, n) => send(company, body, n)));
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(9).fill(200), 201]);
      expect(new Set(replies.map((reply) => reply.body.data.order.id)).size).toBe(1);
      await expect.poll(company.availability, PATIENT).toEqual({ sold: 2, held: 0, left: 2 });
      expect(await company.usage()).toBe(coupons ? 1 : 0);
    }
  });
});

describe('tickets and coupons are taken together', () => {
  test('when the tickets are refused, the coupon is released', async () => {
    const { commerce, body, code, usage } = await newCompany({ offering: 1, maxRedemptions: 1 });
    const { body: refused } = await commerce.post('/orders', body(2, { coupons: [code] }));
    expect(refused.error.code).toBe('SOLD_OUT');
    expect(await usage()).toBe(0);
    expect((await commerce.post('/orders', body(1, { coupons: [code] }))).status).toBe(201);
  });

  test('when the coupon is refused, the tickets are released', async () => {
    const { commerce, body, code, availability } = await newCompany({ offering: 5, maxRedemptions: 1 });
    expect((await commerce.post('/orders', body(1, { coupons: [code] }))).status).toBe(201);
    await expect.poll(availability, PATIENT).toEqual({ sold: 1, held: 0, left: 4 });
    const { body: refused } = await commerce.post('/orders', body(4, { coupons: [code] }));
    expect(refused.error.code).toBe('REDEMPTION_LIMIT_REACHED');
    expect(await availability()).toEqual({ sold: 1, held: 0, left: 4 });
    expect((await commerce.post('/orders', body(4))).status).toBe(201);
  });
});
