import { randomUUID } from 'node:crypto';
import { BROADCAST, type BusConnection, connectBus, durableName } from '@event-commerce/bus';
import {
  CONSUMERS,
  DOMAIN_EVENTS,
  type DomainEventType,
  FORWARDED_OPERATIONS,
  IDENTITY_HEADER,
  RPC,
  type ServiceName,
  SERVICES,
  concernedBy,
  subjectOf,
  subjectsOf,
} from '@event-commerce/contracts';
import { BODY_BYTES_MAX, createLogger } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, orderBody, proofSize } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOSTILE_BODIES, mutationsOf } from '../contract/mutations.ts';
import { DEEP, HEADERS, inFlight, OTHER_ROUTES, requestsTo, TEXTS } from './hostile-requests.ts';
import { publishRaw } from './raw-nats.ts';
import { validRequests } from './valid-requests.ts';
import { startWatchedProcesses, type WatchedProcesses } from './watched-processes.ts';

// Every process keeps working, whatever arrives at any of its entry points: routes, subjects, consumers and notices.

const CONSUMER_NAMES = Object.keys(CONSUMERS) as (keyof typeof CONSUMERS)[];

/** Coprime to the number of hostile requests to a route, so that each of them is sent to some routes. */
const STEP = proofSize(11, 1);
const someOf = <T>(all: readonly T[]): T[] => all.filter((_, n) => n % STEP === 0);

let watched: WatchedProcesses;
let bus: BusConnection;

beforeAll(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  bus = await connectBus({ url: natsUrlOfThisFile(), name: 'hostile', logger });
  watched = await startWatchedProcesses();
});

afterAll(async () => {
  await watched?.stop();
  await bus?.close();
});

test('no request to the gateway harms a process, and each gets a response', async () => {
  const { apiKey, rootApiKey, urlOf, harm } = watched;
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
  await inFlight(someOf(works));
  expect(failures).toEqual([]);
  expect(await harm()).toEqual([]);
});

test('no code blocks a service, however long it would take to normalize', async () => {
  const { apiKey, companyId, urlOf, harm } = watched;
  const code = `a${'\u0301\u0323'.repeat(100_000)}`;
  const requests: [path: string, body: unknown, status: number][] = [
    ['/pricing/adjustments/evaluate', evaluationBody({ codes: [code] }), 200],
    ['/pricing/adjustments', adjustmentBody(code), 400],
    ['/coupons', { code, percentOff: 10 }, 400],
    ['/cart/sessions', { coupons: [code] }, 400],
    ['/orders', orderBody(companyId, { coupons: [code] }), 400],
  ];
  await Promise.all(
    requests.map(async ([path, body, status]) => {
      const response = await fetch(`${urlOf('gateway')}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5_000),
      });
      expect([path, response.status]).toEqual([path, status]);
    }),
  );
  expect(await harm()).toEqual([]);
});

test('no request to a service with a valid token harms it, and each gets a response', async () => {
  const { identity, companyId, urlOf, harm } = watched;
  const failures: string[] = [];
  // The gateway refuses larger ones. A service closes the connection too, which a client that still sends may see first.
  const bodies = HOSTILE_BODIES.filter(({ text }) => text.length <= BODY_BYTES_MAX);
  for (const service of SERVICES) {
    const routes = FORWARDED_OPERATIONS.filter((route) => route.service === service && route.rpc === undefined);
    const asked = [...routes.map(({ method, url }) => `${method} ${url}`), 'GET /usage', 'GET /readyz'];
    await inFlight(someOf(requestsTo(urlOf(service), asked, identity.headers(companyId, service), failures, bodies)));
    for (const token of ['', 'x', 'a.b', 'a.b.c', '{}', 'x'.repeat(10_000), '\u00ff']) {
      await inFlight([() => fetch(`${urlOf(service)}/usage`, { headers: { [IDENTITY_HEADER]: token } })]);
    }
  }
  expect(failures).toEqual([]);
  expect(await harm()).toEqual([]);
});

test('no request over the broker harms a process, and each gets a reply', async () => {
  const { identity, companyId, harm } = watched;
  const requests = validRequests(companyId);
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
      ...mutationsOf(requests[name as keyof typeof RPC]).map((one) => JSON.stringify(one)),
    ];
    await inFlight([
      ...someOf(bodies.filter((body) => body.length < 900_000)).map((body) => () => ask(body, good)),
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
function eventOf(companyId: string, type: string, data: unknown, more: Record<string, unknown> = {}): string {
  const envelope = { specversion: '1.0', id: randomUUID(), source: '/x', subject: 'x', time: new Date().toISOString() };
  return JSON.stringify({ ...envelope, type, companyid: companyId, schemaversion: 1, data, ...more });
}

/** The subject of an event that concerns every service. */
function subjectOfAll(type: DomainEventType): string {
  return [subjectOf(type), ...concernedBy(type)].join('.');
}

test('no event harms a process; an invalid one is parked, and others are handled', async () => {
  const { companyId, sell, harm } = watched;
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  const consumers = CONSUMER_NAMES.flatMap((name) => CONSUMERS[name].types.map((type) => ({ name, type })));
  const types = [...new Set(consumers.map(({ type }) => type))] as DomainEventType[];
  const other = Object.keys(DOMAIN_EVENTS);
  await sell();
  const real = await Promise.all(
    types.map(async (type) => {
      const last = await manager.streams.getMessage('DOMAIN_EVENTS', { last_by_subj: subjectsOf(type) });
      return { type, event: last?.json() };
    }),
  );
  const invalidOf = (type: string): string[] =>
    [
      ...TEXTS,
      DEEP,
      eventOf(companyId, 'no.such.type', {}),
      eventOf(companyId, other.find((each) => each !== type) as string, {}),
      ...[null, 1, 'x', [], {}, { __proto__: null, id: { _bsontype: 'ObjectId' } }].map((data) =>
        eventOf(companyId, type, data),
      ),
      eventOf(companyId, type, {}, { schemaversion: 'x' }),
      eventOf(companyId, type, {}, { environment: 'moon' }),
      `${eventOf(companyId, type, {}).slice(0, -1)},"__proto__":{"data":{}}}`,
    ].filter((text) => text.length < 500_000);
  await inFlight(
    types.flatMap((type) =>
      invalidOf(type).map((text) => async () => {
        await bus.nats.request(subjectOfAll(type), text, { timeout: 5_000 });
      }),
    ),
  );
  const raw = types.flatMap((type) =>
    HEADERS.map((field) => ({ subject: subjectOfAll(type), headers: field, body: '{' })),
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
    const expected = CONSUMERS[name].types.reduce((sum, each) => sum + invalidOf(each).length + HEADERS.length, 0);
    // Each type has a consumer of its own, which may still be at work.
    await expect
      .poll(async () => (await manager.streams.info('DEAD_LETTERS', { subjects_filter: subject })).state.subjects)
      .toEqual({ [subject]: expected });
  }

  // Valid events whose content is impossible.
  await inFlight(
    real.flatMap(({ type, event }) =>
      mutationsOf(event)
        // Coprime to how many there are of each member, so that every value is tried.
        .filter((_, n) => n % 5 === 0)
        .map((mutated) => async () => {
          await bus.nats.request(subjectOfAll(type), JSON.stringify(mutated), { timeout: 5_000 });
        }),
    ),
  );
  expect(await harm()).toEqual([]);
});

test('no notice harms a process', async () => {
  const { companyId, harm } = watched;
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
