import type { RequestListener, ServerResponse } from 'node:http';
import { SERVICES } from '@event-commerce/contracts';
import { VERSION } from '@event-commerce/service-kit';
import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startEchoingGateway, startRawService, type TestGateway } from './gateway-fixture.ts';
import { rawRequest } from './raw-request.ts';

let gateway: TestGateway;
let service: Awaited<ReturnType<typeof startRawService>>;
/** A gateway in front of a service that fails as the test says. */
let failed: TestGateway;
let fail: RequestListener;
beforeAll(async () => {
  gateway = await startEchoingGateway();
  service = await startRawService((request, response) => fail(request, response));
  failed = await gateway.replica(
    Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, service.url])),
  );
});
afterAll(async () => {
  await failed?.stop();
  await gateway?.stop();
  await service?.stop();
});

describe('a service that fails', () => {
  const failing = async (
    listener: RequestListener,
    check: (client: Awaited<ReturnType<TestGateway['client']>>) => Promise<void>,
    at = failed,
  ) => {
    fail = listener;
    await check(await at.client('*'));
  };

  it('by refusing connections is 502 without its address', async () => {
    const own = await gateway.replica({ COMMERCE_URL: 'http://127.0.0.1:9' });
    try {
      const client = await own.client('*');
      for (const reply of [await client.get('/coupons'), await client.post('/coupons', {})]) {
        expect([reply.status, reply.body.error.code]).toEqual([502, 'BAD_GATEWAY']);
        expect(JSON.stringify(reply.body)).not.toMatch(/127\.0\.0\.1|ECONN/);
      }
    } finally {
      await own.stop();
    }
  });

  it('by resetting the connection is 502; a write is sent once', async () => {
    let requests = 0;
    await failing(
      (request) => {
        requests++;
        request.socket.destroy();
      },
      async (client) => {
        expect((await client.post('/coupons', {})).status).toBe(502);
        expect(requests).toBe(1);
        expect((await client.get('/coupons')).status).toBe(502);
      },
    );
  });

  it('by never responding is 504', async () => {
    await failing(
      () => {},
      async (client) => {
        const reply = await client.get('/coupons');
        expect([reply.status, reply.body.error.code]).toEqual([504, 'UPSTREAM_TIMEOUT']);
      },
    );
  });

  it('by never responding is 504 for requests that the gateway itself makes too', async () => {
    await failing(
      () => {},
      async (client) => {
        const reply = await client.get('/usage');
        expect([reply.status, reply.body.error.code]).toEqual([504, 'UPSTREAM_TIMEOUT']);
      },
    );
  });

  it('with a status that does not exist is 502', async () => {
    await failing(
      (_request, response) => response.writeHead(799, { 'content-type': 'application/json' }).end('{"data":1}'),
      async (client) => {
        for (const reply of [await client.get('/coupons'), await client.post('/coupons', {})]) {
          expect([reply.status, reply.body.error.code]).toEqual([502, 'BAD_GATEWAY']);
        }
      },
    );
  });

  it('with 503 is called once and its error is passed on', async () => {
    let requests = 0;
    await failing(
      (_request, response) => {
        requests++;
        response.writeHead(503, { 'retry-after': '7', 'content-type': 'application/json' });
        response.end('{"message":"busy","error":{"code":"SERVICE_UNAVAILABLE","message":"busy"}}');
      },
      async (client) => {
        const reply = await client.get('/coupons');
        expect([reply.status, reply.headers.get('retry-after'), requests]).toEqual([503, '7', 1]);
        expect(reply.body).toMatchObject({ status: 'error', error: { code: 'SERVICE_UNAVAILABLE' } });
      },
    );
  });

  it('by refusing what the gateway signed is 503: nothing is wrong with the caller’s key', async () => {
    await failing(
      (_request, response) => {
        response.writeHead(401, { 'www-authenticate': 'Bearer', 'content-type': 'application/json' });
        response.end('{"message":"unsigned","error":{"code":"UNAUTHORIZED","message":"unsigned"}}');
      },
      async (client) => {
        for (const reply of [await client.get('/coupons'), await client.post('/coupons', {})]) {
          expect([reply.status, reply.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
          expect([reply.headers.get('retry-after'), reply.headers.get('www-authenticate')]).toEqual(['1', null]);
        }
      },
    );
  });

  it.each([1_000, 1_000_000])('in the middle of %i bytes never looks like a complete response', async (length) => {
    await failing(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
        response.write(`{"data":"${'x'.repeat(length / 2)}`, () => setImmediate(() => response.destroy()));
      },
      async (client) => {
        await expect(client.get('/coupons')).rejects.toThrow(/fetch failed|terminated/);
      },
    );
  });

  it("by being slow fills a company's share, and the company's further requests get 429 at once", async () => {
    const small = await failed.replica({ UPSTREAM_IN_FLIGHT_MAX: 16 });
    onTestFinished(() => small.stop());
    await failing(
      () => {},
      async (client) => {
        const replies = await Promise.all(Array.from({ length: 12 }, () => client.get('/coupons')));
        const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
        expect(statuses).toEqual([...Array<number>(4).fill(429), ...Array<number>(8).fill(504)]);
        expect(replies.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
        // A request that timed out frees its slot.
        expect((await client.get('/coupons')).status).toBe(504);
      },
      small,
    );
  });
});

describe('health', () => {
  it('is reported without a key, and names each dependency', async () => {
    const nobody = apiClient(gateway.url, {});
    expect((await nobody.get('/healthz')).body).toEqual({ status: 'ok', data: { alive: true, ...VERSION } });
    const ready = await nobody.get('/readyz');
    const names = ['mongo', 'nats', 'redis', 'pricing', 'commerce', 'cart', 'events', 'activity'];
    const checks = Object.fromEntries(names.map((name) => [name, 'ok']));
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok', data: { ready: true, checks } }]);
  });

  it('is 503 when a service is down', async () => {
    const own = await gateway.replica({ CART_URL: 'http://127.0.0.1:9' });
    try {
      const reply = await apiClient(own.url, {}).get('/v1/readyz');
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({ status: 'error', data: { ready: false, checks: { cart: 'unavailable' } } });
    } finally {
      await own.stop();
    }
  });
});

describe('stopping', () => {
  it('is reported at once, without asking a dependency that might hang', async () => {
    let asked = 0;
    const slow = await startRawService((_request, response) => {
      asked += 1;
      response.writeHead(200).end();
    });
    const own = await gateway.replica({ COMMERCE_URL: slow.url, DRAIN_DELAY_MS: 300 });
    try {
      const before = asked;
      const stopped = own.stop();
      const { status, body } = await apiClient(own.url, {}).get('/readyz');
      expect([status, body.data]).toEqual([503, { ready: false, checks: { nats: 'ok', redis: 'ok' } }]);
      expect(asked).toBe(before);
      await stopped;
    } finally {
      await slow.stop();
    }
  });

  it('finishes requests in flight, closes connections and exits', async () => {
    const underWay = Promise.withResolvers<ServerResponse>();
    const slow = await startRawService((request, response) => {
      if (request.url === '/coupons') underWay.resolve(response);
      else response.writeHead(200).end();
    });
    const own = await gateway.replica({ COMMERCE_URL: slow.url, DRAIN_DELAY_MS: 300 });
    try {
      const { key } = await own.createKey();
      const reply = rawRequest(own.url, `GET /coupons HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      const response = await underWay.promise;
      const stopped = own.stop();
      const ready = await apiClient(own.url, {}).get('/readyz');
      expect([ready.status, ready.headers.get('connection'), ready.headers.get('retry-after')]).toEqual([
        503,
        'close',
        '1',
      ]);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10 }).end('{"data":1}');
      const { body, text } = await reply;
      expect([body, text]).toEqual([{ status: 'ok', data: 1 }, expect.stringContaining('connection: close')]);
      await stopped;
    } finally {
      await slow.stop();
    }
  });

  it.each([
    ['nothing', ''],
    ['a part of its headers', 'GET /coupons HTT'],
    [
      'a part of its body',
      'POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\nAuthorization: Bearer KEY\r\n\r\n{',
    ],
  ])('does not wait for a client that has sent %s', async (_, sent) => {
    // Otherwise the gateway would wait as long as a client that reads nothing may keep its connection.
    const own = await gateway.replica({ STALLED_READER_MS: 60_000 });
    const { key } = await own.createKey();
    const ended = rawRequest(own.url, sent.replace('KEY', key), 60_000);
    // Once a request on a later connection is answered, everything sent before has been received.
    expect((await apiClient(own.url, {}).get('/healthz')).status).toBe(200);
    await own.stop();
    await ended;
  });
});
