import { adjustmentBody, type ApiClient, apiClient, newCode, newCompanyId, orderBody } from '@event-commerce/test-kit';
import { newTraceparent, traceIdOf } from '@event-commerce/telemetry';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ReceivedSpan, startTraceReceiver } from './trace-receiver.ts';
import { startTestPlatform, type TestPlatform } from '../harness/platform.ts';

const companyId = newCompanyId();
const EMAIL = 'somebody@example.com';
let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let platform: TestPlatform;
let api: ApiClient;
let apiKey: string;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  platform = await startTestPlatform({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      // Reports no trace that begins at the gateway; a trace begun by a client is reported if the client says so.
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      UPSTREAM_TIMEOUT_MS: '4000',
    },
  });
  ({ api, key: apiKey } = await platform.newCompany({ companyId }));
});

afterAll(async () => {
  await platform?.stop();
  await receiver?.stop();
});

/**
 * Whether all of these spans have arrived. Each process reports its own, so the spans of the last step may come first.
 */
const hasAll =
  (...wanted: string[]) =>
  (spans: ReceivedSpan[]): boolean =>
    wanted.every((span) => spans.some(({ service, kind, name }) => `${service} ${kind} ${name}` === span));

/** Sends a request in a new trace, and returns the spans of that trace once `complete` accepts them. */
async function tracing(
  send: (headers: { traceparent: string }) => Promise<unknown>,
  complete: (spans: ReceivedSpan[]) => boolean,
): Promise<{ spans: ReceivedSpan[]; traceparent: string }> {
  const traceparent = newTraceparent();
  await send({ traceparent });
  const spans = () => receiver.spans.filter(({ traceId }) => traceId === traceIdOf(traceparent));
  await expect.poll(() => complete(spans()), { timeout: 20_000 }).toBe(true);
  return { spans: spans(), traceparent };
}

test('placing an order with a code and a cart is one trace: HTTP, NATS, MongoDB, the outbox and its consumers', async () => {
  const code = newCode();
  const session = newCode();
  const prepared = [
    await api.post('/v1/pricing/adjustments', adjustmentBody(code)),
    await api.post(`/v1/cart/sessions/${session}/item`, {
      offeringId: 'off_1',
      quantity: 2,
      price: { amount: 5_000, currency: 'EUR' },
    }),
    await api.patch(`/v1/cart/sessions/${session}`, { coupons: [code] }),
  ];
  expect(prepared.map(({ status }) => status)).toEqual([201, 200, 200]);

  const order = orderBody(companyId, { cartSessionId: session, customer: { id: 'cus_1', email: EMAIL } });
  const { spans, traceparent } = await tracing(
    (headers) => api.post('/v1/orders', order, headers),
    hasAll(
      'gateway server POST /orders',
      'commerce server POST /orders',
      'commerce producer publish domain.commerce.order.placed',
      'pricing server process rpc.pricing.purchase',
      'pricing consumer process domain.commerce.order.placed',
      'pricing producer publish domain.pricing.redemption.confirmed',
      'cart server process rpc.cart.checkout',
      'cart consumer process domain.commerce.order.placed',
      'events server process rpc.events.claim',
    ),
  );
  const find = (service: string, kind: ReceivedSpan['kind'], name: string): ReceivedSpan => {
    const found = spans.find((span) => span.service === service && span.kind === kind && span.name === name);
    expect(found, `${service} ${kind} ${name}`).toBeDefined();
    return found as ReceivedSpan;
  };
  const parentOf = (span: ReceivedSpan) => spans.find(({ spanId }) => spanId === span.parentSpanId);

  const gateway = find('gateway', 'server', 'POST /orders');
  expect(gateway.parentSpanId).toBe(traceparent.slice(36, 52));
  expect(gateway.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/orders',
    'url.path': '/orders',
    'http.response.status_code': 201,
  });
  const upstream = find('gateway', 'client', 'POST');
  expect(parentOf(upstream)).toBe(gateway);
  expect(upstream.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 201 });
  const commerce = find('commerce', 'server', 'POST /orders');
  expect(parentOf(commerce)).toBe(upstream);

  const read = find('cart', 'server', 'process rpc.cart.checkout');
  expect(parentOf(parentOf(read) as ReceivedSpan)).toBe(commerce);
  const asked = find('commerce', 'client', 'request rpc.pricing.purchase');
  expect(parentOf(asked)).toBe(commerce);
  expect(asked.attributes).toMatchObject({
    'messaging.system': 'nats',
    'messaging.operation.name': 'request',
    'messaging.destination.name': 'rpc.pricing.purchase',
  });
  const claim = find('pricing', 'server', 'process rpc.pricing.purchase');
  expect(parentOf(claim)).toBe(asked);

  const insert = find('commerce', 'client', 'insert orders');
  expect(parentOf(insert)).toBe(commerce);
  expect(insert.attributes).toMatchObject({
    'db.system.name': 'mongodb',
    'db.collection.name': 'orders',
    'db.operation.name': 'insert',
    'db.namespace': expect.stringMatching(/_commerce$/) as unknown,
  });
  expect(
    spans.filter((span) => parentOf(span) === claim && span.attributes['db.system.name'] === 'mongodb'),
  ).not.toEqual([]);

  const published = find('commerce', 'producer', 'publish domain.commerce.order.placed');
  expect(parentOf(published)).toBe(commerce);
  // Not by events: the order has no tickets that are counted.
  const heard = spans.filter(
    ({ name, kind }) => kind === 'consumer' && name === 'process domain.commerce.order.placed',
  );
  expect(new Set(heard.map(({ service }) => service))).toEqual(new Set(['pricing', 'cart']));
  for (const span of heard) expect(parentOf(span)).toBe(published);
  const confirmed = find('pricing', 'producer', 'publish domain.pricing.redemption.confirmed');
  expect(heard).toContain(parentOf(confirmed));

  expect(spans.filter(({ failed }) => failed)).toEqual([]);
  const secrets = [apiKey, platform.rootApiKey, EMAIL, inject('mongoUrl')];
  expect(receiver.spans.filter(({ raw }) => secrets.some((secret) => raw.includes(secret)))).toEqual([]);
});

