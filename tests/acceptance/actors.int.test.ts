import { beforeAll, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

test('every event names the API key that caused it, even an event that follows in another service', async () => {
  const { companyId, api } = await platform.newCompany();
  const actor = (await api.get('/v1/admin/keys')).body.data[0].id;
  const series = (await api.post('/v1/events', { kind: 'series', name: 'Tour' })).body.data.id;
  const instance = (await api.post(`/events/${series}/instances`, { name: 'Berlin' })).body.data.id;
  await api.post(`/events/${series}/instances/${instance}/revert`, { fields: ['name'] });
  const groups = `/events/${series}/purchase-groups`;
  const [target, source] = await Promise.all(
    [1, 2].map(async (size) => (await api.post(groups, { name: 'Choir', size })).body.data.id),
  );
  const merged = await api.post(`${groups}/${target}/merge`, {
    sourceGroupId: source,
    combinedSize: 3,
    note: 'friends',
  });
  expect([merged.status, merged.body.error]).toEqual([200, undefined]);
  const price = { amount: 5_000, currency: 'EUR' };
  await api.post(`/events/${instance}/offerings`, { id: 'off_1', name: 'Ticket', price });
  const coupon = (await api.post('/v1/coupons', { code: 'TEN', percentOff: 10, limit: 5 })).body.data.id;
  await api.patch(`/v1/coupons/${coupon}`, { percentOff: 20 });
  await api.post('/cart/table-commitments', { id: 't', contextId: instance, seats: 1 });
  await api.post('/cart/sessions/c/item', { offeringId: 'off_1', quantity: 1 });
  await api.patch('/cart/sessions/c', { coupons: ['TEN'] });
  await api.post('/cart/sessions/c/join-table', { tableCommitmentId: 't' });
  const order = {
    orderNumber: 'A-1',
    currency: 'EUR',
    companyId,
    organizerId: 'org_1',
    contextId: instance,
    customer: { email: 'ada@example.com' },
    cartSessionId: 'c',
    context: { urn: 'urn:v1:c:orders:order/A-1' },
  };
  const placed = await api.post('/orders', { order });
  expect(placed.status).toBe(201);

  // The operator created the key.
  const events = () =>
    platform.services
      .newCompany(companyId)
      .published()
      .filter(({ type }) => type !== 'api_key.created');
  const types = () => [...new Set(events().map(({ type }) => type))].toSorted();
  // What is cancelled before the services have followed the order is never confirmed.
  await expect
    .poll(types, { timeout: 5_000 })
    .toEqual(expect.arrayContaining(['cart.ordered', 'redemption.confirmed']));
  await api.post(`/orders/${placed.body.data.order.id}/cancel`);

  const all = [
    'adjustment.created',
    'adjustment.updated',
    'cart.ordered',
    'cart.table_joined',
    'cart.table_left',
    'cart.updated',
    'coupon.created',
    'coupon.updated',
    'event.created',
    'instance.reverted',
    'offering.created',
    'order.cancelled',
    'order.placed',
    'purchase_group.created',
    'purchase_group.merged',
    'purchase_group.updated',
    'redemption.confirmed',
    'redemption.released',
    'table.created',
    'table.full',
  ];
  await expect.poll(types, { timeout: 5_000 }).toEqual(all);
  expect(events().filter((event) => event.actor !== actor)).toEqual([]);
});
