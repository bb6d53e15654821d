import type { RequestListener } from 'node:http';
import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from './counted-service.ts';
import { startEchoingGateway, startRawService, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;
let service: Awaited<ReturnType<typeof startRawService>>;
/** A gateway in front of a service that responds as the test says. */
let own: TestGateway;
let respond: RequestListener;
beforeAll(async () => {
  gateway = await startEchoingGateway();
  service = await startRawService((request, response) => respond(request, response));
  own = await gateway.replica({ COMMERCE_URL: service.url });
});
afterAll(async () => {
  await own?.stop();
  await gateway?.stop();
  await service?.stop();
});

describe('a forwarded request', () => {
  it('contains what the caller sent and what the gateway knows, and nothing else', async () => {
    const client = await gateway.client('*');
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { body } = await client.post(
      '/v1/coupons?a=b%2Fc',
      { code: 'Grüße' },
      {
        'x-request-id': 'my-request',
        traceparent: trace,
        tracestate: 'a=b',
        'if-match': '"7"',
        'x-forwarded-for': '192.0.2.1',
        'x-http-method-override': 'DELETE',
        'proxy-authorization': 'x',
        x_platform_identity: 'forged',
        'x-platform-identity': 'forged',
        cookie: 'a=b',
        'accept-encoding': 'gzip',
      },
    );
    expect(body).toMatchObject({
      status: 'ok',
      data: { method: 'POST', url: '/coupons?a=b%2Fc', body: { code: 'Grüße' } },
    });
    expect(body.data.identity.companyId).toBe(client.companyId);
    expect(body.data.headers).toMatchObject({ 'x-request-id': 'my-request', traceparent: trace, 'if-match': '"7"' });
    expect(Object.keys(body.data.headers).toSorted()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
      'if-match',
      'traceparent',
      'tracestate',
      'user-agent',
      'x-platform-identity',
      'x-request-id',
    ]);
  });

  it('may name any id: dots in an id do not change the path', async () => {
    const client = await gateway.client('*');
    for (const id of ['..x', 'x..', '...', '%2e%2ex']) {
      const reply = await client.get(`/v1/coupons/${id}`);
      expect([reply.status, reply.body.data?.url]).toEqual([200, `/coupons/${id}`]);
    }
  });

  it('starts a new trace when its traceparent is malformed', async () => {
    const client = await gateway.client('*');
    for (const traceparent of ['nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, '']) {
      const { body } = await client.get('/coupons', { traceparent, tracestate: 'a=b' });
      expect(body.data.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
      expect(body.data.headers.traceparent).not.toBe(traceparent);
      expect(body.data.headers.tracestate).toBeUndefined();
    }
  });

  it('gets a request id when its own is invalid', async () => {
    const client = await gateway.client('*');
    for (const id of ['a b', 'x'.repeat(129)]) {
      const reply = await client.get('/coupons', { 'x-request-id': id });
      expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  it('passes on only the parts of a response that are meant for callers', async () => {
    const reply = await (await gateway.client('*')).get('/coupons/x');
    expect(reply.headers.get('etag')).toBe('"1"');
    expect(reply.headers.get('x-internal')).toBeNull();
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['/coupons', '/v1/coupons', '/v1/v1/coupons', '/v1/coupons/'])('reaches one route as %s', async (path) => {
    const { body } = await (await gateway.client('*')).get(path);
    expect(body.data.url).toBe('/coupons');
  });
});

describe('the envelope', () => {
  it('says ok:true for a created order, and status:ok otherwise', async () => {
    const client = await gateway.client('*');
    const created = await client.post('/v1/orders', {});
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['ok', 'data']]);
    expect(Object.keys((await client.get('/v1/orders')).body)).toEqual(['status', 'data']);
  });

  it('says ok:false for an order that failed, whether a service or the gateway refused it', async () => {
    const reply = await apiClient(gateway.url, {}).post('/v1/orders', {});
    expect(reply.body).toMatchObject({ status: 'error', ok: false, error: { code: 'UNAUTHORIZED' } });
    respond = (_request, response) => {
      const text = JSON.stringify({ message: 'gone', error: { code: 'SOLD_OUT', message: 'gone' } });
      response.writeHead(409, { 'content-type': 'application/json' }).end(text);
    };
    const { body } = await (await own.client('*')).post('/v1/orders', {});
    expect(body).toMatchObject({ status: 'error', ok: false, error: { code: 'SOLD_OUT' } });
  });

  it('streams a large response with its length, unchanged', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => `name ${at}`);
    const text = JSON.stringify({ data: names });
    respond = (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/coupons') response.setHeader('content-length', Buffer.byteLength(text));
      response.end(text);
    };
    const client = await own.client('*');
    const known = await client.get('/coupons');
    expect(known.body).toEqual({ status: 'ok', data: names });
    expect(Number(known.headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(known.body)));
    expect((await client.get('/orders')).body).toEqual({ status: 'ok', data: names });
  });

  it.each([
    [200, 'text/html', '<html>', 502, 'BAD_GATEWAY'],
    [500, 'text/plain', 'oops at 10.0.0.1', 502, 'BAD_GATEWAY'],
    [503, 'text/plain', 'busy', 503, 'SERVICE_UNAVAILABLE'],
    [200, 'application/json', '[1]', 502, 'BAD_GATEWAY'],
  ])('is kept when a service returns %i %s %s', async (status, type, text, expected, code) => {
    respond = (_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(text);
    };
    const reply = await (await own.client('*')).get('/coupons');
    expect(reply.status).toBe(expected);
    expect(reply.body).toMatchObject({ status: 'error', error: { code } });
    expect(JSON.stringify(reply.body)).not.toContain('10.0.0.1');
  });

  it.each([200, 204])('contains null when a service returns %i without a body', async (status) => {
    respond = (_request, response) => response.writeHead(status).end();
    const reply = await (await own.client('*')).get('/coupons');
    expect([reply.status, reply.body]).toEqual([200, { status: 'ok', data: null }]);
  });
});

describe('the same GET from many clients at the same time', () => {
  it('costs the service few requests, and each response includes everything written before its request', async () => {
    let value = 0;
    let reads = 0;
    respond = (request, response) => {
      if (request.method === 'GET' && request.url === '/coupons') reads += 1;
      if (request.method === 'POST') value += 1;
      const text = JSON.stringify({ data: value });
      const headers = { 'content-type': 'application/json', 'content-length': text.length };
      request.resume().on('end', () => response.writeHead(200, headers).end(text));
    };
    const client = await own.client('*');
    const readers = async () => Promise.all(Array.from({ length: 20 }, async () => client.get('/coupons')));
    for (let round = 1; round <= 8; round++) {
      const before = readers();
      await client.post('/coupons', {});
      const after = await readers();
      await before;
      expect(after.map(({ status, body }) => [status, body.data])).toEqual(after.map(() => [200, round]));
      expect(new Set(after.map(({ headers }) => headers.get('x-request-id'))).size).toBe(after.length);
    }
    expect(reads).toBeLessThan(160);
  });
});

describe('GET /v1/usage', () => {
  it('asks a service at most once a second per company, however often it is called', async () => {
    let asked = 0;
    respond = (_request, response) => {
      asked += 1;
      json(response, 200, { data: {} });
    };
    const [company, other] = [await own.client('*'), await own.client('*')];
    const beganMs = performance.now();
    const statuses = new Set<number>();
    for (let n = 0; n < 20; n++) statuses.add((await company.get('/v1/usage')).status);
    expect(statuses).toEqual(new Set([200]));
    expect(asked).toBeLessThanOrEqual(Math.ceil((performance.now() - beganMs) / 1000));
    const before = asked;
    expect((await other.get('/v1/usage')).status).toBe(200);
    expect(asked).toBe(before + 1);
  });
});
