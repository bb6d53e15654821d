import { newId } from '@event-commerce/service-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { cancelTickets, claimTickets, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ADA = { id: 'ada', email: 'ada@example.com' };

async function newEvent(fields: object = {}) {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala', ...fields })).body.data;
  return {
    api,
    event,
    offer: async (more: object = {}, eventId: string = event.id): Promise<string> => {
      const { status, body } = await api.post(`/events/${eventId}/offerings`, { ...ticket, ...more });
      expect(status).toBe(201);
      return body.data.id;
    },
    claim: async (items: Record<string, number>, customer: { id?: string; email: string } = ADA, more: object = {}) =>
      await claimTickets(services, company, items, { customer, ...more }),
    cancel: async ({ orderId, claims }: Awaited<ReturnType<typeof claimTickets>>) =>
      await cancelTickets(services, company, { orderId, claims }),
  };
}

const refusal = async (claiming: Promise<unknown>) =>
  await claiming.then(
    () => 'claimed',
    (error: unknown) => error,
  );
const full = { code: 'CUSTOMER_LIMIT_REACHED' };

test('a customer has no more tickets of an offering than it allows, by the id and by the address', async () => {
  const { offer, claim, cancel } = await newEvent();
  const id = await offer({ maxPerCustomer: 4 });
  const first = await claim({ [id]: 3 });
  const why = 'allows 4 tickets per customer; this one has 3, and the order asks for 2 more';
  expect(await refusal(claim({ [id]: 2 }))).toMatchObject({
    ...full,
    message: expect.stringMatching(`^Offering ${id} ${why}\\.`),
    details: [{ path: 'order.items[0]', offeringId: id, left: 1, message: why }],
  });
  expect(await refusal(claim({ [id]: 2 }, { email: ' ADA@Example.com' }))).toMatchObject(full);
  expect(await refusal(claim({ [id]: 2 }, { id: 'ada', email: 'a.da@example.com' }))).toMatchObject(full);
  await claim({ [id]: 4 }, { email: 'ada+vip@example.com' });
  await claim({ [id]: 1 });
  await cancel(first);
  await claim({ [id]: 3 });
  expect(await refusal(claim({ [id]: 5 }, { email: 'grace@example.com' }))).toMatchObject({
    message: `Offering ${id} allows 4 tickets per customer; this one has 0, and the order asks for 5.`,
  });
});

test('an event counts the tickets of all its offerings, and only those that an amendment adds', async () => {
  const { event, offer, claim } = await newEvent({ maxPerCustomer: 3 });
  const [one, other] = [await offer(), await offer({ maxPerCustomer: 2 })];
  const { orderId } = await claim({ [one]: 3 });
  const why = 'belongs to an event that allows 3 tickets per customer; this one has 3, and the order asks for 1 more';
  expect(await refusal(claim({ [other]: 1 }))).toMatchObject({
    ...full,
    details: [{ path: 'order.items[0]', offeringId: other, left: 0, message: why }],
  });
  // An amendment that exchanges two of them.
  const exchanged = [{ eventId: event.id, quantity: 2 }];
  const amended = { orderId, revision: 1, exchanged };
  await claim({ [other]: 2 }, ADA, amended);
  expect(await refusal(claim({ [other]: 1 }, ADA, { ...amended, revision: 2 }))).toMatchObject({
    ...full,
    message: expect.stringContaining(`Offering ${other} allows 2 tickets per customer; this one has 2`),
  });
});

test('a limit counts from when it is set, and applies at once when it is raised, lowered or removed', async () => {
  const { api, offer, claim, cancel } = await newEvent();
  const id = await offer();
  const before = await claim({ [id]: 5 });
  const limit = async (maxPerCustomer: number | null) => {
    const { status, body } = await api.patch(`/offerings/${id}`, { maxPerCustomer });
    expect([status, body.data.maxPerCustomer]).toEqual([200, maxPerCustomer ?? undefined]);
  };
  await limit(2);
  await claim({ [id]: 2 });
  expect(await refusal(claim({ [id]: 1 }))).toMatchObject(full);
  await limit(4);
  const latest = await claim({ [id]: 2 });
  await limit(3);
  await cancel(before);
  expect(await refusal(claim({ [id]: 1 }))).toMatchObject({ details: [{ left: 0 }] });
  await cancel(latest);
  await claim({ [id]: 1 });
  await limit(null);
  await claim({ [id]: 20 });
  expect(await services.models.events.customerTickets.countDocuments({ _id: { $regex: id } })).toBe(2);
});

