import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectMongo } from '@event-commerce/service-kit';
import {
  adjustmentBody,
  type ApiClient,
  type ServiceProcess,
  startScript,
  wholeNumbers,
} from '@event-commerce/test-kit';
import { readCommandLine } from '@event-commerce/service-kit/command-line';
import { bundleOf } from '@event-commerce/service-kit/dist';
import type autocannon from 'autocannon';
import { type Platform, PROCESS_NAMES } from '../deploy/local/platform.ts';
import { createAdjustments, writeAdjustments } from './adjustments.ts';
import { measureCascade } from './cascade.ts';
import { startMeasured } from './measured-platform.ts';
import { createMeasurements } from './measurements.ts';
import { picture } from './picture.ts';
import { PROFILED_NODE_OPTIONS, Profiles } from './profiles.ts';
import {
  CART_READ,
  CHANGED_ORDERS,
  CONFIRMED_ORDERS,
  GATEWAY_ALONE,
  ORDERS_OF_TEN_LINES,
  ORDERS_OF_TEN_LINES_WITH_CODE,
  ORDERS_OF_TICKETS,
  OTHER_LISTS,
  PENDING_ORDERS,
  PLAIN_INSERTS,
  PURCHASES,
  PURCHASES_BY_CLIENTS,
  report,
  SAME_EVALUATION,
  SAME_LIST,
} from './report.ts';
import { cartChanges, oneEach, orders, ordersThat, PURCHASE_STEPS, purchases, question } from './requests.ts';

// `npm run bench`: compares the platform with the bare libraries it is built on, in one run, and prints ratios.
// Absolute figures mean nothing on another machine; ratios within one run do.

const USAGE = `Usage: npm run bench -- [OPTION ...]

  --seconds N      how long each turn of a measurement takes (3)
  --warm-up N      how many seconds each measurement runs before its first turn (20)
  --connections N  how many clients send requests at the same time (16)
  --writers N      the same for orders, cart changes and plain inserts (64)
  --out FILE       where the report goes (bench/results.md), with a picture beside it
  --profile        also writes a CPU profile of each process, and slows everything down
  --profiles DIR   where the profiles go (bench/profiles)
`;

const { values } = readCommandLine(USAGE, {
  options: {
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '20' },
    connections: { type: 'string', default: '16' },
    // Waiting writes are batched, and only many writers show the benefit.
    writers: { type: 'string', default: '64' },
    out: { type: 'string', default: 'bench/results.md' },
    profile: { type: 'boolean', default: false },
    profiles: { type: 'string', default: 'bench/profiles' },
  },
});
/** Compared parts are measured in turns, so that a slow phase of the machine affects both sides. */
const TURNS = 3;
const RULES = 1_000;
/** The most adjustments that a company may have, and still get all of them in a response. */
const LARGEST = 100_000;

const beganMs = performance.now();
const {
  seconds,
  'warm-up': warmUpSeconds,
  connections,
  writers,
} = wholeNumbers(values, { seconds: 1, 'warm-up': 1, connections: 1, writers: 1 });
const children: ServiceProcess[] = [];

say(`measuring the cascade and json-rules-engine with ${RULES} adjustments`);
const usOf = await measureCascade([RULES], ['candidates', 'json-rules-engine']);

