import { AUDIENCE, IDENTITY_HEADER, type Sales } from '@event-commerce/contracts';
import { adjustmentBody, apiClient, newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { standingIn, standingOf } from './sales.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** Orders are published, logged and counted. */
const PATIENT = { timeout: 30_000 };
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

/** A company with an event, tickets at 50.00, and a code that takes off 20 %. */
async function newShop(event: object = {}) {
  const company = services.newCompany();
  const { activity, commerce, companyId, events, pricing } = company;
  const newEvent = async (fields: object = {}): Promise<string> =>
    (await events.post('/events', { name: 'Gala', ...fields })).body.data.id;
  const offer = async (id: string): Promise<string> =>
    (await events.post(`/events/${id}/offerings`, { name: 'Ticket', price: { amount: 5_000, currency: 'EUR' } })).body
      .data.id;
  const eventId = await newEvent(event);
  const ticket = await offer(eventId);
  const code = newCode();
  const adjustmentId: string = (await pricing.post('/pricing/adjustments', adjustmentBody(code))).body.data.id;
  const sales = async (query = ''): Promise<Sales> =>
    (await activity.get(`/sales?from=${hourAgo()}&interval=hour${query}`)).body.data;
  return {
    ...company,
    newEvent,
    offer,
    eventId,
    ticket,
    code,
    adjustmentId,
    sales,
    adjustmentSales: async (query = '') =>
      (await activity.get(`/sales/adjustments?from=${hourAgo()}&interval=hour${query}`)).body.data.adjustments,
    place: async (quantity: number, changes: object = {}): Promise<any> => {
      const items = [{ offeringId: ticket, quantity }];
      const { status, body } = await commerce.post('/orders', orderBody(companyId, { items, ...changes }));
      expect([status, body.error]).toEqual([201, undefined]);
      return body.data.order;
    },
    act: async (id: string, what: string, body: object = {}) =>
      expect((await commerce.post(`/orders/${id}/${what}`, body)).body.error).toBe(undefined),
    counted: async (tickets: Sales['totals'][number]['tickets'], query = '') => {
      await expect.poll(async () => (await sales(query)).totals[0]?.tickets, PATIENT).toEqual(tickets);
      return await sales(query);
    },
  };
}

describe('sales', () => {
  test('count orders, tickets and amounts when they are placed, and what is returned when it is', async () => {
    const { place, act, counted, sales, eventId, code } = await newShop();
    const first = await place(2, { coupons: [code], costs: { fees: 150, tax: 700 } });
    const second = await place(3);
    await act(second.id, 'amendments', { mode: 'keep', items: [{ lineId: 'ln_1', quantity: 1 }] });
    await act(first.id, 'cancel');
    const all = await counted({ sold: 5, returned: 4 });
    const numbers = {
      currency: 'EUR',
      orders: { placed: 2, cancelled: 1, expired: 0 },
      tickets: { sold: 5, returned: 4 },
      charged: 23_850,
      refunded: 18_850,
      discounts: { given: 2_000, returned: 2_000 },
      fees: { charged: 150, refunded: 150 },
      tax: { charged: 700, refunded: 700 },
    };
    expect(all.totals).toEqual([numbers]);
    expect(all.buckets.reduce((sum, { charged }) => sum + charged, 0)).toBe(23_850);
    const { fees: _fees, tax: _tax, ...ofItems } = { ...numbers, charged: 23_000, refunded: 18_000 };
    expect((await sales(`&eventId=${eventId}`)).totals).toEqual([ofItems]);
    await act(first.id, 'reopen');
    expect((await counted({ sold: 7, returned: 4 })).totals).toMatchObject([{ orders: { placed: 3, cancelled: 1 } }]);
  });

  test('count a pending order once it is confirmed, and an expired one as expired', async () => {
    const { place, act, counted, commerce, sales } = await newShop();
    const pending = await place(2, { expiresInSeconds: 600 });
    const cancelled = await place(7, { expiresInSeconds: 600 });
    const expired = await place(1, { expiresInSeconds: 60 });
    await act(cancelled.id, 'cancel');
    const { orders } = services.models.commerce;
    await orders.updateOne({ _id: expired.id }, { $set: { expiresAt: new Date(Date.now() - 1_000) } });
    await commerce.get(`/orders/${expired.id}`);
    await expect.poll(async () => (await sales()).totals[0]?.orders.expired, PATIENT).toBe(1);
    expect((await sales()).totals).toMatchObject([{ orders: { placed: 0 }, tickets: { sold: 0 }, charged: 0 }]);
    await act(pending.id, 'confirm');
    expect((await counted({ sold: 2, returned: 0 })).totals).toMatchObject([
      { orders: { placed: 1, cancelled: 0, expired: 1 }, charged: 10_000 },
    ]);
  });

  test('agree with the orders about what stands, also for each event of an order', async () => {
    const shop = await newShop();
    const other = await shop.newEvent();
    const elsewhere = await shop.offer(other);
    for (let n = 1; n <= 3; n++) {
      const items = [
        { offeringId: shop.ticket, quantity: n },
        { offeringId: elsewhere, quantity: 2 },
      ];
      const { id } = await shop.place(0, { items, coupons: [shop.code] });
      if (n === 2) await shop.act(id, 'amendments', { mode: 'keep', items: [{ offeringId: elsewhere, quantity: 0 }] });
      if (n === 3) await shop.act(id, 'cancel');
    }
    await shop.counted({ sold: 12, returned: 7 });
    expect(standingIn(await shop.sales())).toEqual(await standingOf(shop));
    for (const eventId of [shop.eventId, other]) {
      expect(standingIn(await shop.sales(`&eventId=${eventId}`))).toEqual(await standingOf(shop, eventId));
    }
  });

  test('of a series are those of its instances together, and count an order with several of them once', async () => {
    const { eventId: seriesId, events, ticket, offer, place, counted, sales } = await newShop({ kind: 'series' });
    const dates = [];
    for (let n = 0; n < 2; n++) dates.push((await events.post(`/events/${seriesId}/instances`, {})).body.data.id);
    const items = [
      { offeringId: ticket, quantity: 1 },
      { offeringId: await offer(dates[0]), quantity: 2 },
      { offeringId: await offer(dates[1]), quantity: 3 },
    ];
    await place(0, { items });
    expect((await counted({ sold: 6, returned: 0 }, `&seriesId=${seriesId}`)).totals).toMatchObject([
      { orders: { placed: 1 }, charged: 30_000 },
    ]);
    expect((await sales(`&eventId=${dates[1]}`)).totals).toMatchObject([{ tickets: { sold: 3 } }]);
    expect((await sales(`&eventId=${seriesId}`)).totals).toMatchObject([{ tickets: { sold: 1 } }]);
  });

  test('count each currency separately', async () => {
    const { place, sales } = await newShop();
    const items = (unitPrice: number) => [{ name: 'Poster', quantity: 1, unitPrice }];
    await place(0, { items: items(700), currency: 'CHF' });
    await place(0, { items: items(800) });
    await expect
      .poll(async () => (await sales()).totals.map(({ currency, charged }) => [currency, charged]), PATIENT)
      .toEqual([
        ['CHF', 700],
        ['EUR', 800],
      ]);
  });

  test('of test orders, and of other companies, are kept apart from those of live ones', async () => {
    const { place, counted, companyId } = await newShop();
    await place(1);
    await counted({ sold: 1, returned: 0 });
    expect((await (await newShop()).sales()).totals).toEqual([]);
    const asTest = apiClient(services.replicas.activity[0]?.url ?? '', () => ({
      [IDENTITY_HEADER]: services.identity.token(companyId, AUDIENCE.activity, 'test'),
    }));
    expect((await asTest.get(`/sales?from=${hourAgo()}`)).body.data.totals).toEqual([]);
  });

  test('are whole hours or days of a time zone, and say until when they are counted', async () => {
    const { activity, place, counted } = await newShop();
    await place(1);
    await counted({ sold: 1, returned: 0 });
    const query = `from=${hourAgo()}&interval=day&timezone=Asia/Kolkata`;
    const { data } = (await activity.get(`/sales?${query}`)).body;
    expect(data).toMatchObject({ interval: 'day', timezone: 'Asia/Kolkata', from: expect.stringMatching(/T18:30:00/) });
    expect(data.buckets).toHaveLength(1);
    expect(data.buckets[0].start).toMatch(/T18:30:00/);
    expect(Date.parse(data.to) - Date.parse(data.buckets[0].start)).toBe(86_400_000);
    expect(Math.abs(Date.now() - Date.parse(data.countedUntil))).toBeLessThan(60_000);
  });

  test('come as CSV, with a row for each bucket and currency', async () => {
    const { companyId, place, counted } = await newShop();
    await place(1, { costs: { fees: 20 } });
    const { buckets } = await counted({ sold: 1, returned: 0 });
    const path = `/sales?from=${hourAgo()}&interval=hour&format=csv`;
    const response = await fetch(`${services.replicas.activity[0]?.url}${path}`, {
      headers: { [IDENTITY_HEADER]: services.identity.token(companyId, AUDIENCE.activity, 'live') },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect((await response.text()).split('\r\n').slice(1)).toEqual([
      `${buckets[0]?.start},EUR,1,0,0,1,0,5020,0,0,0,20,0,0,0`,
      '',
    ]);
  });

  test.each([
    ['', 'from'],
    ['from=2027-01-01T00:00:00Z&interval=week', 'interval'],
    ['from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['from=2020-01-01T00:00:00Z&interval=hour', 'to'],
    ['from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z&timezone=Berlin', 'timezone'],
    ['from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z&eventId=evt_1&seriesId=evt_2', 'seriesId'],
  ])('refuse the query "%s"', async (query, path) => {
    const { status, body } = await services.newCompany().activity.get(`/sales?${query}`);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });
});

describe('sales of price adjustments', () => {
  test('count redemptions and what they took off, in all and for an event', async () => {
    const { place, act, adjustmentSales, adjustmentId, code, eventId } = await newShop();
    const first = await place(2, { coupons: [code] });
    await place(1, { coupons: [code] });
    await place(1);
    await act(first.id, 'cancel');
    const numbers = {
      adjustmentId,
      name: `Sale ${code}`,
      code,
      currency: 'EUR',
      redemptions: { redeemed: 2, released: 1 },
      discounts: { given: 3_000, returned: 2_000 },
      surcharges: { given: 0, returned: 0 },
    };
    await expect.poll(async () => adjustmentSales(), PATIENT).toMatchObject([numbers]);
    expect(await adjustmentSales(`&eventId=${eventId}&adjustmentId=${adjustmentId}`)).toMatchObject([numbers]);
    expect(await adjustmentSales('&adjustmentId=adj_other')).toEqual([]);
    expect(await adjustmentSales('&eventId=evt_other')).toEqual([]);
  });
});
