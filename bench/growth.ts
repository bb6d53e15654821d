import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { adjustmentBody, type ApiClient, evaluationBody, orderBody } from '@event-commerce/test-kit';
import { createComparison, type Sizes } from './comparison.ts';
import { copyRecord } from './copy-record.ts';
import { type MeasuredPlatform, startMeasured } from './measured-platform.ts';

// `npm run growth`: what requests cost a company that has little and one that has much, as ratios of one run: the CPU
// time of all processes together, the database included, which says the same on a busy machine as on an idle one.

const { values } = parseArgs({
  options: {
    /** Parts to measure, separated by commas. */
    only: { type: 'string', default: 'evaluate,companies,carts,orders,events,adjustments,ledger' },
    /** Records of the large company in the lists of orders, of events, of adjustments, and of one adjustment's redemptions. */
    large: { type: 'string', default: '100000' },
    companies: { type: 'string', default: '2000' },
    coupons: { type: 'string', default: '10000' },
    out: { type: 'string', default: 'bench/growth.md' },
  },
});
const SMALL = 1_000;
const LARGE = Number(values.large);
const CREATED_TOGETHER = 4;
const RARE_EVERY = 500;

const beganMs = performance.now();
const run = await startMeasured(say, { env: { ADJUSTMENT_CACHE_MB: '256' } });
try {
  const comparison = await createComparison(say);
  const parts = { evaluate, companies, carts, orders, events, adjustments, ledger };
  for (const name of values.only.split(',')) {
    say(`measuring ${name}`);
    await parts[name as keyof typeof parts](comparison.compare);
  }
  process.stdout.write(`\n${comparison.table()}`);
  writeFileSync(values.out, comparison.table());
} finally {
  await run.stop();
}

type Compare = Awaited<ReturnType<typeof createComparison>>['compare'];

async function evaluate(compare: Compare): Promise<void> {
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  await writeAdjustments(few, 100, () => ({}));
  await writeAdjustments(many, 5_000, () => ({}));
  const ask = (option: string) => async (api: ApiClient) =>
    api.post(`/v1/pricing/adjustments/evaluate${option}`, evaluationBody());
  const sizes: Sizes = ['100', '5,000 adjustments'];
  await compare('evaluate, every adjustment listed', sizes, [few.api, many.api], ask(''));
  await compare('evaluate, candidates', sizes, [few.api, many.api], ask('?dropped=candidates'));
}

async function companies(compare: Compare): Promise<void> {
  const count = Number(values.companies);
  const all: Awaited<ReturnType<MeasuredPlatform['newCompany']>>[] = [];
  for (let n = 0; n < count; n += CREATED_TOGETHER) {
    all.push(...(await Promise.all(Array.from({ length: CREATED_TOGETHER }, () => run.newCompany()))));
  }
  const [first] = all;
  if (first === undefined) return;
  await writeAdjustments(
    first,
    100,
    () => ({}),
    all.map(({ companyId }) => companyId),
  );
  let turn = 0;
  const ask = (api: ApiClient) => api.post('/v1/pricing/adjustments/evaluate?dropped=candidates', evaluationBody());
  // Every company once, so that its key is known, as are its adjustments if they fit.
  for (const { api } of all) await ask(api);
  const inTurn = {
    ...first.api,
    post: (...args: Parameters<ApiClient['post']>) => all[turn++ % count]!.api.post(...args),
  };
  const sizes: Sizes = ['1', `${count} companies in turn`];
  await compare('evaluate, 100 adjustments each', sizes, [first.api, inTurn], ask, count);
}

