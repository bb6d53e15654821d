import { type BusConnection, connectBus, serve, type ServedRequest, writePieces } from '@event-commerce/bus';
import { PlatformError, RPC } from '@event-commerce/contracts';
import { toPlatformError } from '@event-commerce/service-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { logger, natsUrlOfGateways, startTestGateway, type TestGateway } from './gateway-fixture.ts';
import { rawRequest } from './raw-request.ts';

const PATH = '/v1/pricing/adjustments/evaluate';

let gateway: TestGateway;
let bus: BusConnection;
let stopServing: (() => Promise<void>) | undefined;

beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfGateways(), name: 'evaluate-test', logger });
  gateway = await startTestGateway({}, { UPSTREAM_TIMEOUT_MS: 20_000 });
});
afterEach(async () => {
  await stopServing?.();
  stopServing = undefined;
});
afterAll(async () => {
  await gateway?.stop();
  await bus?.close();
});

/** Replies to evaluations as the pricing service would. */
async function answerWith(handle: (request: ServedRequest) => string | Uint8Array | Promise<string>) {
  stopServing = serve(bus, RPC.evaluate, { group: 'pricing', inFlightMax: 100, toPlatformError }, handle);
  await bus.nats.flush();
}

interface Asked {
  key: string;
  body?: string;
  query?: string;
}

