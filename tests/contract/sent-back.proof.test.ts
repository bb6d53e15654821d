import { ALL_OPERATIONS } from '@event-commerce/contracts';
import { type ApiClient, newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

// Clients read a record, change a member of it and send all of it back: what they did not change must not count as a
// change. Checks every PATCH operation.

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

async function created(api: ApiClient, path: string, body: object): Promise<any> {
  const reply = await api.post(path, body);
  expect([path, reply.status, reply.body.error]).toEqual([path, 201, undefined]);
  return reply.body.data;
}

const PRICE = { amount: 5_000, currency: 'EUR' };
const NIGHT = { startsAt: '2031-05-03T22:00:00', endsAt: '2031-05-04T04:00:00', timezone: 'Europe/Berlin' };

async function newSeries(api: ApiClient): Promise<string> {
  const series = {
    kind: 'series',
    name: 'Jazz',
    capacity: 80,
    maxPerCustomer: 6,
    tags: ['jazz', 'late'],
    venueId: 'ven_1',
    ...NIGHT,
  };
  return (await created(api, '/v1/events', { status: 'published', ...series })).id;
}

async function newOffering(api: ApiClient, more: object = {}): Promise<any> {
  const event = await created(api, '/v1/events', { name: 'Gala', status: 'published', ...NIGHT, ...more });
  return await created(api, `/v1/events/${event.id}/offerings`, {
    name: 'Seat',
    price: PRICE,
    capacity: 100,
    maxPerOrder: 4,
    maxPerCustomer: 8,
    tags: ['b', 'a'],
    onSaleFrom: '2026-01-01T00:00:00',
    onSaleUntil: '2031-05-03T22:00:00',
  });
}

async function newOrder(api: ApiClient, companyId: string, more: object = {}): Promise<string> {
  const reply = await api.post('/v1/orders', orderBody(companyId, { ...more }));
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return `/v1/orders/${reply.body.data.order.id}`;
}

async function newCart(api: ApiClient): Promise<string> {
  const offering = await newOffering(api);
  const items = [
    { offeringId: offering.id, quantity: 2, name: 'ignored' },
    { offeringId: 'off_programme', quantity: 1, price: 500, name: 'Programme' },
    { offeringId: 'off_unknown', quantity: 1 },
  ];
  const { id } = await created(api, '/v1/cart/sessions', { customerId: 'c1', coupons: [' late ', 'LATE', 'x'], items });
  return `/v1/cart/sessions/${id}`;
}

async function newGroup(api: ApiClient, size: number, eventId?: string): Promise<{ path: string; id: string }> {
  const event = eventId ?? (await created(api, '/v1/events', { name: 'Gala' })).id;
  const members = ['m1', { id: 'm2', email: 'M2@example.com', name: ' Mo ', shoe: 42 }];
  const { id } = await created(api, `/v1/events/${event}/purchase-groups`, { name: 'Friends', size, members });
  return { id, path: `/v1/events/${event}/purchase-groups/${id}` };
}

const adjustment = (more: object = {}) => ({
  name: 'Early',
  targets: [{ eventId: 'evt_1' }, { eventId: 'evt_2', offeringId: 'off|1' }, { urn: 'urn:v1:x:events:event/*' }],
  effect: { kind: 'percentage_off', percent: 12.5, maxAmount: 900 },
  ...more,
});

interface Case {
  operation: string;
  record: string;
  /** Makes a record and returns where it is read and changed. */
  make: (api: ApiClient, companyId: string) => Promise<string | { read: string; change: string }>;
}

const CASES: Case[] = [
  {
    operation: 'updateCoupon',
    record: 'a coupon with every field',
    make: async (api) => {
      const body = { description: 'Late', code: ` ${newCode().toLowerCase()} `, type: 'Promo', amountOff: 500 };
      const more = { currency: 'EUR', limit: 3, offeringIds: ['off_1'], contextIds: ['evt_1', 'ven_1'] };
      return `/v1/coupons/${(await created(api, '/v1/coupons', { ...body, ...more, expiresAt: '2031-01-01T00:00:00+02:00' })).id}`;
    },
  },
  {
    operation: 'updateCoupon',
    record: 'a coupon under the sample names, whose limit is reached',
    make: async (api) => {
      const body = { code: newCode(), discountType: 'percentage', discountValue: 10, maxUses: 0 };
      return `/v1/coupons/${(await created(api, '/v1/coupons', body)).id}`;
    },
  },
  {
    operation: 'updateCoupon',
    record: 'a blank coupon',
    make: async (api) => `/v1/coupons/${(await created(api, '/v1/coupons', {})).id}`,
  },
  {
    operation: 'updateCoupon',
    record: 'an archived coupon',
    make: async (api) => {
      const path = `/v1/coupons/${(await created(api, '/v1/coupons', { code: newCode(), percentOff: 5 })).id}`;
      expect(await api.delete(path)).toMatchObject({ status: 200 });
      return path;
    },
  },
  {
    operation: 'updateAdjustment',
    record: 'an adjustment with every condition',
    make: async (api) => {
      const conditions = {
        code: newCode().toLowerCase(),
        startsAt: '2026-01-01T00:00:00+01:00',
        endsAt: '2031-01-01T00:00:00Z',
        minQuantity: 2,
        maxQuantity: 9,
        minOrderTotal: PRICE,
        customerSegments: ['vip'],
        channelIds: ['web'],
        tags: ['early bird'],
        maxRedemptions: 5,
        maxRedemptionsPerCustomer: 1,
      };
      const body = adjustment({ type: 'coupon', stacking: 'exclusive', priority: 5, conditions });
      return `/v1/pricing/adjustments/${(await created(api, '/v1/pricing/adjustments', body)).id}`;
    },
  },
  {
    operation: 'updateBudget',
    record: 'a budget per day',
    make: async (api) => {
      const body = { name: ' Daily ', limit: PRICE, per: 'day', timezone: 'Europe/Berlin', onExhausted: 'partial' };
      return `/v1/pricing/budgets/${(await created(api, '/v1/pricing/budgets', body)).id}`;
    },
  },
  {
    operation: 'updateAdjustment',
    record: 'a scheduled adjustment',
    make: async (api) => {
      const body = adjustment({ status: 'scheduled', conditions: { startsAt: '2031-01-01T00:00:00Z' } });
      return `/v1/pricing/adjustments/${(await created(api, '/v1/pricing/adjustments', body)).id}`;
    },
  },
  {
    operation: 'updateAdjustment',
    record: 'an archived adjustment',
    make: async (api) => {
      const path = `/v1/pricing/adjustments/${(await created(api, '/v1/pricing/adjustments', adjustment())).id}`;
      expect(await api.delete(path)).toMatchObject({ status: 200 });
      return path;
    },
  },
  {
    operation: 'updateAdjustment',
    record: 'the adjustment of a coupon',
    make: async (api) => {
      const { code } = await created(api, '/v1/coupons', { code: newCode(), percentOff: 5 });
      const { body } = await api.get(`/v1/pricing/adjustments?code=${code}`);
      return `/v1/pricing/adjustments/${body.data[0].id}`;
    },
  },
  { operation: 'updateCartSession', record: 'an open cart', make: newCart },
  {
    operation: 'updateCartSession',
    record: 'an empty cart',
    make: async (api) => `/v1/cart/sessions/${(await created(api, '/v1/cart/sessions', {})).id}`,
  },
  {
    operation: 'updateTableCommitment',
    record: 'a table at which a party sits',
    make: async (api) => {
      const body = { contextId: 'evt_1', offeringId: 'off_1', seats: 4, minimumSpend: PRICE };
      const { id } = await created(api, '/v1/cart/table-commitments', body);
      const session = await created(api, '/v1/cart/sessions', { contextId: 'evt_1' });
      const join = { tableCommitmentId: id, seats: 4 };
      expect(await api.post(`/v1/cart/sessions/${session.id}/join-table`, join)).toMatchObject({ status: 200 });
      return `/v1/cart/table-commitments/${id}`;
    },
  },
  {
    operation: 'updateCartSession',
    record: 'a cart with a seat at a table',
    make: async (api) => {
      const path = await newCart(api);
      const { contextId } = (await api.get(path)).body.data;
      const table = await created(api, '/v1/cart/table-commitments', { contextId, seats: 4 });
      expect(await api.post(`${path}/join-table`, { tableCommitmentId: table.id })).toMatchObject({ status: 200 });
      return path;
    },
  },
  {
    operation: 'updateCartSession',
    record: 'an ordered cart',
    make: async (api, companyId) => {
      const offering = await newOffering(api);
      const items = [{ offeringId: offering.id, quantity: 2 }];
      const { id } = await created(api, '/v1/cart/sessions', { items });
      await newOrder(api, companyId, { cartSessionId: id, items: undefined, costs: undefined });
      const path = `/v1/cart/sessions/${id}`;
      // The order's event changes it once more.
      await expect.poll(async () => (await api.get(path)).body.data.version).toBeGreaterThan(1);
      return path;
    },
  },
  {
    operation: 'updateOrder',
    record: 'a placed order',
    make: async (api, companyId) => {
      const offering = await newOffering(api);
      const items = [{ offeringId: offering.id, quantity: 2, seat: 'A1' }];
      const meta = { 'a b': 1, nested: { list: [null, 'x'] } };
      return await newOrder(api, companyId, { items, costs: { fees: 100 }, meta, status: 'paid' });
    },
  },
  {
    operation: 'updateOrder',
    record: 'a pending order',
    make: async (api, companyId) => await newOrder(api, companyId, { expiresInSeconds: 600 }),
  },
  {
    operation: 'updateOrder',
    record: 'a cancelled order',
    make: async (api, companyId) => {
      const path = await newOrder(api, companyId);
      expect(await api.post(`${path}/cancel`)).toMatchObject({ status: 200 });
      return path;
    },
  },
  {
    operation: 'updateEvent',
    record: 'a single event with every field',
    make: async (api) => {
      const body = { name: 'Gala', description: 'One night', organizerId: 'org_1', venueId: 'ven_1', capacity: 9 };
      return `/v1/events/${(await created(api, '/v1/events', { ...body, tags: ['b', 'a', 'b'], ...NIGHT })).id}`;
    },
  },
  {
    operation: 'updateEvent',
    record: 'a draft event with a name alone',
    make: async (api) => `/v1/events/${(await created(api, '/v1/events', { name: 'Gala', status: 'draft' })).id}`,
  },
  { operation: 'updateEvent', record: 'a series', make: async (api) => `/v1/events/${await newSeries(api)}` },
  {
    operation: 'updateEvent',
    record: 'an instance',
    make: async (api) => {
      const own = { startsAt: '2031-06-07T22:00:00', tags: ['jazz', 'late'] };
      return `/v1/events/${(await created(api, `/v1/events/${await newSeries(api)}/instances`, own)).id}`;
    },
  },
  ...[{}, { startsAt: '2031-06-07T22:00:00' }, { name: 'Jazz', endsAt: '2031-06-07T22:00:00Z' }].map((own) => ({
    operation: 'updateInstance',
    record: `an instance that overrides ${Object.keys(own).join(' and ') || 'nothing'}`,
    make: async (api: ApiClient) => {
      const path = `/v1/events/${await newSeries(api)}/instances`;
      const { id } = await created(api, path, own);
      return { read: `/v1/events/${id}`, change: `${path}/${id}` };
    },
  })),
  {
    operation: 'updateOffering',
    record: 'an offering',
    make: async (api) => `/v1/offerings/${(await newOffering(api)).id}`,
  },
  {
    operation: 'updateWebhook',
    record: 'a webhook',
    make: async (api) => {
      const body = { url: 'https://tickets.example/hooks', types: ['order.*', 'coupon.updated'], description: 'Till' };
      return `/v1/webhooks/${(await created(api, '/v1/webhooks', { ...body, status: 'paused' })).id}`;
    },
  },
  {
    operation: 'updatePurchaseGroup',
    record: 'a group',
    make: async (api) => (await newGroup(api, 3)).path,
  },
  {
    operation: 'updatePurchaseGroup',
    record: 'a merged group',
    make: async (api) => {
      const { id: eventId } = await created(api, '/v1/events', { name: 'Gala' });
      const [target, source] = [await newGroup(api, 4, eventId), await newGroup(api, 2, eventId)];
      const merge = { sourceGroupId: source.id, combinedSize: 6, note: 'together' };
      expect(await api.post(`${target.path}/merge`, merge)).toMatchObject({ status: 200 });
      return source.path;
    },
  },
];

test('covers every operation that changes a record', () => {
  const covered = new Set(CASES.map(({ operation }) => operation));
  // One operation changes many records by a filter.
  const patches = ALL_OPERATIONS.filter(({ method, id }) => method === 'PATCH' && id !== 'updateInstances');
  expect([...covered].toSorted()).toEqual(patches.map(({ id }) => id).toSorted());
});

describe('a record sent back as it was read', () => {
  test.for(CASES)('by $operation stays as it is: $record', async ({ make }) => {
    const { api, companyId } = await platform.newCompany();
    const made = await make(api, companyId);
    const { read, change } = typeof made === 'string' ? { read: made, change: made } : made;
    // `pricedAt` and `usage` are about the moment of the response.
    const shown = async () => {
      const { status, body } = await api.get(read);
      expect([read, status]).toEqual([read, 200]);
      const { pricedAt: _pricedAt, ...record } = body.data.order ?? body.data;
      return record;
    };
    const before = await shown();
    const reply = await api.patch(change, before);
    expect([reply.status, reply.body.error]).toEqual([200, undefined]);
    expect(await shown()).toEqual(before);
  });
});
