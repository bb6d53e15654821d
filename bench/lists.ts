import type { OrderItem } from '@event-commerce/contracts';
import { adjustmentBody, type ApiClient, orderBody } from '@event-commerce/test-kit';
import type { createComparison, Sizes } from './comparison.ts';
import { copyRecord } from './copy-record.ts';
import type { MeasuredPlatform } from './measured-platform.ts';
import { orderTerms } from '../services/commerce/src/search-terms.ts';
import { searchTerms as eventTerms } from '../services/events/src/events/domain/search-terms.ts';
import { searchTerms as adjustmentTerms } from '../services/pricing/src/adjustments/domain/search-terms.ts';

const RARE_EVERY = 500;
const CUSTOMERS = 5_000;

type Store = Pick<MeasuredPlatform, 'infrastructure' | 'dbNameOf'>;
type Company = Pick<Awaited<ReturnType<MeasuredPlatform['newCompany']>>, 'api' | 'companyId'>;

/** A list of the API, and the filters that are measured. */
interface List {
  what: string;
  /**
   * Writes `count` records that the list then has; returns its path. One in 500 is rare, and the oldest is unlike all
   * others.
   */
  write(store: Store, company: Company, count: number): Promise<string>;
  /** Queries by what they ask for. */
  filters: Record<string, string>;
}

export type ListName = 'orders' | 'events' | 'adjustments' | 'ledger';

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
/** The value of record `n`, which is the oldest, one of the rare ones, or one of the others. */
const valueOf = <T>(n: number, { oldest, rare, usual }: { oldest: T; rare: T; usual: T }): T =>
  n === 0 ? oldest : n % RARE_EVERY === 0 ? rare : usual;

