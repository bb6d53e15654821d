import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectMongo, generateIdentityKeys, newId } from '@event-commerce/service-kit';
import { adjustmentBody, apiClient, evaluationBody, orderBody } from '@event-commerce/test-kit';
import autocannon from 'autocannon';
import { freePort } from '@event-commerce/test-kit/free-port';
import { startInfrastructure } from '../deploy/local/infrastructure.ts';
import { type Platform, PROCESS_NAMES, startPlatform } from '../deploy/local/platform.ts';
import { measureCascade } from './cascade.ts';
import { PROFILED_NODE_OPTIONS, Profiles } from './profiles.ts';

// `npm run bench`: measures the platform against the bare parts it is made of, all in one run, and prints ratios.
// Absolute figures mean nothing on another machine; ratios of one run do. `--profile` also writes CPU profiles, and
// slows everything down.

const { values } = parseArgs({
  options: {
    /** Of one turn. */
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    // For orders, cart changes and plain inserts alike: waiting writes are batched, so only many writers show the
    // benefit.
    writers: { type: 'string', default: '64' },
    out: { type: 'string', default: 'bench/results.md' },
    profile: { type: 'boolean', default: false },
    profiles: { type: 'string', default: 'bench/profiles' },
  },
});
const WARM_UP_SECONDS = 2;
/** Compared parts are measured in turns, so that a slow phase of the machine affects both sides. */
const TURNS = 3;
const START_UP_MAX_MS = 30_000;
const RULES = 1_000;
/** The most adjustments that a company may have, and still get all of them in a response. */
const LARGEST = 100_000;
const LARGEST_LOADED_MAX_MS = 120_000;
const PLAIN_INSERTS = 'plain inserts, same driver';

const beganMs = performance.now();
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const writers = Number(values.writers);