async function carts(compare: Compare): Promise<void> {
  const count = Number(values.coupons);
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  const withCode = (n: number) => ({ conditions: { code: `CODE-${n}` }, heldCode: `CODE-${n}`, type: 'coupon' });
  const everywhere = { targets: [{ urn: 'urn:v1:any:events:event/*' }] };
  await writeAdjustments(few, 10, (n) => ({ ...withCode(n), ...everywhere }));
  await writeAdjustments(many, count, (n) => ({ ...withCode(n), ...everywhere }));
  for (const { api } of [few, many]) {
    await api.post('/v1/cart/sessions/read/item', { offeringId: 'poster', quantity: 2, price: 500 });
    await api.patch('/v1/cart/sessions/read', { coupons: ['CODE-1'] });
  }
  let n = 0;
  const change = (api: ApiClient) =>
    api.post(`/v1/cart/sessions/s-${n++ % 32}/item`, { offeringId: `o${n % 7}`, quantity: 1 + (n % 3), price: 500 });
  const sizes: Sizes = ['10', `${count} coupons`];
  await compare('change of a cart', sizes, [few.api, many.api], change);
  await compare('read of a cart', sizes, [few.api, many.api], (api) => api.get('/v1/cart/sessions/read'));
}

async function orders(compare: Compare): Promise<void> {
  const templateOf = async ({ api, companyId }: { api: ApiClient; companyId: string }) =>
    (await api.post('/v1/orders', orderBody(companyId, { customer: { email: 'ada@example.com' } }))).body.data.order.id;
  const [few, many] = await inTwoSizes('commerce', 'orders', templateOf, (like, n) => {
    const isRare = n % RARE_EVERY === 0;
    const customer = {
      id: isRare ? 'cus_rare' : `cus_${n % 5_000}`,
      email: isRare ? 'rare@example.com' : `a${n}@x.org`,
    };
    return {
      orderNumber: `N-${n}`,
      status: isRare ? 'shipped' : 'placed',
      customer,
      terms: [...(like['terms'] as string[]).filter((term) => !term.startsWith('e ')), `e ${customer.email}`],
    };
  });
  const [from, to] = ['2020-01-01T00:00:00Z', new Date(Date.now() + 86_400_000).toISOString()];
  await compareLists(compare, 'orders', '/v1/orders', [few, many], {
    'status of most': 'status=placed',
    'status of one in 500': 'status=shipped',
    'customer of one in 500': 'customerId=cus_rare',
    'e-mail address': 'email=rare@example.com',
    'beginning of a name or number': 'q=lovelace',
    'context of all': 'contextId=evt_1',
    'all of their time': `from=${from}&to=${to}`,
    'a time without any': `from=${from}&to=2020-02-01T00:00:00Z`,
  });
}

async function events(compare: Compare): Promise<void> {
  const templateOf = async ({ api }: { api: ApiClient }) =>
    (await api.post('/v1/events', { name: 'Gala', status: 'published', startsAt: '2027-05-01T20:00:00Z' })).body.data
      .id;
  const [few, many] = await inTwoSizes('events', 'events', templateOf, (like, n) => ({
    own: {
      ...(like['own'] as object),
      name: n % RARE_EVERY === 0 ? 'Opera' : 'Gala',
      startsAt: new Date(Date.UTC(2027, 0, 1 + (n % 700))),
      ...(n % RARE_EVERY === 0 ? { status: 'cancelled' } : {}),
    },
  }));
  await compareLists(compare, 'events', '/v1/events', [few, many], {
    'status of most': 'status=published',
    'status of one in 500': 'status=cancelled',
    'most of the year': 'from=2027-01-01T00:00:00Z&to=2027-12-31T00:00:00Z',
    'word of all': 'q=gala',
    'word of one in 500': 'q=opera',
  });
}

async function adjustments(compare: Compare): Promise<void> {
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  const made = (n: number) => ({
    status: n % RARE_EVERY === 0 ? 'paused' : 'archived',
    conditions: { code: `CODE-${n % 20_000}` },
  });
  await writeAdjustments(few, SMALL, made);
  await writeAdjustments(many, LARGE, made);
  await compareLists(compare, 'adjustments', '/v1/pricing/adjustments', [few.api, many.api], {
    'status of most': 'status=archived',
    'status of one in 500': 'status=paused',
    code: 'code=CODE-500',
  });
}