export const LISTS: Record<ListName, List> = {
  orders: {
    what: 'orders',
    async write(store, { api, companyId }, count) {
      const body = orderBody(companyId, { customer: { email: 'ada@example.com' } });
      const { id } = (await api.post('/v1/orders', body)).body.data.order;
      await copyRecord(store, 'commerce', 'orders', id, count, (n, like, createdAt) => {
        const of = (name: string) => valueOf(n, { oldest: `oldest${name}`, rare: `rare${name}`, usual: name });
        const customer = {
          id: valueOf(n, { oldest: 'cus_oldest', rare: 'cus_rare', usual: `cus_${n % CUSTOMERS}` }),
          email: valueOf(n, { oldest: 'oldest@x.org', rare: 'rare@x.org', usual: `a${n}@x.org` }),
          lastName: of('lovelace'),
        };
        const order = {
          orderNumber: `N-${n}`,
          customer,
          items: (like['items'] as OrderItem[]).map((item) => ({ ...item, offeringId: of('off_1') })),
          coupons: [{ code: of('SUMMER') }],
        };
        return {
          ...order,
          status: valueOf(n, { oldest: 'returned', rare: 'shipped', usual: 'placed' }),
          contextId: of('evt_1'),
          terms: orderTerms(order),
          createdAt,
          changedAt: createdAt,
        };
      });
      return '/v1/orders';
    },
    filters: {
      'status of most': 'status=placed',
      'status of one in 500': 'status=shipped',
      'status of the oldest': 'status=returned',
      'status of none': 'status=never',
      'customer of one in 500': 'customerId=cus_rare',
      'e-mail address': 'email=rare@x.org',
      'e-mail address of the oldest': 'email=oldest@x.org',
      'name of most': 'q=lovelace',
      'name of one in 500': 'q=rarelovelace',
      'name of the oldest': 'q=oldestlovelace',
      'two words of most': 'q=lovelace x',
      'a word of most and a rare one': 'q=lovelace rare',
      'context of most': 'contextId=evt_1',
      'context of one in 500': 'contextId=rareevt_1',
      'offering of most': 'offeringId=off_1',
      'offering of one in 500': 'offeringId=rareoff_1',
      'offering of the oldest': 'offeringId=oldestoff_1',
      'code of one in 500': 'code=rareSUMMER',
      'status of most, customer of one in 500': 'status=placed&customerId=cus_rare',
      'status of one in 500, offering of most': 'status=shipped&offeringId=off_1',
      'the last hours, offering of one in 500': `from=${day(-0.1)}&offeringId=rareoff_1`,
      'all of their time': `from=2020-01-01T00:00:00Z&to=${day(1)}`,
      'a time without any': 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
      'all of their time, status of one in 500': `from=2020-01-01T00:00:00Z&to=${day(1)}&status=shipped`,
    },
  },
  events: {
    what: 'events',
    async write(store, { api }, count) {
      const body = { name: 'Gala', status: 'published', startsAt: '2027-05-01T20:00:00Z' };
      const { id } = (await api.post('/v1/events', body)).body.data;
      await copyRecord(store, 'events', 'events', id, count, (n, like, created) => {
        const name = valueOf(n, { oldest: 'chamber', rare: 'opera', usual: 'gala' });
        const startsAt = valueOf(n, {
          oldest: new Date('2026-01-01'),
          rare: new Date('2029-01-01'),
          usual: new Date(Date.UTC(2027, 0, 1 + (n % 700))),
        });
        const status = valueOf<'archived' | 'cancelled' | 'published'>(n, {
          oldest: 'archived',
          rare: 'cancelled',
          usual: 'published',
        });
        const venueId = valueOf(n, { oldest: 'barn', rare: 'club', usual: 'hall' });
        const description = 'An evening in the old theatre by the river';
        const own = { ...(like['own'] as object), name, description, status, startsAt, venueId };
        return { own, terms: eventTerms(own), created, changed: created };
      });
      return '/v1/events';
    },
    filters: {
      'kind of all': 'kind=single',
      'kind of none': 'kind=series',
      'status of most': 'status=published',
      'status of one in 500': 'status=cancelled',
      'status of the oldest': 'status=archived',
      'status of none': 'status=draft',
      'most of the time': 'from=2027-01-01T00:00:00Z&to=2027-12-31T00:00:00Z',
      'a day': 'from=2027-03-01T00:00:00Z&to=2027-03-02T00:00:00Z',
      'a day of one in 500': 'from=2029-01-01T00:00:00Z&to=2029-01-02T00:00:00Z',
      'a day of the oldest': 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
      'a day without any': 'from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z',
      'a day, status of most': 'from=2027-03-01T00:00:00Z&to=2027-03-02T00:00:00Z&status=published',
      'word of all': 'q=theatre',
      'word of most': 'q=gala',
      'word of one in 500': 'q=opera',
      'word of the oldest': 'q=chamber',
      'word of none': 'q=nothing',
      'word of all and a rare one': 'q=theatre opera',
      'venue of most': 'venueId=hall',
      'venue of one in 500': 'venueId=club',
      'venue of the oldest': 'venueId=barn',
      'soonest first': 'sort=startsAt',
      'what is on next': 'sort=startsAt&from=2027-03-01T12:00:00Z',
      'what is on next, status of most': 'sort=startsAt&from=2027-03-01T12:00:00Z&status=published',
      'what is on next, venue of one in 500': 'sort=startsAt&from=2027-03-01T12:00:00Z&venueId=club',
      'what is on next, word of most': 'sort=startsAt&from=2027-03-01T12:00:00Z&q=gala',
    },
  },
  adjustments: {
    what: 'adjustments',
    async write(store, { api }, count) {
      const body = adjustmentBody('TEMPLATE', { type: 'promotion', conditions: {}, status: 'paused' });
      const { id } = (await api.post('/v1/pricing/adjustments', body)).body.data;
      await copyRecord(store, 'pricing', 'adjustments', id, count, (n, _like, created) => {
        const eventId = valueOf(n, { oldest: 'evt_oldest', rare: 'evt_rare', usual: `evt_${n % 20}` });
        const offeringId = valueOf(n, { oldest: 'off_oldest', rare: 'off_rare', usual: 'off_1' });
        const adjustment = {
          name: `Sale ${valueOf(n, { oldest: 'oldest', rare: 'rare', usual: 'template' })}`,
          type: 'promotion',
          category: valueOf(n, { oldest: 'early', rare: 'group', usual: 'promotion' }),
          targets: [{ urn: `urn:v1:any:events:event/${eventId}`, eventId, offeringId }],
          conditions: { code: valueOf(n, { oldest: 'OLDEST', rare: 'RARE', usual: `CODE-${n % 20_000}` }) },
        };
        return {
          ...adjustment,
          status: valueOf(n, { oldest: 'scheduled', rare: 'paused', usual: 'archived' }),
          terms: adjustmentTerms(adjustment),
          created,
          changed: created,
        };
      });
      return '/v1/pricing/adjustments';
    },
    filters: {
      'status of most': 'status=archived',
      'status of one in 500': 'status=paused',
      'status of the oldest': 'status=scheduled',
      'code of one in 500': 'code=RARE',
      'code of the oldest': 'code=OLDEST',
      'code of none': 'code=NONE',
      'status of most, code of one in 500': 'status=archived&code=RARE',
      'status of most, code of some': 'status=archived&code=CODE-501',
      'type of all': 'type=promotion',
      'category of one in 500': 'category=group',
      'category of none': 'category=none',
      'event of one in 20': 'eventId=evt_3',
      'event of the oldest': 'eventId=evt_oldest',
      'offering of most': 'offeringId=off_1',
      'offering of one in 500': 'offeringId=off_rare',
      'event and offering of one in 500': 'eventId=evt_rare&offeringId=off_rare',
      'event of one in 20, offering of most': 'eventId=evt_3&offeringId=off_1',
      'word of all': 'q=sale',
      'word of one in 500': 'q=rare',
      'word of the oldest': 'q=oldest',
      'type of all, category of one in 500': 'type=promotion&category=group',
    },
  },
  ledger: {
    what: 'redemptions of an adjustment',
    async write(store, { api }, count) {
      const { body } = await api.post('/v1/pricing/adjustments', adjustmentBody('CODE'));
      const path = `/v1/pricing/adjustments/${body.data.id}/redemptions`;
      const { id } = (await api.post(path, { orderId: 'first', customerId: 'cus_1' })).body.data.redemption;
      await copyRecord(store, 'pricing', 'redemptions', id, count, (n, _like, created) => ({
        orderId: `order-${n}`,
        customerId: `cus_${n % CUSTOMERS}`,
        created,
      }));
      return path;
    },
    filters: {},
  },
};

