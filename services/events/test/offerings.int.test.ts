import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { allPages } from './pages.ts';
import { askOfferings, claimTickets } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** 500 tags of 256 characters: each is legal, and all together are 126 KiB. */
const longTags = Array.from({ length: 500 }, (_, n) => `${n}`.padEnd(256, 'x'));
const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' }, tags: ['vip'] };

async function newEvent() {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala' })).body.data;
  return { company, api, event, path: `/events/${event.id}/offerings` };
}

describe('an offering', () => {
  test('is created under its event, read, and listed in pages, newest first', async () => {
    const { company, api, event, path } = await newEvent();
    const { status, body } = await api.post(path, { ...ticket, companyId: 'other', eventId: 'evt_other' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      ...ticket,
      id: expect.stringMatching(/^off_[0-9a-z]{26}$/),
      companyId: company.companyId,
      eventId: event.id,
      status: 'active',
      availability: { sold: 0, held: 0, left: null },
      version: 1,
      created: expect.any(String),
      changed: expect.any(String),
    });
    expect((await api.get(`/offerings/${body.data.id}`)).body).toEqual(body);

    const ids = [body.data.id];
    for (const id of ['zz', 'aa', 'mm', 'bb']) ids.push((await api.post(path, { ...ticket, id })).body.data.id);
    expect((await allPages(api, path, 2)).map(({ id }) => id)).toEqual(ids.toReversed());
    await api.patch('/offerings/aa', { status: 'inactive' });
    expect((await allPages(api, `${path}?status=inactive`, 2)).map(({ id }) => id)).toEqual(['aa']);
  });

  test('has at most 8 KiB of tags, because every price of a cart needs them all', async () => {
    const { api, path } = await newEvent();
    const refused = await api.post(path, { ...ticket, tags: longTags });
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ path: 'tags', message: 'must have at most 8192 bytes as JSON together; use fewer or shorter tags' }],
    ]);
    const { id } = (await api.post(path, { ...ticket, tags: longTags.slice(0, 31) })).body.data;
    // As if it had been created before that limit existed.
    await services.models.events.offerings.collection.updateOne({ offeringId: id }, { $set: { tags: longTags } });
    expect((await api.patch(`/offerings/${id}`, { status: 'inactive' })).body.data).toMatchObject({
      status: 'inactive',
      tags: longTags,
    });
  });

  test('may have the caller’s own id: one of 60 that race for it gets it, and another company can use it too', async () => {
    const one = await newEvent();
    const other = await newEvent();
    const replies = await Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        one.api.replica(n % 2).post(one.path, { ...ticket, id: 'off_vip', name: `N${n}` }),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status, body }) => status === 409 && body.error.code === 'ALREADY_EXISTS')).toHaveLength(
      59,
    );
    expect((await other.api.post(other.path, { ...ticket, id: 'off_vip' })).status).toBe(201);
  });

  test('is changed in the fields sent, and validated as a whole', async () => {
    const { api, path } = await newEvent();
    const { id } = (await api.post(path, ticket)).body.data;
    const changed = await api.patch(`/offerings/${id}`, {
      price: { amount: 1, currency: 'USD' },
      id: 'x',
    });
    expect(changed.body.data).toMatchObject({ ...ticket, id, price: { amount: 1, currency: 'USD' } });
    for (const wrong of [
      { price: { amount: 1.5, currency: 'EUR' } },
      { price: { amount: null } },
      { price: null },
      { name: null },
      { status: 'x' },
      { eventId: 'y' },
      { tags: longTags },
    ]) {
      expect((await api.patch(`/offerings/${id}`, wrong)).status).toBe(400);
    }
    expect((await api.get(`/offerings/${id}`)).body).toEqual(changed.body);
    const patch = { tags: null, price: { amount: 2 } };
    expect((await api.patch(`/offerings/${id}`, patch)).body.data).toMatchObject({
      tags: [],
      price: { amount: 2, currency: 'USD' },
    });
  });

  test('can be on sale forever and still be changed, even in a western zone', async () => {
    const company = services.newCompany();
    const { events: api } = company;
    const event = (await api.post('/events', { name: 'Museum', timezone: 'America/New_York' })).body.data;
    const forEver = { ...ticket, capacity: 1, onSaleUntil: '9999-12-31T23:59:59' };
    const { id } = (await api.post(`/events/${event.id}/offerings`, forEver)).body.data;
    expect((await api.patch(`/offerings/${id}`, { name: 'Day ticket' })).status).toBe(200);
    expect((await claimTickets(services, company, { [id]: 1 })).claims).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: undefined }, 'name'],
    ['no price', { price: undefined }, 'price'],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }, 'price.amount'],
    ['a price as text', { price: { amount: '10', currency: 'EUR' } }, 'price.amount'],
    ['an unknown currency', { price: { amount: 1, currency: 'EURO' } }, 'price.currency'],
    ['an id with a slash', { id: 'a/b' }, 'id'],
    ['an unknown status', { status: 'sold' }, 'status'],
  ])('with %s is refused', async (_what, change, field) => {
    const { api, path } = await newEvent();
    const { status, body } = await api.post(path, { ...ticket, ...change });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details[0].path).toBe(field);
  });

  test('of an unknown event, or of another company, is not found', async () => {
    const { api, path } = await newEvent();
    const other = await newEvent();
    const { id } = (await api.post(path, ticket)).body.data;
    const codeOf = async (reply: Promise<{ status: number; body: any }>) => {
      const { status, body } = await reply;
      return [status, body.error.code];
    };
    expect(await codeOf(api.post('/events/evt_nobody/offerings', ticket))).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await codeOf(other.api.post(path, ticket))).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await codeOf(other.api.get(path))).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await codeOf(other.api.get(`/offerings/${id}`))).toEqual([404, 'OFFERING_NOT_FOUND']);
    expect(await codeOf(other.api.patch(`/offerings/${id}`, {}))).toEqual([404, 'OFFERING_NOT_FOUND']);
  });
});

describe('request-reply', () => {
  test('returns the company’s offerings, with their version, and omits others', async () => {
    const { company, api, path } = await newEvent();
    const other = await newEvent();
    const mine = (await api.post(path, ticket)).body.data;
    const theirs = (await other.api.post(other.path, ticket)).body.data;
    expect(await askOfferings(services, company, [mine.id, theirs.id, 'off_nobody', mine.id])).toEqual({
      offerings: [{ ...mine, version: 1, event: { status: 'published' } }],
    });
    expect(await askOfferings(services, company, [])).toEqual({ offerings: [] });
  });

  test('refuses a list that is too long or not a list of ids', async () => {
    const company = services.newCompany();
    const tooMany = Array.from({ length: 501 }, (_, n) => `off_${n}`);
    for (const ids of ['off_1', [{ $ne: null }], [5], tooMany]) {
      await expect(askOfferings(services, company, ids)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});

test('every change of an offering is published once, with the resulting state', async () => {
  const { company, api, path } = await newEvent();
  const { id } = (await api.post(path, ticket)).body.data;
  await api.patch(`/offerings/${id}`, { name: 'VIP' });
  await api.patch(`/offerings/${id}`, { name: 'VIP' });
  const facts = () => company.published().filter(({ subject }) => subject === id);
  await expect.poll(() => facts().map(({ type }) => type)).toEqual(['offering.created', 'offering.updated']);
  expect(facts()[1]?.data).toMatchObject({
    id,
    companyId: company.companyId,
    name: 'VIP',
    price: ticket.price,
    version: 2,
  });
});
