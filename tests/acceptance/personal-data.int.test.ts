import { beforeAll, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

test('events say what happened to which record, but nothing about people', async () => {
  const { companyId, api: client } = await platform.newCompany();
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0000' };
  const free = { about: 'Ada Lovelace sits in a wheelchair' };

  const placed = await client.post('/orders', {
    order: {
      orderNumber: 'P-1',
      currency: 'EUR',
      companyId,
      organizerId: 'org_1',
      contextId: 'evt_1',
      customer: { id: 'customer-1', ...person, birthday: '1815-12-10' },
      items: [{ offeringId: 'off_1', quantity: 1, unitPrice: 5_000, holder: person }],
      agreements: free,
      answers: free,
      forwarded: free,
      meta: free,
      context: { urn: 'urn:v1:c:orders:order/P-1', seenBy: person },
    },
  });
  expect(placed.status).toBe(201);
  await client.post(`/orders/${placed.body.data.order.id}/cancel`);
  const event = (await client.post('/v1/events', { name: 'Gala', description: `for ${person.firstName}` })).body.data
    .id;
  const groups = `/events/${event}/purchase-groups`;
  const [target, source] = await Promise.all(
    [1, 2].map(
      async () => (await client.post(groups, { name: 'Lovelace', members: [{ ...person, name: 'Ada' }] })).body.data.id,
    ),
  );
  const merged = await client.post(`${groups}/${target}/merge`, {
    sourceGroupId: source,
    combinedSize: 2,
    note: 'Ada Lovelace asked for it',
  });
  expect(merged.status).toBe(200);

  const events = () => platform.services.newCompany(companyId).published();
  const types = ['order.placed', 'order.cancelled', 'event.created', 'purchase_group.merged'];
  await expect
    .poll(() => types.filter((type) => !events().some((one) => one.type === type)), { timeout: 15_000 })
    .toEqual([]);
  const said = JSON.stringify(events());
  expect(said).toContain('customer-1');
  // None of them can be a part of a random id.
  const personal = ['Ada', 'Lovelace', 'example.com', '7946 0000', '1815-12-10', 'wheelchair'];
  for (const word of personal) expect(said).not.toContain(word);
});