interface Measured {
  name: string;
  turns: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

const measured = new Map<string, Measured>();
const folder = mkdtempSync(path.join(tmpdir(), 'event-commerce-bench-'));
const logDir = path.join(folder, 'logs');
const children: ChildProcess[] = [];

say(`measuring the cascade and json-rules-engine with ${RULES} adjustments`);
const usOf = await measureCascade([RULES], ['candidates', 'json-rules-engine']);

if (values.profile) process.env['NODE_OPTIONS'] = PROFILED_NODE_OPTIONS;
const infrastructure = await startInfrastructure({
  dataDir: path.join(folder, 'data'),
  env: process.env,
  progress: say,
});
delete process.env['NODE_OPTIONS'];
let platform: Platform | undefined;
let profiles: Profiles | undefined;
try {
  const prefix = `bench${randomUUID().slice(0, 8)}`;
  const rootApiKey = randomBytes(24).toString('base64url');
  const startedMs = performance.now();
  const identity = generateIdentityKeys();
  const env = {
    MONGO_DB_PREFIX: prefix,
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    LOG_LEVEL: 'warn',
  };
  const platformEnv = values.profile ? { ...env, NODE_OPTIONS: PROFILED_NODE_OPTIONS } : env;
  platform = await startPlatform({ ...infrastructure, identity, rootApiKey, logDir, env: platformEnv });
  const startUpSeconds = (performance.now() - startedMs) / 1000;
  say(`the platform started in ${startUpSeconds.toFixed(1)} s`);

  if (values.profile) {
    const logs: Record<string, string> = Object.fromEntries(
      PROCESS_NAMES.map((name) => [name, path.join(logDir, `${name}.log`)]),
    );
    if (infrastructure.ways.mongo === 'packages') logs['mongo-wire'] = path.join(folder, 'data/logs/mongo-gateway.log');
    profiles = await Profiles.open(values.profiles, logs);
  }

  const staticUrl = await startProcess('bare/static-answer.ts', {});
  const proxyUrl = await startProcess('bare/bare-proxy.ts', { UPSTREAM: staticUrl });
  // A gateway like the platform's, but in front of the static response: the remaining time is its own cost.
  const gatewayUrl = await startProcess('../gateway/src/main.ts', {
    ...env,
    MONGO_URL: infrastructure.mongoUrlOf('gateway'),
    NATS_URL: infrastructure.natsUrlOf('gateway'),
    REDIS_URL: infrastructure.redisUrl,
    ROOT_API_KEY: rootApiKey,
    IDENTITY_PRIVATE_KEY: identity.privateKey,
    PRICING_URL: staticUrl,
    COMMERCE_URL: staticUrl,
    CART_URL: staticUrl,
    EVENTS_URL: staticUrl,
  });

  const evaluation = JSON.stringify(evaluationBody({ codes: ['CODE-0'] }));
  await measure('bare Fastify, static answer', { url: `${staticUrl}/x`, method: 'POST', body: evaluation });
  const evaluations: [name: string, options: autocannon.Options][] = [];
  for (const count of [100, 10_000]) {
    const { headers } = await newCompany(platform, rootApiKey);
    say(`creating ${count} adjustments, 10 of which match`);
    await createAdjustments(headers, platform.url, count);
    const url = `${platform.url}/v1/pricing/adjustments/evaluate?dropped=candidates`;
    evaluations.push([`evaluate, ${count} adjustments`, { url, method: 'POST', headers, body: evaluation }]);
  }
  const largest = await newCompany(platform, rootApiKey);
  say(`writing ${LARGEST} adjustments, one of which matches`);
  await writeAdjustments(largest, platform.url, infrastructure.mongoUrl, `${prefix}_pricing`);
  const ofLargest: autocannon.Options = {
    url: `${platform.url}/v1/pricing/adjustments/evaluate`,
    method: 'POST',
    headers: largest.headers,
    body: evaluation,
  };
  const candidates = { ...ofLargest, url: `${ofLargest.url}?dropped=candidates` };
  await measure(`evaluate, ${LARGEST} adjustments`, candidates);
  await measure(`evaluate, ${LARGEST} adjustments, all listed`, { ...ofLargest, connections: 1, amount: 10 });
  for (let turn = 0; turn < TURNS; turn++) {
    await measure('bare http-proxy', { url: `${proxyUrl}/x`, method: 'POST', body: evaluation });
    for (const [name, options] of evaluations) await measure(name, options);
  }

  const company = await newCompany(platform, rootApiKey);
  for (let turn = 0; turn < TURNS; turn++) {
    await measure('bare http-proxy, GET', { url: `${proxyUrl}/x` });
    await measure('gateway before a static answer, GET', { url: `${gatewayUrl}/v1/events`, headers: company.headers });
  }
  await measure('gateway and events service, GET a list', {
    url: `${platform.url}/v1/events`,
    headers: company.headers,
  });

  const mongo = await connectMongo(infrastructure.mongoUrl, { dbName: `${prefix}_plain`, appName: 'bench' });
  const plain = mongo.collection('plain');
  const api = apiClient(platform.url, company.headers);
  const codes = Array.from({ length: 50 }, (_, n) => `ORDER-${n}`);
  for (const code of codes) await api.post('/v1/pricing/adjustments', adjustmentBody(code));
  for (let turn = 0; turn < TURNS; turn++) {
    await measureInserts(PLAIN_INSERTS, plain);
    await measureOrders(platform, company, 'orders, no redemption', []);
    await measureOrders(platform, company, 'orders, one redemption, 50 codes', codes);
    await measureOrders(platform, company, 'orders, one redemption, one code', ['ORDER-0']);
    await measureCarts(platform, company);
  }
  await mongo.dropDatabase();
  await mongo.close();

  report(startUpSeconds, memoryOf(platform));
} finally {
  profiles?.close();
  for (const child of children) child.kill('SIGTERM');
  await platform?.stop();
  await infrastructure.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Company {
  companyId: string;
  headers: Record<string, string>;
}

async function newCompany({ url }: Platform, rootApiKey: string): Promise<Company> {
  const companyId = `company-${randomUUID()}`;
  const root = apiClient(url, { authorization: `Bearer ${rootApiKey}` });
  const { body } = await root.post('/v1/admin/keys', { companyId, name: 'bench', scopes: ['*'] });
  return { companyId, headers: { authorization: `Bearer ${body.data.key}`, 'content-type': 'application/json' } };
}

async function createAdjustments(headers: Record<string, string>, url: string, count: number): Promise<void> {
  const api = apiClient(url, headers);
  const create = async (n: number) => {
    if (n > 0 && n % 2_500 === 0) say(`${n} of ${count} adjustments`);
    const targets = [{ eventId: n % (count / 10) === 0 ? 'evt_1' : `evt_other_${n}` }];
    await api.post('/v1/pricing/adjustments', adjustmentBody(`CODE-${n}`, { targets, stacking: 'stackable' }));
  };
  let next = 0;
  const worker = async () => {
    while (next < count) await create(next++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/**
 * Writes `LARGEST` adjustments directly to the database, copied from the first, and waits until pricing has loaded
 * them.
 */
async function writeAdjustments(company: Company, url: string, mongoUrl: string, dbName: string): Promise<void> {
  const api = apiClient(url, company.headers);
  const { body } = await api.post('/v1/pricing/adjustments', adjustmentBody('CODE-0', { stacking: 'stackable' }));
  const mongo = await connectMongo(mongoUrl, { dbName, appName: 'bench' });
  const adjustments = mongo.collection<{ _id: string }>('adjustments');
  const { heldCode: _heldCode, ...like } = (await adjustments.findOne({ _id: body.data.id })) as Record<
    string,
    unknown
  >;
  const atOnce = LARGEST / 20;
  for (let done = 0; done < LARGEST - 1; done += atOnce) {
    const copies = Array.from({ length: Math.min(atOnce, LARGEST - 1 - done) }, (_, n) => {
      const eventId = `evt_other_${done + n}`;
      const targets = [{ urn: `urn:v1:${company.companyId}:events:event/${eventId}`, eventId }];
      return { ...like, _id: newId('adj'), type: 'promotion', conditions: {}, targets, outbox: [] };
    });
    await adjustments.insertMany(copies, { ordered: false });
  }
  await mongo.close();
  const deadlineMs = performance.now() + LARGEST_LOADED_MAX_MS;
  for (;;) {
    const { status } = await api.post('/v1/pricing/adjustments/evaluate', evaluationBody());
    if (status === 200) return;
    if (performance.now() > deadlineMs) throw new Error(`${LARGEST} adjustments still return ${status}`);
    await delay(500);
  }
}

async function measureOrders(running: Platform, company: Company, name: string, codes: string[]): Promise<void> {
  let n = 0;
  await measure(name, {
    connections: writers,
    url: `${running.url}/v1/orders`,
    method: 'POST',
    headers: company.headers,
    requests: [
      {
        setupRequest: (request) => {
          const coupons = codes.length === 0 ? [] : [codes[n++ % codes.length]];
          return { ...request, body: JSON.stringify(orderBody(company.companyId, { coupons })) };
        },
      },
    ],
  });
}

async function measureCarts(running: Platform, company: Company): Promise<void> {
  const sessions = Array.from({ length: writers }, () => `cs-${randomUUID()}`);
  let n = 0;
  await measure('cart changes', {
    connections: writers,
    url: running.url,
    method: 'POST',
    headers: company.headers,
    requests: [
      {
        setupRequest: (request) => {
          const body = { offeringId: `off_${n % 5}`, quantity: 1 + (n % 4), price: { amount: 5000, currency: 'EUR' } };
          const session = sessions[n++ % sessions.length];
          return { ...request, path: `/v1/cart/sessions/${session}/item`, body: JSON.stringify(body) };
        },
      },
    ],
  });
}

/** Plain inserts of documents the size of an order, with the platform's own driver and durability. */
async function measureInserts(
  name: string,
  collection: { insertOne: (document: never) => Promise<unknown> },
): Promise<void> {
  const insertFor = async (forSeconds: number): Promise<number[]> => {
    const latencies: number[] = [];
    const until = performance.now() + forSeconds * 1000;
    const worker = async () => {
      while (performance.now() < until) {
        const sentMs = performance.now();
        await collection.insertOne({ _id: randomUUID(), ...orderBody('company').order } as never);
        latencies.push(performance.now() - sentMs);
      }
    };
    await Promise.all(Array.from({ length: writers }, worker));
    return latencies;
  };
  say(`measuring ${name}`);
  await insertFor(WARM_UP_SECONDS);
  const latencies = (await profiled(name, () => insertFor(seconds))).toSorted((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  note({ name, perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), failures: 0 });
}

/** Records a measurement: the mean of all turns, and their worst 99th percentile. */
function note(turn: Omit<Measured, 'turns'>): void {
  const before = measured.get(turn.name);
  const turns = (before?.turns ?? 0) + 1;
  const mean = (earlier = 0, now = 0) => earlier + (now - earlier) / turns;
  measured.set(turn.name, {
    name: turn.name,
    turns,
    perSecond: mean(before?.perSecond, turn.perSecond),
    p50Ms: mean(before?.p50Ms, turn.p50Ms),
    p99Ms: Math.max(before?.p99Ms ?? 0, turn.p99Ms),
    failures: (before?.failures ?? 0) + turn.failures,
  });
}

async function measure(name: string, options: autocannon.Options): Promise<void> {
  say(`measuring ${name}`);
  await autocannon({ connections, duration: WARM_UP_SECONDS, ...options });
  const result = await profiled(name, () => autocannon({ connections, duration: seconds, ...options }));
  note({
    name,
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  });
}

/** Runs `work`; with `--profile` also writes and prints where each process spent its time. */
async function profiled<T>(name: string, work: () => Promise<T>): Promise<T> {
  await profiles?.start();
  const result = await work();
  if (profiles !== undefined) process.stdout.write(`${await profiles.stop(name)}\n`);
  return result;
}

async function startProcess(script: string, env: Record<string, string>): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script)], {
    env: { ...process.env, ...env, NODE_ENV: 'production', PORT: String(port) },
    stdio: 'inherit',
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + START_UP_MAX_MS;
  const ended = once(child, 'exit');
  for (;;) {
    const up = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return url;
    if (child.exitCode !== null) throw new Error(`${script} exited with ${child.exitCode}; see its output above`);
    if (performance.now() > deadlineMs) throw new Error(`${script} does not respond; see its output above`);
    await Promise.race([delay(50), ended]);
  }
}

function memoryOf(running: Platform): [string, number][] {
  return PROCESS_NAMES.map((name) => {
    const status = readFileSync(`/proc/${running.pidOf(name)}/status`, 'utf8');
    return [name, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024];
  });
}

function report(startUpSeconds: number, memory: [string, number][]): void {
  const ratio = (name: string, base: string) =>
    (measured.get(name)?.perSecond ?? Number.NaN) / (measured.get(base)?.perSecond ?? Number.NaN);
  const goals: [what: string, value: number, target?: number][] = [
    ['evaluate with 100 adjustments to the bare proxy', ratio('evaluate, 100 adjustments', 'bare http-proxy'), 0.8],
    [
      'evaluate with 10,000 to evaluate with 100',
      ratio('evaluate, 10000 adjustments', 'evaluate, 100 adjustments'),
      0.67,
    ],
    [
      'GET with key, limit and identity to the bare proxy',
      ratio('gateway before a static answer, GET', 'bare http-proxy, GET'),
      0.65,
    ],
    ['orders with one redemption to plain inserts', ratio('orders, one redemption, 50 codes', PLAIN_INSERTS), 0.2],
    ['the same with one code for all', ratio('orders, one redemption, one code', PLAIN_INSERTS)],
    ['orders without redemption to plain inserts', ratio('orders, no redemption', PLAIN_INSERTS)],
    ['cart changes to plain inserts', ratio('cart changes', PLAIN_INSERTS), 0.25],
    [
      `json-rules-engine's time for ${RULES} adjustments to the cascade's`,
      usOf('json-rules-engine', RULES) / usOf('candidates', RULES),
      500,
    ],
  ];
  const lines = [
    `# One run, ${connections} connections (${writers} for orders, carts and inserts), in turns of ${seconds} s`,
    '',
    ...(values.profile
      ? ['Profiled: the profiler takes its share of the time, so the ratios are not those of the platform.', '']
      : []),
    '| What | a second | p50 ms | p99 ms | failed |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...[...measured.values()].map(
      (m) =>
        `| ${m.name} | ${m.perSecond.toFixed(0)} | ${m.p50Ms.toFixed(1)} | ${m.p99Ms.toFixed(1)} | ${m.failures} |`,
    ),
    '',
    '| Ratio | measured | target, at least | met |',
    '| --- | ---: | ---: | --- |',
    ...goals.map(([what, value, target]) =>
      target === undefined
        ? `| ${what} | ${short(value)} | | |`
        : `| ${what} | ${short(value)} | ${short(target)} | ${value >= target ? 'yes' : 'no'} |`,
    ),
    '',
    `Start-up of the five processes: ${startUpSeconds.toFixed(1)} s. Memory after the run: ` +
      `${memory.map(([name, mib]) => `${name} ${mib.toFixed(0)} MiB`).join(', ')}.`,
    '',
  ];
  process.stdout.write(`\n${lines.join('\n')}`);
  writeFileSync(values.out, lines.join('\n'));
  if (profiles !== undefined)
    process.stdout.write(`\nProfiles for speedscope or Chrome DevTools: ${profiles.folder}\n`);
}

function short(ratio: number): string {
  return ratio.toFixed(ratio < 10 ? 2 : 0);
}

function say(line: string): void {
  const elapsedSeconds = (performance.now() - beganMs) / 1000;
  process.stdout.write(`  ${elapsedSeconds.toFixed(0).padStart(3)} s  ${line}\n`);
}
