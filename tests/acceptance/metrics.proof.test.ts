import { randomUUID } from 'node:crypto';
import { CONSUMERS } from '@event-commerce/contracts';
import {
  adjustmentBody,
  type ApiClient,
  evaluationBody,
  newCode,
  newCompanyId,
  orderBody,
} from '@event-commerce/test-kit';
import { connect } from '@nats-io/transport-node';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/platform.ts';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { parsePrometheusText, type Sample } from './prometheus-text.ts';
import { newRedisUser, type RedisUser } from '../redis-user.ts';
import { startTestPlatform, type TestPlatform } from '../harness/platform.ts';

const databases = `t${randomUUID().slice(0, 8)}`;
const companyId = newCompanyId();
const code = newCode();
let redisUser: RedisUser;
let platform: TestPlatform;
let api: ApiClient;

beforeAll(async () => {
  redisUser = await newRedisUser();
  platform = await startTestPlatform({ redisUrl: redisUser.url, env: { MONGO_DB_PREFIX: databases } });
  ({ api } = await platform.newCompany({ companyId }));
  await api.post('/v1/pricing/adjustments', adjustmentBody(code, { conditions: { code, maxRedemptions: 1 } }));
});

afterAll(async () => {
  await platform?.stop();
  await redisUser?.remove();
});

async function scrape(name: ProcessName): Promise<Sample[]> {
  const response = await fetch(platform.metricsUrlOf(name));
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parsePrometheusText(await response.text());
}

/** The sum of the samples of `metric` whose labels include `labels`; undefined when there is none. */
async function value(
  name: ProcessName,
  metric: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const found = (await scrape(name)).filter(
    (sample) =>
      sample.name === metric && Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
  );
  return found.length === 0 ? undefined : found.reduce((sum, sample) => sum + sample.value, 0);
}

const REQUESTS = 'http_server_request_duration_seconds_count';

