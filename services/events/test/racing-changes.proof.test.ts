import { type ApiClient, proofSize, type Reply } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { concert, created } from './concert.ts';
import { members, newEvent } from './groups-of-friends.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ticket = { name: 'Ticket', price: { amount: 5_000, currency: 'EUR' }, tags: ['vip'] };
async function taggedRead(api: ApiClient, url: string) {
  const { headers, body } = await api.get(url);
  return { etag: headers.get('etag') ?? '', data: body.data };
}
const notOk = (replies: Reply[]) => replies.filter(({ status }) => status !== 200);

interface Kind {
  what: string;
  collection: 'events' | 'offerings' | 'purchaseGroups';
  /** The path to create them at, and the path of one, from the path of an event. */
  list: (event: string) => string;
  path: (event: string, id: string) => string;
  body: object;
  /** The event published for each change, if any. */
  tells?: 'event.updated' | 'offering.updated';
  /** Two changes of different fields. */
  changes: [one: object, other: object];
}
const KINDS: Kind[] = [
  {
    what: 'an event',
    collection: 'events',
    list: () => '/events',
    path: (_event, id) => `/events/${id}`,
    body: concert,
    tells: 'event.updated',
    changes: [{ name: 'New' }, { capacity: 1 }],
  },
  {
    what: 'an offering',
    collection: 'offerings',
    list: (event) => `${event}/offerings`,
    path: (_event, id) => `/offerings/${id}`,
    body: ticket,
    tells: 'offering.updated',
    changes: [{ name: 'New' }, { tags: ['new'] }],
  },
  {
    what: 'a purchase group',
    collection: 'purchaseGroups',
    list: (event) => `${event}/purchase-groups`,
    path: (event, id) => `${event}/purchase-groups/${id}`,
    body: { name: 'Team', size: 3, members: members('a') },
    changes: [{ name: 'New' }, { members: members('a', 'b') }],
  },
];

describe.each(KINDS)('$what', ({ collection, list, path: urlOf, body, tells, changes }) => {
  async function newRecords(count: number) {
    const { company, api, event } = await newEvent(services);
    const below = `/events/${event.id}`;
    const made = await Promise.all(Array.from({ length: count }, async () => created(api, list(below), body)));
    return { company, api, ids: made.map(({ id }) => id as string), pathOf: (id: string) => urlOf(below, id) };
  }

  test('that is changed 100 times at once counts every change in its version, and publishes each once', async () => {
    const { company, api, ids, pathOf } = await newRecords(1);
    const [id = ''] = ids;
    const replies = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => api.replica(n % 2).patch(pathOf(id), { name: `name ${n}` })),
    );
    expect(notOk(replies)).toEqual([]);
    const ofId = { $or: [{ _id: id }, { offeringId: id }] };
    const stored = await services.models.events[collection].collection.findOne(ofId as never);
    expect(stored).toMatchObject({ version: 101 });
    const told = () => (tells === undefined ? 0 : company.published(tells).length);
    await expect.poll(told).toBe(tells === undefined ? 0 : 100);
  });

  test('is changed by exactly one of many concurrent requests with the same If-Match', async () => {
    const { api, ids, pathOf } = await newRecords(proofSize(3, 10));
    const rivals = Array.from({ length: 10 }, (_, n) => `name ${n}`);
    for (const url of ids.map(pathOf)) {
      const { etag, data } = await taggedRead(api, url);
      const change = async (name: string, n: number) => api.replica(n % 2).patch(url, { name }, { 'if-match': etag });
      const replies = await Promise.all(rivals.map(change));
      const refused = notOk(replies);
      expect(refused.map(({ status, body: { error } }) => [status, error.code, error.details[0].version])).toEqual(
        rivals.slice(1).map(() => [409, 'VERSION_CONFLICT', data.version + 1]),
      );
      const won = replies.find(({ status }) => status === 200);
      const after = await taggedRead(api, url);
      expect(after.data).toMatchObject({ name: won?.body.data.name, version: data.version + 1 });
      expect((await change('last', 0)).status).toBe(409);
      expect((await api.patch(url, { name: 'last' }, { 'if-match': after.etag })).status).toBe(200);
    }
  });

  test('keeps both of two concurrent changes of different fields', async () => {
    const { api, ids, pathOf } = await newRecords(30);
    const [one, other] = changes;
    const paths = ids.map(pathOf);
    const replies = await Promise.all(
      paths.flatMap((path) => [api.patch(path, one), api.replica(1).patch(path, other)]),
    );
    expect(notOk(replies)).toEqual([]);
    const after = await Promise.all(paths.map(async (path) => (await api.get(path)).body.data));
    expect(after).toMatchObject(paths.map(() => ({ ...one, ...other })));
  });
});

