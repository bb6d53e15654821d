import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { BROADCAST, type BusConnection, connectBus, durableName } from '@event-commerce/bus';
import {
  CONSUMERS,
  DOMAIN_EVENTS,
  type DomainEventType,
  IDENTITY_HEADER,
  FORWARDED_OPERATIONS,
  RPC,
  SERVICES,
  type ServiceName,
  subjectOf,
} from '@event-commerce/contracts';
import { createLogger, generateIdentityKeys } from '@event-commerce/service-kit';
import {
  adjustmentBody,
  apiClient,
  evaluationBody,
  newCode,
  newCompanyId,
  orderBody,
  type ServiceProcess,
  startServiceProcess,
  testIdentity,
} from '@event-commerce/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { freePort } from '@event-commerce/test-kit/free-port';
import { scriptOf } from '../../deploy/local/platform.ts';
import { HOSTILE_BODIES, HOSTILE_IDS, mutationsOf } from '../contract/mutations.ts';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { publishRaw } from './raw-nats.ts';

// Whatever arrives at whatever entry point, every process keeps working: each route, each subject, each consumer, each
// notice.

type Name = 'gateway' | ServiceName;

const root = path.resolve(import.meta.dirname, '../..');
const IN_FLIGHT = 16;
const CONSUMER_NAMES = Object.keys(CONSUMERS) as (keyof typeof CONSUMERS)[];
/** Hostile as a whole. */
const TEXTS = [...HOSTILE_BODIES.map(({ text }) => text), '', '\u0000', '{"a":1}', '[null]', '[{}]', '0', '"\\ud800"'];
const DEEP = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`;
/** Fields that no client library sends. */
const HEADERS = [
  'a b: c',
  'x-request-id: a\nb',
  ': x',
  '\u0000: y',
  `${'k'.repeat(3_000)}: z`,
  'no colon',
  'body-bytes: 1e99',
];

const identity = testIdentity();
const gatewayKeys = generateIdentityKeys();
const rootApiKey = `root_${randomUUID()}`;
const companyId = newCompanyId();
const processes = new Map<Name, ServiceProcess>();
const metricsPorts = new Map<Name, number>();
let pids: Map<Name, number | undefined>;
let bus: BusConnection;
let apiKey: string;

beforeAll(async () => {
  bus = await connectBus({
    url: natsUrlOfThisFile(),
    name: 'hostile',
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const start = async (name: Name, own: Record<string, string>): Promise<void> => {
    const port = await freePort();
    const env = {
      MONGO_URL: inject('mongoUrl'),
      MONGO_INDEXES: 'migrate',
      MONGO_DB_PREFIX: prefix,
      NATS_URL: natsUrlOfThisFile(),
      LOG_LEVEL: 'silent',
      METRICS_PORT: String(port),
      ...own,
    };
    processes.set(name, await startServiceProcess(path.join(root, scriptOf(name)), env));
    metricsPorts.set(name, port);
  };
  const prefix = `t${randomUUID().slice(0, 8)}`;
  const known = `${identity.publicKey},${gatewayKeys.publicKey}`;
  await Promise.all(SERVICES.map(async (name) => start(name, { IDENTITY_PUBLIC_KEYS: known, ...identity.services })));
  const limits = ['RATE_LIMIT', 'COMPANY_RATE_LIMIT'].flatMap((name) => [`${name}_PER_SECOND`, `${name}_BURST`]);
  await start('gateway', {
    ...Object.fromEntries(limits.map((limit) => [limit, '1000000'])),
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)])),
    REDIS_URL: inject('redisUrl'),
    REDIS_KEY_PREFIX: prefix,
    ROOT_API_KEY: rootApiKey,
    IDENTITY_PRIVATE_KEY: gatewayKeys.privateKey,
  });
  const { body } = await apiClient(urlOf('gateway'), { authorization: `Bearer ${rootApiKey}` }).post('/v1/admin/keys', {
    companyId,
    name: 'test',
    scopes: ['*'],
  });
  apiKey = body.data.key;
  pids = new Map([...processes].map(([name, { pid }]) => [name, pid]));
});

afterAll(async () => {
  await Promise.all([...processes.values()].map(async (one) => one.stop()));
  await bus?.close();
});

function urlOf(name: Name): string {
  return (processes.get(name) as ServiceProcess).url;
}

/** A shop's day, across every process. Returns what was not as it should be. */
async function sell(): Promise<string[]> {
  const api = apiClient(urlOf('gateway'), { authorization: `Bearer ${apiKey}` });
  const code = newCode();
  const price = { amount: 5_000, currency: 'EUR' };
  const coupon = await api.post('/v1/coupons', { code, percentOff: 10, limit: 1 });
  const answers = [
    coupon,
    await api.post('/v1/events', { name: 'Concert' }),
    await api.post('/v1/pricing/adjustments', adjustmentBody(newCode())),
    await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [code] })),
    await api.post(`/v1/cart/sessions/${randomUUID()}/item`, { offeringId: 'off_1', quantity: 2, price }),
    await api.post('/v1/orders', orderBody(companyId, { coupons: [code] })),
  ];
  const wrong = answers.filter(({ status }) => status >= 300).map(({ body }) => JSON.stringify(body));
  // Counted once the redemption's event was handled.
  await vi.waitFor(
    async () => {
      const { body } = await api.get(`/v1/coupons/${coupon.body.data.id}`);
      if (body.data.quantitySold !== 1) throw new Error('the redemption was not counted');
    },
    { timeout: 10_000, interval: 50 },
  );
  return wrong;
}

/** The state of the processes: each should be the one that was started, with no unhandled error, and working. */
async function harm(): Promise<string[]> {
  const ended = [...processes].filter(([name, { pid }]) => pid === undefined || pid !== pids.get(name));
  const unhandled = await Promise.all(
    [...metricsPorts].map(async ([name, port]) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const [, count] = /^process_unhandled_errors_total\S* (\d+)/m.exec(text) ?? [];
      return count === '0' ? [] : [`${name} had ${count} unhandled errors`];
    }),
  );
  return [...ended.map(([name]) => `${name} ended`), ...unhandled.flat(), ...(await sell())];
}

async function inFlight(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...works];
  const worker = async () => {
    for (let work = left.shift(); work !== undefined; work = left.shift()) await work();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

const OTHER_ROUTES = [
  'POST /admin/keys',
  'GET /admin/keys',
  'GET /admin/keys/:id',
  'PATCH /admin/keys/:id',
  'DELETE /admin/keys/:id',
  'GET /usage',
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
];

/** Every hostile request to `base`: each body once, and each id once. */
function requestsTo(base: string, routes: readonly string[], auth: Record<string, string>, failures: string[]) {
  const ask = async (route: string, id: string, body?: { contentType: string; text: string }): Promise<void> => {
    const [method = '', template = ''] = route.split(' ');
    const url = `${base}${template.replaceAll(/:\w+/g, id)}`;
    const sends = body !== undefined && method !== 'GET';
    const response = await fetch(url, {
      method,
      headers: { ...auth, ...(sends ? { 'content-type': body.contentType } : {}) },
      ...(sends ? { body: body.text } : {}),
    });
    const text = await response.text();
    const about = `${route} ${id.slice(0, 40)} ${body?.text.slice(0, 40) ?? ''}: ${response.status} ${text.slice(0, 200)}`;
    if (response.status === 500) failures.push(about);
    if (response.status >= 400 && !/"error":\{"code":"[A-Z_]+"/.test(text)) failures.push(about);
  };
  return routes.flatMap((route) => [
    ...(route.startsWith('GET') ? [] : HOSTILE_BODIES).map((body) => () => ask(route, 'unknown', body)),
    ...HOSTILE_IDS.map((id) => () => ask(route, id, { contentType: 'application/json', text: '{}' })),
    () => ask(`${route}?limit=${'9'.repeat(400)}&after=%00&a[__proto__]=1&limit=x`, 'unknown'),
  ]);
}

test('no request to the gateway harms a process, and each gets a response', async () => {
  const failures: string[] = [];
  const routes = [...FORWARDED_OPERATIONS.map(({ method, url }) => `${method} ${url}`), ...OTHER_ROUTES];
  const works = [apiKey, rootApiKey].flatMap((key) =>
    requestsTo(
      `${urlOf('gateway')}/v1`,
      key === rootApiKey ? OTHER_ROUTES : routes,
      { authorization: `Bearer ${key}` },
      failures,
    ),
  );
  await inFlight(works);
  expect(failures).toEqual([]);
  expect(await harm()).toEqual([]);
});

test('no request to a service with a valid token harms it, and each gets a response', async () => {
  const failures: string[] = [];
  for (const service of SERVICES) {
    const routes = FORWARDED_OPERATIONS.filter((route) => route.service === service && route.rpc === undefined);
    const asked = [...routes.map(({ method, url }) => `${method} ${url}`), 'GET /usage', 'GET /readyz'];
    await inFlight(requestsTo(urlOf(service), asked, identity.headers(companyId, service), failures));
    for (const token of ['', 'x', 'a.b', 'a.b.c', '{}', 'x'.repeat(10_000), '\u00ff']) {
      await inFlight([() => fetch(`${urlOf(service)}/usage`, { headers: { [IDENTITY_HEADER]: token } })]);
    }
  }
  expect(failures).toEqual([]);
  expect(await harm()).toEqual([]);
});

const claim = { redemptionId: 'rdm_1', adjustmentId: 'adj_1', customerId: 'c', quantity: 1, perCustomer: true };
const offering = { id: 'off_1', eventId: 'evt_1', price: { amount: 5_000, currency: 'EUR' } };
/** A valid request on every subject. */
const REQUESTS: Record<keyof typeof RPC, unknown> = {
  evaluate: evaluationBody(),
  evaluateCarts: { carts: [{ lines: [{ offering, quantity: 1 }], cartContext: {} }] },
  purchase: {
    orderId: 'ord_1',
    key: 'k',
    content: 'c',
    reopening: 1,
    former: [claim],
    lines: [{ offering, quantity: 1, statedPrice: 4_000 }],
    cartContext: { customerId: 'c', customerSegment: 's', channelId: 'web' },
    codes: [],
    adjustmentIds: [],
    charges: 100,
    expectedTotal: 4_100,
  },
  cancelClaims: { orderId: 'ord_1', claims: [claim] },
  claimTickets: { orderId: 'ord_1', key: 'k', content: 'c', items: [{ index: 0, offeringId: 'off_1', quantity: 1 }] },
  cancelTickets: { orderId: 'ord_1', claims: [{ claimId: 'tkt_1', poolId: 'offering\nc\noff_1', quantity: 1 }] },
  codeHolder: { code: 'X', couponId: 'cpn_1' },
  followCoupon: {
    id: 'cpn_1',
    companyId,
    version: 1,
    enabled: true,
    code: 'X',
    percentOff: 1,
    offeringIds: [],
    contextIds: [],
  },
  offerings: { ids: ['off_1'] },
  eventContexts: { ids: ['evt_1'] },
  checkout: { sessionId: 's', orderId: 'ord_1', key: 'k', content: 'c', attempt: 'a' },
  releaseCheckout: { sessionId: 's', orderId: 'ord_1', attempt: 'a' },
  settleOrder: { orderId: 'ord_1' },
  couponState: { tenant: companyId, couponId: 'cpn_1' },
  ordersStanding: { orderIds: ['ord_1'] },
};

test('no request over the broker harms a process, and each gets a reply', async () => {
  const failures: string[] = [];
  for (const [name, { subject, callers, scopes }] of Object.entries(RPC)) {
    const service = subject.split('.')[1] as ServiceName;
    const [caller] = callers;
    const token =
      scopes.length > 0
        ? identity.token(companyId, [service, 'pricing', 'events'])
        : identity.processToken(caller === 'gateway' ? 'cart' : caller, service);
    const ask = async (body: string, fields: Record<string, string>): Promise<void> => {
      const head = headers();
      for (const [field, value] of Object.entries(fields)) head.set(field, value);
      const reply = await bus.nats.request(subject, body, { timeout: 8_000, headers: head });
      const status = reply.headers?.get('status') || '200';
      const about = `${name} ${body.slice(0, 120)} ${JSON.stringify(fields).slice(0, 60)}: ${status} ${reply.string().slice(0, 200)}`;
      if (status === '500' || (Number(status) >= 400 && !reply.string().includes('"error":{"code"')))
        failures.push(about);
    };
    const good = { [IDENTITY_HEADER]: token };
    const bodies = [
      ...TEXTS,
      DEEP,
      ...mutationsOf(REQUESTS[name as keyof typeof RPC]).map((one) => JSON.stringify(one)),
    ];
    await inFlight([
      ...bodies.filter((body) => body.length < 900_000).map((body) => () => ask(body, good)),
      ...['', 'x', 'a.b.c'].map((wrong) => () => ask('{}', { [IDENTITY_HEADER]: wrong })),
      ...['x', '-1', '1e99', '0'].map((bytes) => () => ask('{}', { ...good, 'body-bytes': bytes })),
      () => ask('{}', { ...good, 'option-dropped': '{}', traceparent: 'x', 'x-request-id': 'x'.repeat(5_000) }),
    ]);
    await publishRaw(
      natsUrlOfThisFile(),
      HEADERS.map((field) => ({ subject, headers: field, body: '{}' })),
    );
  }
  expect(failures).toEqual([]);
  expect(await harm()).toEqual([]);
});

/** An event of `type` with a valid envelope. */
function eventOf(type: string, data: unknown, more: Record<string, unknown> = {}): string {
  const envelope = { specversion: '1.0', id: randomUUID(), source: '/x', subject: 'x', time: new Date().toISOString() };
  return JSON.stringify({ ...envelope, type, companyid: companyId, schemaversion: 1, data, ...more });
}

test('no event harms a process; an invalid one is parked, and others are handled', async () => {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  const consumers = CONSUMER_NAMES.flatMap((name) => CONSUMERS[name].types.map((type) => ({ name, type })));
  const types = [...new Set(consumers.map(({ type }) => type))] as DomainEventType[];
  const other = Object.keys(DOMAIN_EVENTS);
  await sell();
  const real = await Promise.all(
    types.map(async (type) => {
      const last = await manager.streams.getMessage('DOMAIN_EVENTS', { last_by_subj: subjectOf(type) });
      return { type, event: last?.json() };
    }),
  );
  const invalidOf = (type: string): string[] =>
    [
      ...TEXTS,
      DEEP,
      eventOf('no.such.type', {}),
      eventOf(other.find((each) => each !== type) as string, {}),
      ...[null, 1, 'x', [], {}, { __proto__: null, id: { _bsontype: 'ObjectId' } }].map((data) => eventOf(type, data)),
      eventOf(type, {}, { schemaversion: 'x' }),
      eventOf(type, {}, { environment: 'moon' }),
      `${eventOf(type, {}).slice(0, -1)},"__proto__":{"data":{}}}`,
    ].filter((text) => text.length < 500_000);
  await inFlight(
    types.flatMap((type) =>
      invalidOf(type).map((text) => async () => {
        await bus.nats.request(subjectOf(type), text, { timeout: 5_000 });
      }),
    ),
  );
  const raw = types.flatMap((type) =>
    HEADERS.map((field) => ({ subject: subjectOf(type), headers: field, body: '{' })),
  );
  await publishRaw(natsUrlOfThisFile(), raw);

  for (const { name, type } of consumers) {
    await expect
      .poll(async () => {
        const info = await manager.consumers.info('DOMAIN_EVENTS', durableName(name, type));
        return [info.num_pending, info.num_ack_pending];
      })
      .toEqual([0, 0]);
    const subject = `dead-letter.${name}`;
    const parked = await manager.streams.info('DEAD_LETTERS', { subjects_filter: subject });
    const expected = CONSUMERS[name].types.reduce((sum, each) => sum + invalidOf(each).length + HEADERS.length, 0);
    expect(parked.state.subjects).toEqual({ [subject]: expected });
  }

  // Valid events whose content is impossible.
  await inFlight(
    real.flatMap(({ type, event }) =>
      mutationsOf(event)
        .filter((_, n) => n % 7 === 0)
        .map((mutated) => async () => {
          await bus.nats.request(subjectOf(type), JSON.stringify(mutated), { timeout: 5_000 });
        }),
    ),
  );
  expect(await harm()).toEqual([]);
});

test('no notice harms a process', async () => {
  const notices = [
    { tenant: companyId, id: { $gt: '' }, version: 1 },
    { tenant: 1 },
    { tenant: companyId, id: 'x', version: 'y' },
  ];
  for (const subject of Object.values(BROADCAST)) {
    for (const text of [...TEXTS, ...notices.flatMap((one) => [one, [one]]).map((one) => JSON.stringify(one))]) {
      if (text.length < 900_000) bus.nats.publish(subject, text);
    }
    await publishRaw(
      natsUrlOfThisFile(),
      HEADERS.map((field) => ({ subject, headers: field, body: '[]' })),
    );
  }
  await bus.nats.flush();
  expect(await harm()).toEqual([]);
});