describe('what a process reports', () => {
  test('an evaluation is counted at the gateway, on the bus, and by the reasons of its drops', async () => {
    for (let repeat = 0; repeat < 3; repeat++) {
      await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [code] }));
    }
    await api.post('/v1/pricing/adjustments/evaluate', evaluationBody());

    const route = {
      http_request_method: 'POST',
      http_route: '/pricing/adjustments/evaluate',
      http_response_status_code: '200',
    };
    await expect.poll(() => value('gateway', REQUESTS, route)).toBe(4);
    const subject = { messaging_system: 'nats', messaging_destination_name: 'rpc.pricing.evaluate' };
    expect(await value('gateway', 'messaging_client_operation_duration_seconds_count', subject)).toBe(4);
    expect(await value('pricing', 'messaging_process_duration_seconds_count', subject)).toBe(4);
    expect(await value('pricing', 'pricing_evaluations_total')).toBe(4);
    expect(await value('pricing', 'pricing_drops_total', { reason: 'code-not-presented' })).toBe(1);
  });

  test('claims are counted by outcome, and events by consumer', async () => {
    expect((await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }))).status).toBe(201);
    expect((await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }))).status).toBe(409);
    expect(await value('pricing', 'redemption_claims_total', { outcome: 'claimed' })).toBe(1);
    expect(await value('pricing', 'redemption_claims_total', { outcome: 'refused' })).toBe(1);

    const { id: eventId } = (await api.post('/v1/events', { name: 'Gala' })).body.data;
    const price = { amount: 5000, currency: 'EUR' };
    const offering = await api.post(`/v1/events/${eventId}/offerings`, { name: 'Ticket', price, capacity: 1 });
    const items = [{ offeringId: offering.body.data.id }];
    expect((await api.post('/v1/orders', orderBody(companyId, { items }))).status).toBe(201);
    expect((await api.post('/v1/orders', orderBody(companyId, { items }))).status).toBe(409);
    expect(await value('events', 'ticket_claims_total', { outcome: 'claimed' })).toBe(1);
    expect(await value('events', 'ticket_claims_total', { outcome: 'refused' })).toBe(1);

    const placed = { messaging_destination_name: 'domain.commerce.order.placed' };
    await expect.poll(() => value('commerce', 'messaging_client_operation_duration_seconds_count', placed)).toBe(2);
    // Each service receives the event of the order that concerns it.
    for (const service of ['pricing', 'events'] as const) {
      const consumer = { ...placed, messaging_consumer_group_name: `${service}-orders` };
      await expect.poll(() => value(service, 'messaging_process_duration_seconds_count', consumer)).toBe(1);
    }
    expect(await value('pricing', 'dead_letters_total')).toBe(0);
    expect(
      await value('gateway', 'http_client_request_duration_seconds_count', { http_response_status_code: '201' }),
    ).toBe(5);
    expect(await value('commerce', REQUESTS, { http_route: '/orders', http_response_status_code: '409' })).toBe(2);
  });

  test('requests in flight, event lag and rate-limit state are reported, and are 0 when idle', async () => {
    await expect.poll(() => value('gateway', 'http_server_active_requests')).toBe(0);
    expect(await value('gateway', 'rate_limit_degraded')).toBe(0);
    for (const name of PROCESS_NAMES) await expect.poll(() => value(name, 'outbox_lag_seconds')).toBe(0);
    for (const [consumer, { process }] of Object.entries(CONSUMERS)) {
      await expect.poll(() => value(process, 'events_unhandled', { consumer })).toBe(0);
      await expect.poll(() => value(process, 'events_unhandled_age_seconds', { consumer })).toBe(0);
    }
  });

  test('a gateway that counts rate limits without Redis reports it for as long as it does', async () => {
    const degraded = async () => value('gateway', 'rate_limit_degraded');
    await redisUser.lockOut();
    await expect.poll(degraded).toBe(1);
    await redisUser.letIn();
    await expect.poll(degraded).toBe(0);
  });

  test('an unreadable event is counted by the consumer that parked it', async () => {
    const { username, password, host } = new URL(natsUrlOfThisFile());
    const nats = await connect({ servers: host, ...(username === '' ? {} : { user: username, pass: password }) });
    nats.publish('domain.commerce.order.placed.pricing.events.cart', 'no event');
    await nats.drain();
    await expect.poll(() => value('pricing', 'dead_letters_total', { consumer: 'pricing-orders' })).toBe(1);
    expect(await value('cart', 'dead_letters_total', { consumer: 'cart-joins' })).toBe(0);
  });

  test('an event that cannot be published shows how long it has waited', async () => {
    const mongo = await mongoose.createConnection(inject('mongoUrl'), { dbName: `${databases}_commerce` }).asPromise();
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await mongo.collection('orders').insertOne({
      companyId: `company-${randomUUID()}`,
      orderNumber: randomUUID(),
      outbox: [{ id: randomUUID(), type: 'order.unheard-of', at: twoMinutesAgo }],
    });
    await mongo.close();
    await expect
      .poll(() => value('commerce', 'outbox_lag_seconds', { collection: 'orders' }), { timeout: 5_000 })
      .toBeGreaterThan(120);
    expect(await value('commerce', 'outbox_lag_seconds', { collection: 'coupons' })).toBe(0);
  });

  test('nothing that callers choose becomes a label: paths, methods, ids, companies', async () => {
    await api.get('/v1/events');
    const labelsOf = async () =>
      new Set((await scrape('gateway')).map(({ name, labels }) => JSON.stringify([name, labels])));
    await fetch(`${platform.url}/nowhere`);
    await expect.poll(() => value('gateway', REQUESTS, { http_route: 'unknown' })).toBe(1);
    await api.get('/v1/coupons/cpn_1');
    await expect.poll(() => value('gateway', REQUESTS, { http_route: '/coupons/:id' })).toBe(1);
    const before = await labelsOf();

    for (let n = 0; n < 20; n++) {
      await fetch(`${platform.url}/nowhere/${randomUUID()}`);
      await fetch(`${platform.url}/..%2f${randomUUID()}`);
      await api.get(`/v1/coupons/cpn_${n}?q=${randomUUID()}`);
    }
    await fetch(`${platform.url}/v1/coupons/x`, { method: 'PROPFIND' });
    await expect.poll(() => value('gateway', REQUESTS, { http_route: '/coupons/:id' })).toBe(21);
    const added = [...(await labelsOf())].filter((labels) => !before.has(labels));
    // The rejected paths (400, 401) and the unknown method have one value each.
    expect(
      new Set(added.map((series) => (JSON.parse(series) as [string, Record<string, string>])[1]['http_route'])),
    ).toEqual(new Set(['unknown', undefined]));
    const all = (await Promise.all(PROCESS_NAMES.map(scrape))).flat();
    expect(all.filter(({ labels }) => JSON.stringify(labels).includes(companyId))).toEqual([]);
    expect(all.filter(({ labels }) => /cpn_|ord_|key_|N-/.test(JSON.stringify(labels)))).toEqual([]);
  });

  test("the metrics port serves only /metrics, and the clients' port does not serve it", async () => {
    for (const name of PROCESS_NAMES) {
      expect((await fetch(new URL('/healthz', platform.metricsUrlOf(name)))).status).toBe(404);
      expect((await fetch(`${platform.urlOf(name)}/metrics`)).status).toBe(name === 'gateway' ? 404 : 401);
    }
  });
});