test('a limit that is set during a sale bounds whatever is ordered after the response', async () => {
  const { api, offer, claim } = await newEvent();
  const id = await offer();
  const early = Array.from({ length: 10 }, async () => refusal(claim({ [id]: 1 })));
  expect((await api.patch(`/offerings/${id}`, { maxPerCustomer: 3 })).status).toBe(200);
  const late = await Promise.all(Array.from({ length: 10 }, async () => refusal(claim({ [id]: 1 }))));
  expect(late.filter((one) => one === 'claimed').length).toBeLessThanOrEqual(3);
  const others = [...(await Promise.all(early)), ...late].filter((one) => one !== 'claimed');
  expect(others.every((one) => (one as { code: string }).code === full.code)).toBe(true);
});

test('an order with copies counts once, and one without limited tickets counts nowhere', async () => {
  const { offer, claim } = await newEvent();
  const [limited, free] = [await offer({ maxPerCustomer: 2 }), await offer()];
  const orderId = newId('ord');
  await Promise.all([1, 2, 3].map(async () => claim({ [limited]: 2, [free]: 9 }, ADA, { orderId })));
  const shares = await services.models.events.customerTickets.find({ _id: { $regex: `${limited}|${free}` } }).lean();
  expect(shares.map(({ _id, claimed }) => [_id.includes(limited), claimed])).toEqual([
    [true, 2],
    [true, 2],
  ]);
  expect(JSON.stringify(shares)).not.toMatch(/ada/i);
});

test('an instance has the limit of its series until it has one of its own, and counts for itself', async () => {
  const { api, event: series, offer, claim } = await newEvent({ kind: 'series', maxPerCustomer: 2 });
  const instances = [1, 2].map(async () => (await api.post(`/events/${series.id}/instances`)).body.data);
  const [first, second] = await Promise.all(instances);
  expect(first).toMatchObject({ maxPerCustomer: 2, overrides: [] });
  const [one, other] = [await offer({}, first.id), await offer({}, second.id)];
  await claim({ [one]: 2, [other]: 2 });
  expect(await refusal(claim({ [one]: 1 }))).toMatchObject(full);
  expect((await api.patch(`/events/${first.id}`, { maxPerCustomer: 3 })).body.data.overrides).toEqual([
    'maxPerCustomer',
  ]);
  expect((await api.patch(`/events/${series.id}`, { maxPerCustomer: 4 })).status).toBe(200);
  expect(await refusal(claim({ [one]: 2 }))).toMatchObject(full);
  await claim({ [one]: 1, [other]: 2 });
  const reverted = await api.post(`/events/${series.id}/instances/${first.id}/revert`, { fields: ['maxPerCustomer'] });
  expect(reverted.status).toBe(200);
  await claim({ [one]: 1 });
  expect(await refusal(claim({ [one]: 1 }))).toMatchObject(full);
});

test('the dates that a rule makes have the limits of the offerings that they copy', async () => {
  const { api, event: series, offer } = await newEvent({ kind: 'series', startsAt: '2027-01-01T20:00' });
  await offer({ maxPerCustomer: 2 });
  const rule = { rule: 'FREQ=DAILY;COUNT=1', startsAt: '2027-03-26T20:00', offerings: 'copy' };
  const { body } = await api.post(`/events/${series.id}/instances/by-rule`, rule);
  const [{ eventId }] = body.data.dates;
  expect((await api.get(`/events/${eventId}/offerings`)).body.data).toMatchObject([{ maxPerCustomer: 2 }]);
});
