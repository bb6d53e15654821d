import type { ApiClient } from '@event-commerce/test-kit';
import { type Abuse, type Abuser, made, makeMany, placeOrders, statusOf } from './abuse.ts';
import { freeObject, largestGroup, LINES, manyProblems } from './largest-bodies.ts';

const ID_LENGTH = 250;
const SERIES = { id: 'evt_series', kind: 'series', name: 'x' };
/** As many series, with the longest ids, as a list of ten words can have. */
const MANY_SERIES = 190;
/** As many words as a search may have. */
const SEARCHED = Array.from({ length: 10 }, (_, n) => `word${n}`);
/** The most members that a group gets by merges. */
const GROUP_MEMBERS = 2_000;
const LARGE_GROUPS = 16;

/** What makes records costly to write, list and find. */
export const recordAbuses: readonly Abuse[] = [
  {
    name: 'bodies of 1 MiB that are refused',
    expected: 400,
    clients: 16,
    act: async ({ api }, n) => await statusOf(api.post('/v1/coupons', manyProblems(n))),
  },
  {
    name: 'pages of the largest orders',
    expected: 200,
    clients: 8,
    prepare: placeLargestOrders,
    act: async ({ api }) => await statusOf(api.get('/v1/orders?limit=200')),
  },
  {
    name: 'exports of all orders',
    expected: 200,
    clients: 8,
    prepare: placeLargestOrders,
    act: async ({ key, port }, n) => {
      const url = `http://127.0.0.1:${port}/v1/orders?format=${n % 2 === 0 ? 'csv' : 'ndjson'}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      return response.status;
    },
  },
  {
    name: 'searches of ten words that all series have',
    expected: 200,
    clients: 16,
    prepare: async ({ setup: api }) => {
      const texts = { name: SEARCHED.join(' '), description: SEARCHED.join(' ') };
      await makeMany(MANY_SERIES, (n) =>
        api.post('/v1/events', { kind: 'series', id: `evt_${n}`.padEnd(ID_LENGTH, 'x'), ...texts }),
      );
    },
    act: async ({ api }) => await statusOf(api.get(`/v1/events?limit=1&q=${SEARCHED.join('+')}`)),
  },
  {
    name: 'pages of instances that inherit the largest texts',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      const tags = Array.from({ length: LINES }, (_, n) => `${n}`.padEnd(ID_LENGTH, 'x'));
      await made(api.post('/v1/events', { ...SERIES, tags, description: 'x'.repeat(4_000) }));
      await makeMany(200, () => api.post(`/v1/events/${SERIES.id}/instances`, {}));
    },
    act: async ({ api }) =>
      await statusOf(api.get(`/v1/events?limit=200&seriesId=${SERIES.id}&sort=startsAt&q=x&status=draft`)),
  },
  {
    name: 'capacities of a series with 1,000 instances',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      await made(api.post('/v1/events', SERIES));
      const offering = { name: 'Seat', price: { amount: 5_000, currency: 'EUR' } };
      await makeMany(1_000, async (n) => {
        const id = `evt_${n}`;
        await made(api.post(`/v1/events/${SERIES.id}/instances`, { id }));
        return await api.post(`/v1/events/${id}/offerings`, offering);
      });
    },
    act: async ({ api }, n) => await statusOf(api.patch(`/v1/events/${SERIES.id}`, { capacity: 1_000 + n })),
  },
  mergesOfGroups(),
];

async function placeLargestOrders(abuser: Abuser): Promise<void> {
  await placeOrders(abuser, 200, { meta: freeObject(), answers: freeObject() });
}

/** Merges of an empty group into one with as many members as it may have, each as large as it may be. */
function mergesOfGroups(): Abuse {
  const groups = '/v1/events/evt_1/purchase-groups';
  const targets: string[] = [];
  const create = async (api: ApiClient, group: object): Promise<string> =>
    (await made(api.post(groups, group))).body.data.id;
  const merge = async (api: ApiClient, target: string, sourceGroupId: string, combinedSize: number) =>
    api.post(`${groups}/${target}/merge`, { sourceGroupId, combinedSize, note: 'x'.repeat(4_000) });
  return {
    name: 'merges into the largest groups',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      await made(api.post('/v1/events', { id: 'evt_1', name: 'Reunion' }));
      for (let n = 0; n < LARGE_GROUPS; n++) {
        const target = await create(api, largestGroup());
        for (let size = 2 * LINES; size <= GROUP_MEMBERS; size += LINES) {
          await made(merge(api, target, await create(api, largestGroup()), size));
        }
        targets.push(target);
      }
    },
    act: async ({ api, setup }, n) => {
      const source = await create(setup, { name: 'Nobody' });
      return await statusOf(merge(api, targets[n % targets.length]!, source, GROUP_MEMBERS));
    },
  };
}