const run = await startMeasured(say, values.profile ? { nodeOptions: PROFILED_NODE_OPTIONS } : {});
const { platform, infrastructure } = run;
let profiles: Profiles | undefined;
const { measured, measure, measureInserts } = createMeasurements({
  seconds,
  warmUpSeconds,
  connections,
  writers,
  say,
  profiles: () => profiles,
});
try {
  if (values.profile) {
    const logs: Record<string, string> = Object.fromEntries(
      PROCESS_NAMES.map((name) => [name, path.join(run.logDir, `${name}.log`)]),
    );
    if (infrastructure.ways.mongo === 'packages')
      logs['mongo-stand-in'] = path.join(run.folder, 'data/logs/mongo-gateway.log');
    profiles = await Profiles.open(values.profiles, logs);
  }

  const staticUrl = await startProcess(bare('static-answer'), {});
  const proxyUrl = await startProcess(bare('bare-proxy'), { UPSTREAM: staticUrl });
  // A gateway like the platform's, but in front of the static response: the remaining time is its own cost.
  const gatewayUrl = await startProcess(bundleOf('gateway'), {
    ...run.gatewayEnv,
    PRICING_URL: staticUrl,
    COMMERCE_URL: staticUrl,
    CART_URL: staticUrl,
    EVENTS_URL: staticUrl,
    ACTIVITY_URL: staticUrl,
  });

  const evaluation = question();
  const shoppers = { setupClient: oneEach(connections, (n) => ({ body: question(n) })) };
  await measure('bare Fastify, static answer', { url: `${staticUrl}/x`, method: 'POST', body: evaluation });
  const evaluations: [name: string, options: autocannon.Options][] = [];
  for (const count of [100, 10_000]) {
    const company = await run.newCompany();
    const { headers } = company;
    say(`creating ${count} adjustments, 10 of which match`);
    await createAdjustments(company, platform.url, count, say);
    const url = `${platform.url}/v1/pricing/adjustments/evaluate?dropped=candidates`;
    const toPricing: autocannon.Options = { url, method: 'POST', headers, body: evaluation };
    evaluations.push([`evaluate, ${count} adjustments`, { ...toPricing, ...shoppers }]);
    if (count === 100) evaluations.push([SAME_EVALUATION, toPricing]);
  }
  const largest = await run.newCompany();
  say(`writing ${LARGEST} adjustments, one of which matches`);
  await writeAdjustments(largest, platform.url, LARGEST, {
    mongoUrl: infrastructure.mongoUrl,
    dbName: run.dbNameOf('pricing'),
  });
  const ofLargest: autocannon.Options = {
    url: `${platform.url}/v1/pricing/adjustments/evaluate`,
    method: 'POST',
    headers: largest.headers,
    body: evaluation,
  };
  const candidates = { ...ofLargest, url: `${ofLargest.url}?dropped=candidates`, ...shoppers };
  await measure(`evaluate, ${LARGEST} adjustments`, candidates);
  await measure(`evaluate, ${LARGEST} adjustments, all listed`, { ...ofLargest, connections: 1, amount: 10 });
  for (let turn = 0; turn < TURNS; turn++) {
    await measure('bare http-proxy', { url: `${proxyUrl}/x`, method: 'POST', body: evaluation });
    for (const [name, options] of evaluations) await measure(name, options);
  }

  const company = await run.newCompany();
  const { headers, api } = company;
  const cartOf = (n: number) => ({ path: `/v1/cart/sessions/read-${n}` });
  for (let n = 0; n < connections; n++)
    await api.post(`${cartOf(n).path}/item`, { offeringId: 'o', quantity: 2, price: 5000 });
  const carts = { url: platform.url, headers, setupClient: oneEach(connections, cartOf) };
  const lists = { headers, setupClient: oneEach(connections, (n) => ({ path: `/v1/events?limit=${n + 1}` })) };
  for (let turn = 0; turn < TURNS; turn++) {
    await measure('bare http-proxy, GET', { url: `${proxyUrl}/x` });
    await measure(GATEWAY_ALONE, { url: gatewayUrl, ...lists });
    await measure(SAME_LIST, { url: `${platform.url}/v1/events`, headers });
    await measure(OTHER_LISTS, { url: platform.url, ...lists });
    await measure(CART_READ, carts);
  }

  const mongo = await connectMongo(infrastructure.mongoUrl, { dbName: run.dbNameOf('plain'), appName: 'bench' });
  const plain = mongo.collection('plain');
  const codes = Array.from({ length: 50 }, (_, n) => `ORDER-${n}`);
  for (const code of codes) await api.post('/v1/pricing/adjustments', adjustmentBody(code));
  const { eventId, offeringIds } = await createSale(api, 10);
  const forSale = { eventId, offeringIds, code: await createCoupon(api, eventId) };
  for (let turn = 0; turn < TURNS; turn++) {
    await measureInserts(PLAIN_INSERTS, plain);
    await measure('orders, no redemption', orders(platform.url, company, writers));
    await measure('orders, one redemption, 50 codes', orders(platform.url, company, writers, { codes }));
    await measure('orders, one redemption, one code', orders(platform.url, company, writers, { codes: ['ORDER-0'] }));
    await measure(ORDERS_OF_TICKETS, orders(platform.url, company, writers, { offeringIds }));
    await measure(ORDERS_OF_TEN_LINES, orders(platform.url, company, writers, { offeringIds, lines: 10 }));
    await measure(
      ORDERS_OF_TEN_LINES_WITH_CODE,
      orders(platform.url, company, writers, { eventId, offeringIds, codes: [forSale.code], lines: 10 }),
    );
    await measure(PENDING_ORDERS, ordersThat(platform.url, company, writers, forSale));
    await measure(CONFIRMED_ORDERS, ordersThat(platform.url, company, writers, forSale, 'confirmed'), 2);
    await measure(CHANGED_ORDERS, ordersThat(platform.url, company, writers, forSale, 'changed'), 2);
    await measure('cart changes', cartChanges(platform.url, company, writers));
    await measure(PURCHASES, purchases(platform.url, company, writers, forSale), PURCHASE_STEPS);
  }
  for (const [clients, name] of PURCHASES_BY_CLIENTS) {
    await measure(name, purchases(platform.url, company, clients, forSale), PURCHASE_STEPS);
  }
  await mongo.dropDatabase();
  await mongo.close();

  const { text, bars } = report(measured, {
    seconds,
    connections,
    writers,
    profiled: values.profile,
    rules: { count: RULES, ratio: usOf('json-rules-engine', RULES) / usOf('candidates', RULES) },
    startUpSeconds: run.startUpSeconds,
    memory: memoryOf(platform),
  });
  process.stdout.write(`\n${text}`);
  writeFileSync(values.out, text);
  writeFileSync(values.out.replace(/(\.md)?$/, '.svg'), picture(bars));
  if (profiles !== undefined)
    process.stdout.write(`\nProfiles for speedscope or Chrome DevTools: ${profiles.folder}\n`);
} finally {
  profiles?.close();
  await Promise.all(children.map(async (child) => child.stop()));
  await run.stop();
}