export function isList(name: string): name is ListName {
  return Object.hasOwn(LISTS, name);
}

const PAGES_DEEP = { small: 3, large: 40 };
const DEEP_LIMIT = 200;
const LIMIT = 50;
/** How many records the large company needs for its deep page. */
export const LARGE_MIN = PAGES_DEEP.large * DEEP_LIMIT + LIMIT;

/** Compares a list's first page, a deep page, and each filter of a company with few and one with many records. */
export async function compareLists(
  compare: Awaited<ReturnType<typeof createComparison>>['compare'],
  { what, filters }: List,
  sizes: Sizes,
  apis: readonly [ApiClient, ApiClient],
  paths: readonly [string, string],
): Promise<void> {
  const pathOf = new Map(apis.map((api, n) => [api, paths[n]]));
  const ask = (query: string) => async (api: ApiClient, worker: number) =>
    api.get(`${pathOf.get(api)}?limit=${LIMIT - worker}${query}`);
  await compare(`${what}: first page`, sizes, apis, ask(''));
  const cursors = new Map<ApiClient, string>();
  for (const [n, api] of apis.entries()) {
    // Deep enough for what a page costs to show, if it costs more the deeper it is.
    let cursor = '';
    for (let pages = 0; pages < (n === 0 ? PAGES_DEEP.small : PAGES_DEEP.large); pages++) {
      cursor = `&cursor=${(await api.get(`${pathOf.get(api)}?limit=${DEEP_LIMIT}${cursor}`)).body.page.next}`;
    }
    cursors.set(api, cursor);
  }
  await compare(`${what}: a deep page`, sizes, apis, async (api, worker) => ask(cursors.get(api) ?? '')(api, worker));
  for (const [name, query] of Object.entries(filters)) await compare(`${what}: ${name}`, sizes, apis, ask(`&${query}`));
}