/** Sends requests that arrive at once, because one packet holds them. Returns the `data` of each response. */
async function atOnce(...all: Asked[]): Promise<(string | undefined)[]> {
  const requests = all.map(
    ({ key, body = '{}', query = '' }, n) =>
      `POST ${PATH}${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      (n === all.length - 1 ? 'Connection: close\r\n' : '') +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const { text } = await rawRequest(gateway.url, requests.join(''));
  return [...text.matchAll(/"data":"?([^"}]+)/g)].map(([, data]) => data);
}

describe('an evaluation', () => {
  it('is passed on unchanged, and the response comes back in the envelope', async () => {
    await answerWith((request) =>
      JSON.stringify({
        data: {
          body: Buffer.from(request.body).toString(),
          requestId: request.requestId,
          dropped: request.option('dropped'),
          token: request.identityToken?.split('.').length,
          traceparent: request.traceparent,
        },
      }),
    );
    const client = await gateway.client('pricing:evaluate');
    const { status, body } = await client.post(`${PATH}?dropped=candidates`, { a: 'Grüße' }, { 'x-request-id': 'r1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      data: {
        body: '{"a":"Grüße"}',
        requestId: 'r1',
        dropped: 'candidates',
        token: 3,
        traceparent: expect.stringMatching(/^00-/),
      },
    });
  });

  it('in pieces arrives whole, and its list is sent to the gateway once per company and scopes', async () => {
    const list = Buffer.from(`,"${'ä'.repeat(100_000)}"`);
    const seen: (string | undefined)[] = [];
    await answerWith((request) => {
      const kept = request.option('kept');
      seen.push(kept);
      const pieces = ['{"data":["first"', [0, list.length], ']}'] as const;
      return writePieces('digest-1', pieces, kept === 'digest-1' ? undefined : list);
    });
    const [client, other] = [await gateway.client('*'), await gateway.client('pricing:evaluate')];
    for (const api of [client, client, other, client]) {
      const { body, headers } = await api.post(PATH, {});
      expect(body).toEqual({ status: 'ok', data: ['first', 'ä'.repeat(100_000)] });
      expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(body)));
    }
    expect(seen).toEqual(['none', 'digest-1', 'none', 'digest-1']);
  });

  it('is 502 when it refers to a list that the gateway does not have', async () => {
    await answerWith(() => writePieces('digest-2', ['{"data":[', [0, 10], ']}']));
    expect((await (await gateway.client('*')).post(PATH, {})).status).toBe(502);
  });

  it('that is refused returns the same error as over HTTP', async () => {
    await answerWith(() => {
      throw new PlatformError('VALIDATION_FAILED', 'offering: is required', {
        details: [{ path: 'offering', message: 'is required' }],
      });
    });
    const { status, body } = await (await gateway.client('*')).post(PATH, {});
    expect(status).toBe(400);
    expect(body).toMatchObject({
      status: 'error',
      message: 'offering: is required',
      error: { code: 'VALIDATION_FAILED', details: [{ path: 'offering', message: 'is required' }] },
    });
  });

  it('that many request at the same time is shared: one for the first, one for all the others', async () => {
    let evaluations = 0;
    await answerWith(() => JSON.stringify({ data: ++evaluations }));
    const { key } = await gateway.createKey();
    const answers = await atOnce(...Array.from({ length: 8 }, () => ({ key })));
    expect([answers, evaluations]).toEqual([['1', ...Array<string>(7).fill('2')], 2]);
  });

  it('that many request at the same time includes everything written before each request', async () => {
    let price = 0;
    await answerWith(() => JSON.stringify({ data: price }));
    const client = await gateway.client('*');
    const askers = async () => Promise.all(Array.from({ length: 15 }, async () => client.post(PATH, {})));
    for (let round = 1; round <= 5; round++) {
      const before = askers();
      price = round;
      const after = await askers();
      await before;
      expect(after.map(({ status, body }) => [status, body.data])).toEqual(after.map(() => [200, round]));
    }
  });

  it.each([
    ['question', async (key: string) => ({ key, body: '{ }' })],
    ['option', async (key: string) => ({ key, query: '?dropped=candidates' })],
    ['key', async () => ({ key: (await gateway.createKey()).key })],
  ])('that many request at the same time is not shared with another %s', async (_, another) => {
    await answerWith(({ body, option, identityToken = '' }) => {
      const { keyId } = JSON.parse(Buffer.from(identityToken.split('.')[1] ?? '', 'base64url').toString());
      return JSON.stringify({ data: `${body.length} ${option('dropped')} ${keyId}` });
    });
    const { key } = await gateway.createKey();
    const [one, other] = [{ key }, await another(key)];
    const [own, others] = [await atOnce(one), await atOnce(other)].flat();
    expect(others).not.toBe(own);
    expect(await atOnce(one, one, one, other, other, other)).toEqual([own, own, own, others, others, others]);
  });

  it('that is refused for many callers names each one’s own request', async () => {
    await answerWith(() => {
      throw new PlatformError('VALIDATION_FAILED', 'offering: is required');
    });
    const client = await gateway.client('*');
    const replies = await Promise.all(Array.from({ length: 20 }, async () => client.post(PATH, {})));
    for (const { status, body, headers } of replies) {
      expect([status, body.error.requestId]).toEqual([400, headers.get('x-request-id')]);
    }
  });

  it('that pricing refuses by its own clock or keys is 503: nothing is wrong with the caller’s key', async () => {
    await answerWith(() => {
      throw new PlatformError('UNAUTHORIZED', 'This service only accepts requests that the platform signed.');
    });
    const { status, body, headers } = await (await gateway.client('*')).post(PATH, {});
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect(headers.get('www-authenticate')).toBeNull();
  });

  it('is 503 at once if no pricing process is up', async () => {
    const client = await gateway.client('*');
    let fastestMs = Number.POSITIVE_INFINITY;
    let reply = await client.post(PATH, {});
    for (let n = 0; n < 10; n++) {
      const began = performance.now();
      reply = await client.post(PATH, {});
      fastestMs = Math.min(fastestMs, performance.now() - began);
    }
    expect(fastestMs).toBeLessThan(50);
    expect([reply.status, reply.body.error.code, reply.headers.get('retry-after')]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
  });

  it('is 502 when the reply is invalid', async () => {
    await answerWith(() => 'nonsense');
    expect((await (await gateway.client('*')).post(PATH, {})).status).toBe(502);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])(
    'sent as %s is 415',
    async (type) => {
      const reply = await (await gateway.client('*')).post(PATH, {}, { 'content-type': type });
      expect([reply.status, reply.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  it('runs again whatever its Idempotency-Key, because it changes nothing', async () => {
    let evaluations = 0;
    await answerWith(() => JSON.stringify({ data: ++evaluations }));
    const client = await gateway.client('*');
    for (const key of ['one', 'one', 'not a key']) await client.post(PATH, {}, { 'idempotency-key': key });
    expect(evaluations).toBe(3);
  });

  it.each([
    [
      'dropped=a%0d%0ax-platform-identity:%20b',
      'dropped must be one of all, candidates (got "a\\r\\nx-platform-identity: b").',
    ],
    ['dropped=all&dropped=all', 'dropped is sent 2 times; send it once.'],
    ['droped=candidates', 'droped is unknown; did you mean dropped?'],
  ])('with the query %s is refused before pricing is asked', async (query, message) => {
    let evaluations = 0;
    await answerWith(() => JSON.stringify({ data: ++evaluations }));
    const reply = await (await gateway.client('*')).post(`${PATH}?${query}`, {});
    expect([reply.status, reply.body.message, evaluations]).toEqual([400, message, 0]);
  });
});