test('concurrent requests to two processes create an event with the same chosen id once, round after round', async () => {
  const { events: api } = services.newCompany();
  for (let round = 0; round < proofSize(5, 20); round++) {
    const event = { name: 'Gala', id: `evt_gala-${round}` };
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => api.replica(n % 2).post('/events', event)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)]);
    expect((await api.replica(round % 2).get(`/events/${event.id}`)).status).toBe(200);
  }
});

test('an instance that is changed and reverted at once with the same If-Match is written once', async () => {
  const { events: api } = services.newCompany();
  const series = await created(api, '/events', { ...concert, kind: 'series' });
  const instance = await created(api, `/events/${series.id}/instances`, { name: 'Own' });
  const url = `/events/${instance.id}`;
  const ofSeries = `/events/${series.id}/instances/${instance.id}`;
  const { etag } = await taggedRead(api, url);
  await api.patch(`/events/${series.id}`, { capacity: 1 });
  const given = { 'if-match': etag };
  const ways = [
    async (n: number) => api.replica(n % 2).post(`${ofSeries}/revert`, { fields: ['name'] }, given),
    async (n: number) => api.replica(n % 2).patch(ofSeries, { name: `name ${n}` }, given),
    async (n: number) => api.replica(n % 2).patch(url, { name: `name ${n}` }, given),
  ];
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => ways)
      .flat()
      .map(async (way, n) => way(n)),
  );
  expect(notOk(replies)).toHaveLength(replies.length - 1);
  expect(new Set(notOk(replies).map(({ body: { error } }) => `${error.code}: ${error.message}`))).toEqual(
    new Set(['VERSION_CONFLICT: The event does not match If-Match: it is at version 2. Read it and try again.']),
  );
  expect((await taggedRead(api, url)).data.version).toBe(2);
});

describe('purchase groups', () => {
  test('that are concurrently merged, changed and deleted keep every place and every member', async () => {
    const { api, path, group, read, merge } = await newEvent(services);
    let mergedCount = 0;
    const race = async (round: number) => {
      const target = await group(3, members('t1', 't2'));
      const source = await group(2, members('s1', 's2'));
      const doomed = [target, source, undefined][round % 3];
      const [here, there] = [round % 2, (round + 1) % 2];
      const [merged, renamed, changed, deleted] = await Promise.all([
        merge(target.id, source.id, 5, here),
        api.replica(there).patch(`${path}/${target.id}`, { name: 'Choir' }),
        // As many as before: the merge may happen before or after.
        api.replica(there).patch(`${path}/${source.id}`, { members: members('s1', 's3') }),
        doomed && api.replica(round % 4 < 2 ? here : there).delete(`${path}/${doomed.id}`),
      ]);
      if (merged.status === 200) mergedCount += 1;
      for (const { status } of [merged, renamed, changed]) expect([200, 400, 404, 409]).toContain(status);
      // A deleted group counts as its deletion returned it.
      const after = await Promise.all([target, source].map(async ({ id }) => read(id)));
      const groups = [...after, deleted?.body.data].filter((one) => one?.status === 'active');
      expect(deleted?.status).toBe(doomed && 200);
      expect(groups).toHaveLength(merged.status === 200 ? 1 : 2);
      expect(groups.reduce((sum, { size }) => sum + size, 0)).toBe(5);
      const left: string[] = groups.flatMap((one) => one.members.map(({ id }: { id: string }) => id));
      const given = ['t1', 't2', 's1', changed.status === 200 ? 's3' : 's2'];
      expect([left.length, new Set(left)]).toEqual([4, new Set(given)]);
      if (renamed.status === 200) expect(groups.map(({ name }) => name)).toContain('Choir');
    };
    // Few at a time: the parts of one race must meet.
    for (let round = 0; round < proofSize(30, 150); round += 6) {
      await Promise.all(Array.from({ length: 6 }, async (_, n) => race(round + n)));
    }
    expect(mergedCount).toBeGreaterThan(0);
  });

  test('that are deleted while they grow leave nothing in the quota', async () => {
    const { api, path, group } = await newEvent(services);
    const made = await Promise.all(Array.from({ length: 20 }, async () => group(500)));
    const deletions = made.map(async ({ id }) => {
      const grow = async (to: number): Promise<number> => {
        const grown = Array.from({ length: to }, (_, n) => `m${n}`);
        return (await api.patch(`${path}/${id}`, { members: grown })).status;
      };
      expect(await grow(1)).toBe(200);
      const growing = async (to: number): Promise<void> => {
        if ((await grow(to)) === 200) await growing(to + 1);
      };
      const [deleted] = await Promise.all([api.replica(1).delete(`${path}/${id}`), growing(2)]);
      expect(deleted.status).toBe(200);
    });
    await Promise.all(deletions);
    const { purchaseGroups } = (await api.get('/usage')).body.data;
    expect(purchaseGroups).toMatchObject({ count: { used: 0 } });
  });
});