test('an evaluation crosses NATS in one trace, and a failure is marked with its kind, not with its message', async () => {
  const body = { offering: { id: 'off_1', price: { amount: 100, currency: 'EUR' } } };
  await tracing(
    (headers) => api.post('/v1/pricing/adjustments/evaluate', body, headers),
    hasAll(
      'gateway client request rpc.pricing.evaluate',
      'gateway server POST /pricing/adjustments/evaluate',
      'pricing server process rpc.pricing.evaluate',
    ),
  );

  const refused = await tracing(
    (headers) => api.post('/v1/pricing/adjustments/evaluate', {}, headers),
    (found) => found.length >= 3,
  );
  expect(refused.spans.filter(({ failed }) => failed)).toEqual([]);

  platform.kill('events', 'SIGSTOP');
  try {
    const { spans: failed } = await tracing(
      (headers) => api.get('/v1/events', headers),
      (found) => found.some(({ service, kind }) => service === 'gateway' && kind === 'server'),
    );
    const server = failed.find(({ kind }) => kind === 'server');
    expect(server).toMatchObject({
      failed: true,
      attributes: { 'error.type': '504', 'http.response.status_code': 504 },
    });
  } finally {
    platform.kill('events', 'SIGCONT');
  }
});

test('a trace that is not sampled is not reported, but its id is still propagated', async () => {
  const traceparent = `${newTraceparent().slice(0, -2)}00`;
  await api.get('/v1/events', { traceparent });
  await api.get('/v1/events');
  await tracing(
    (headers) => api.get('/v1/events', headers),
    (found) => found.length >= 3,
  );
  const known = new Set(receiver.spans.map(({ traceId }) => traceId));
  expect(known).not.toContain(traceIdOf(traceparent));
  // Only traces that a client began are reported: not the last one, and none from before the tests.
  const routes = receiver.spans.filter(
    ({ service, kind, parentSpanId }) => service === 'gateway' && kind === 'server' && parentSpanId === undefined,
  );
  expect(routes).toEqual([]);
});

test('no trace is reported without a valid key, whatever the traceparent says', async () => {
  const strange = [undefined, 'Bearer guessed', `Bearer ${apiKey.slice(0, -8)}AAAAAAAA`, `Basic ${apiKey}`];
  const traces: (string | undefined)[] = [];
  for (const authorization of strange) {
    const stranger = apiClient(platform.url, authorization === undefined ? {} : { authorization });
    for (const path of ['/v1/events', '/v1/nothing', '/v1/events/%zz', '/v1/openapi.json', '/healthz']) {
      const traceparent = newTraceparent();
      traces.push(traceIdOf(traceparent));
      await stranger.get(path, { traceparent });
    }
  }
  // By now, every earlier report has arrived.
  await tracing(
    (headers) => api.get('/v1/events', headers),
    (found) => found.length >= 3,
  );
  expect(receiver.spans.filter(({ traceId }) => traces.includes(traceId))).toEqual([]);
});
