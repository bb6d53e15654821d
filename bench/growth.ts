import { writeFileSync } from 'node:fs';
import { adjustmentBody, type ApiClient, evaluationBody, wholeNumbers } from '@event-commerce/test-kit';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import { measureBacklog } from './backlog.ts';
import { AT_ONCE, createComparison, type Request, type Sizes } from './comparison.ts';
import { copyRecord } from './copy-record.ts';
import { compareLists, isList, LARGE_MIN, type ListName, LISTS } from './lists.ts';
import { type MeasuredPlatform, startMeasured } from './measured-platform.ts';
import { measureEnding } from './waiting-orders.ts';

// `npm run growth`: compares the cost of requests for a company with little data and one with a lot, as ratios within
// one run. The cost is the CPU time of all processes, the database included: it is the same on a busy machine.

const PARTS = { evaluate, companies, carts, backlog, endings };
const KNOWN = [...Object.keys(PARTS), ...Object.keys(LISTS)].join(',');

const USAGE = `Usage: npm run growth -- [OPTION ...]

  --only A,B      the parts to measure (${KNOWN})
  --large N       how many orders, events, adjustments, and redemptions of one adjustment the large company has (100000)
  --companies N   how many companies ask in turn (2000)
  --coupons N     how many coupons the large company of the carts has (10000)
  --waiting N     how many events wait after an outage (50000)
  --pending N     how many pending orders expire, or are confirmed, together (2000)
  --out FILE      where the table goes (bench/growth.md)
`;

const { values } = readCommandLine(USAGE, {
  options: {
    only: { type: 'string', default: KNOWN },
    large: { type: 'string', default: '100000' },
    companies: { type: 'string', default: '2000' },
    coupons: { type: 'string', default: '10000' },
    waiting: { type: 'string', default: '50000' },
    pending: { type: 'string', default: '2000' },
    out: { type: 'string', default: 'bench/growth.md' },
  },
});
const counts = wholeNumbers(values, { large: LARGE_MIN, companies: 2, coupons: 10, waiting: 1, pending: 1 });
const only = values.only.split(',');
const unknown = only.filter((name) => !isList(name) && !Object.hasOwn(PARTS, name));
if (unknown.length > 0) refuseCommandLine(USAGE, `There is no part ${unknown.join(', ')}.`);
const SMALL = 1_000;
const CREATED_TOGETHER = 4;
const EVALUATE = '/v1/pricing/adjustments/evaluate';
const shopper = (worker: number) => evaluationBody({ customerId: `cus_${worker}` });
const cartOf = (worker: number) => `/v1/cart/sessions/read-${worker}`;

const beganMs = performance.now();
/** What was measured besides the comparisons. */
const remarks: string[] = [];
const run = await startMeasured(say, { env: { ADJUSTMENT_CACHE_MB: '256' } });
try {
  const comparison = await createComparison(say);
  for (const name of only) {
    say(`measuring ${name}`);
    if (isList(name)) await list(comparison.compare, name);
    else await PARTS[name as keyof typeof PARTS](comparison.compare);
  }
  const report = [comparison.table(), ...remarks].filter((part) => part !== '').join('\n');
  process.stdout.write(`\n${report}`);
  writeFileSync(values.out, report);
} finally {
  await run.stop();
}

type Compare = Awaited<ReturnType<typeof createComparison>>['compare'];

async function evaluate(compare: Compare): Promise<void> {
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  await writeAdjustments(few, 100, () => ({}));
  await writeAdjustments(many, 5_000, () => ({}));
  const ask =
    (option: string): Request =>
    async (api, worker) =>
      api.post(`${EVALUATE}${option}`, shopper(worker));
  const sizes: Sizes = ['100', '5,000 adjustments'];
  await compare('evaluate, every adjustment listed', sizes, [few.api, many.api], ask(''));
  await compare('evaluate, candidates', sizes, [few.api, many.api], ask('?dropped=candidates'));
}

async function companies(compare: Compare): Promise<void> {
  const count = counts.companies;
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
  const ask: Request = async (api, worker) => api.post(`${EVALUATE}?dropped=candidates`, shopper(worker));
  // Every company once, so that its key is known, as are its adjustments if they fit.
  for (const { api } of all) await ask(api, 0);
  const inTurn = {
    ...first.api,
    post: (...args: Parameters<ApiClient['post']>) => all[turn++ % count]!.api.post(...args),
  };
  const sizes: Sizes = ['1', `${count} companies in turn`];
  await compare('evaluate, 100 adjustments each', sizes, [first.api, inTurn], ask, count);
}

async function carts(compare: Compare): Promise<void> {
  const count = counts.coupons;
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  const withCode = (n: number) => ({ conditions: { code: `CODE-${n}` }, heldCode: `CODE-${n}`, type: 'coupon' });
  const everywhere = { targets: [{ urn: 'urn:v1:any:events:event/*' }] };
  await writeAdjustments(few, 10, (n) => ({ ...withCode(n), ...everywhere }));
  await writeAdjustments(many, count, (n) => ({ ...withCode(n), ...everywhere }));
  for (const { api } of [few, many]) {
    for (let worker = 0; worker < AT_ONCE; worker++) {
      await api.post(`${cartOf(worker)}/item`, { offeringId: 'poster', quantity: 2, price: 500 });
      await api.patch(cartOf(worker), { coupons: ['CODE-1'] });
    }
  }
  let n = 0;
  const change = (api: ApiClient) =>
    api.post(`/v1/cart/sessions/s-${n++ % 32}/item`, { offeringId: `o${n % 7}`, quantity: 1 + (n % 3), price: 500 });
  const sizes: Sizes = ['10', `${count} coupons`];
  await compare('change of a cart', sizes, [few.api, many.api], change);
  await compare('read of a cart', sizes, [few.api, many.api], (api, worker) => api.get(cartOf(worker)));
}

async function backlog(): Promise<void> {
  const { seconds, perSecond } = await measureBacklog(run, await run.newCompany(), counts.waiting);
  const sentence = `${counts.waiting} events that waited left in ${seconds.toFixed(1)} s: ${perSecond.toFixed(0)} a second`;
  say(sentence);
  remarks.push(`${sentence}.\n`);
}

async function endings(): Promise<void> {
  for (const end of ['expired', 'confirmed'] as const) {
    const { seconds, perSecond } = await measureEnding(run, await run.newCompany(), counts.pending, end);
    const sentence = `${counts.pending} pending orders were ${end} in ${seconds.toFixed(1)} s: ${perSecond.toFixed(0)} a second`;
    say(sentence);
    remarks.push(`${sentence}.\n`);
  }
}

/** The list `name` of a company with few and of one with many records. */
async function list(compare: Compare, name: ListName): Promise<void> {
  const [few, many] = [await run.newCompany(), await run.newCompany()];
  const write = async (company: typeof few, count: number) => {
    const startMs = performance.now();
    const path = await LISTS[name].write(run, company, count);
    say(`wrote ${count} in ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
    return path;
  };
  const paths = [await write(few, SMALL), await write(many, counts.large)] as const;
  await compareLists(compare, LISTS[name], [String(SMALL), String(counts.large)], [few.api, many.api], paths);
}

/**
 * Writes `count` copies of an adjustment to the database for each of `tenants`. The first ten target the event that is
 * evaluated.
 */
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