/** An event with a capacity, and `count` offerings of it that have one too. */
async function createSale(api: ApiClient, count: number): Promise<{ eventId: string; offeringIds: string[] }> {
  const capacity = 10_000_000;
  const event = (await api.post('/v1/events', { name: 'Gala', capacity })).body.data;
  const offering = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' }, capacity };
  const offeringIds: string[] = [];
  for (let n = 0; n < count; n++) {
    offeringIds.push((await api.post(`/v1/events/${event.id}/offerings`, offering)).body.data.id);
  }
  return { eventId: event.id, offeringIds };
}

async function createCoupon(api: ApiClient, eventId: string): Promise<string> {
  const code = 'PURCHASE';
  await api.post('/v1/coupons', { code, percentOff: 20, limit: 10_000_000, contextIds: [eventId] });
  return code;
}

/** The script of a library with nothing around it. */
function bare(name: string): string {
  return path.join(import.meta.dirname, 'bare', `${name}.ts`);
}

async function startProcess(script: string, env: Record<string, string>): Promise<string> {
  const child = await startScript(script, { ...env, NODE_ENV: 'production' });
  children.push(child);
  return child.url;
}

/** Resident memory of each process in MiB; `own` counts a page that N processes share as 1/N. */
function memoryOf(running: Platform): { name: string; resident: number; own: number }[] {
  return PROCESS_NAMES.map((name) => {
    const sums = readFileSync(`/proc/${running.pidOf(name)}/smaps_rollup`, 'utf8');
    const mib = (of: string) => Number(new RegExp(`^${of}:\\s+(\\d+)`, 'm').exec(sums)?.[1]) / 1024;
    return { name, resident: mib('Rss'), own: mib('Pss') };
  });
}

function say(line: string): void {
  const elapsedSeconds = (performance.now() - beganMs) / 1000;
  process.stdout.write(`  ${elapsedSeconds.toFixed(0).padStart(3)} s  ${line}\n`);
}