async function ledger(compare: Compare): Promise<void> {
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  const paths: string[] = [];
  for (const [{ api }, count] of [
    [few, SMALL],
    [many, LARGE],
  ] as const) {
    const { body } = await api.post('/v1/pricing/adjustments', adjustmentBody('CODE'));
    const path = `/v1/pricing/adjustments/${body.data.id}/redemptions`;
    const redeemed = (await api.post(path, { orderId: 'first', customerId: 'cus_1' })).body.data.redemption;
    await copyRecord(run, 'pricing', 'redemptions', redeemed.id, count, (n) => ({ orderId: `order-${n}` }));
    paths.push(path);
  }
  const of = (api: ApiClient, path = ''): ApiClient => ({ ...api, get: (query) => api.get(`${path}${query}`) });
  await compareLists(compare, 'redemptions of an adjustment', '', [of(few.api, paths[0]), of(many.api, paths[1])], {});
}

/** The first page, a page in the middle, and each of `filters`. */
async function compareLists(
  compare: Compare,
  what: string,
  path: string,
  apis: [ApiClient, ApiClient],
  filters: Record<string, string>,
): Promise<void> {
  const sizes: Sizes = [String(SMALL), String(LARGE)];
  await compare(`${what}: first page`, sizes, apis, (api) => api.get(`${path}?limit=50`));
  const cursors = new Map<ApiClient, string>();
  for (const api of apis) {
    // Deep enough for what a page costs to show, if it costs more the deeper it is.
    let cursor = '';
    for (let pages = 0; pages < (api === apis[0] ? 3 : 40); pages++) {
      cursor = `&cursor=${(await api.get(`${path}?limit=200${cursor}`)).body.page.next}`;
    }
    cursors.set(api, cursor);
  }
  await compare(`${what}: a deep page`, sizes, apis, (api) => api.get(`${path}?limit=50${cursors.get(api)}`));
  for (const [name, query] of Object.entries(filters)) {
    await compare(`${what}: ${name}`, sizes, apis, (api) => api.get(`${path}?limit=50&${query}`));
  }
}

/** Two companies, with `SMALL` and `LARGE` copies of a record that is made over the API. */
async function inTwoSizes(
  service: string,
  collection: string,
  create: (company: { api: ApiClient; companyId: string }) => Promise<string>,
  changes: (like: Record<string, unknown>, n: number) => Record<string, unknown>,
): Promise<[ApiClient, ApiClient]> {
  const apis: ApiClient[] = [];
  for (const count of [SMALL, LARGE]) {
    const company = await run.newCompany();
    const id = await create(company);
    await copyRecord(run, service, collection, id, count, (n, like) => changes(like, n));
    apis.push(company.api);
  }
  return apis as [ApiClient, ApiClient];
}

/** Writes copies of an adjustment to the database, for each of `tenants`, one of the first of which targets the event that is evaluated. */
async function writeAdjustments(
  { api, companyId }: { api: ApiClient; companyId: string },
  count: number,
  changes: (n: number) => Record<string, unknown>,
  tenants: readonly string[] = [companyId],
): Promise<void> {
  const body = adjustmentBody('TEMPLATE', {
    type: 'promotion',
    conditions: {},
    status: 'paused',
    stacking: 'stackable',
  });
  const { id } = (await api.post('/v1/pricing/adjustments', body)).body.data;
  await copyRecord(run, 'pricing', 'adjustments', id, count * tenants.length, (n) => {
    const matches = Math.floor(n / tenants.length) < 10;
    const eventId = matches ? 'evt_1' : `evt_other_${n}`;
    const targets = [{ urn: `urn:v1:any:events:event/${eventId}`, eventId }];
    return { companyId: tenants[n % tenants.length], status: 'active', targets, ...changes(n) };
  });
}

function say(line: string): void {
  process.stdout.write(`  ${((performance.now() - beganMs) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}
