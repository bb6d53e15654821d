import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRawService, startTestGateway, type TestGateway } from './gateway-fixture.ts';
import { rawRequest } from './raw-request.ts';

let gateway: TestGateway;
let service: Awaited<ReturnType<typeof startRawService>>;
let key: string;
const reached: { url: string; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  service = await startRawService((request, response) => {
    reached.push({ url: request.url ?? '', headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10 }).end('{"data":1}');
  });
  gateway = await startTestGateway(service.url);
  key = (await gateway.createKey()).key;
});
afterAll(async () => {
  await gateway?.stop();
  await service?.stop();
});

/** Sends one request exactly as written here, with a valid key. */
async function send(target: string, headers: readonly string[] = [], options: { method?: string; body?: string } = {}) {
  reached.length = 0;
  const { method = 'GET', body = '' } = options;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${key}`, ...headers];
  return await rawRequest(gateway.url, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
}

it.each([
  ['/V1/events', 404, 'There is nothing at /V1/events. Paths are case-sensitive; /docs lists them.'],
  ['/v1/refunds?key=secret', 404, 'There is nothing at /v1/refunds. Paths are case-sensitive; /docs lists them.'],
  ['/v2/events', 404, 'This API has no version v2. Use /v1.'],
  [
    '/v1//events',
    400,
    'The path has an empty segment: two slashes in a row. Remove one, or fill in the id between them.',
  ],
  [
    '/v1/events/100%',
    400,
    'The path has a percent sign that does not begin an encoded character. Write a percent sign as %25.',
  ],
])('the refusal of %s says what is wrong with the path', async (target, status, message) => {
  const reply = await send(target);
  expect([reply.status, reply.body?.error.message]).toEqual([status, message]);
});

describe('a compressed body', () => {
  it.each(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip', 'x-unknown'])(
    'is 415 before it is read, when Content-Encoding is %s',
    async (encoding) => {
      const client = await gateway.client('*');
      for (const [method, path] of [
        ['post', '/v1/coupons'],
        ['post', '/v1/pricing/adjustments/evaluate'],
        ['post', '/v1/admin/keys'],
        ['patch', '/v1/orders/ord_1'],
      ] as const) {
        const reply = await client[method](path, { a: 1 }, { 'content-encoding': encoding });
        expect([path, reply.status, reply.body.error.code]).toEqual([path, 415, 'UNSUPPORTED_MEDIA_TYPE']);
        expect(reply.headers.get('accept-encoding')).toBe('identity');
      }
    },
  );

  it('does not include a body with the encoding identity', async () => {
    const client = await gateway.client('*');
    const reply = await client.post('/v1/coupons', { a: 1 }, { 'content-encoding': 'Identity' });
    expect(reply.status).not.toBe(415);
  });
});

describe('a path that hides another path', () => {
  it.each([
    '/coupons\\..\\orders',
    '/coupons/%2e%2e/orders',
    '/coupons/.%2e/orders',
    '/coupons/..%5corders',
    '/coupons/%252e%252e/orders',
    '/coupons/x%2forders',
    '/coupons//orders',
    '/coupons/%00',
    '/coupons/%0d%0aX-Evil:1',
    'http://elsewhere/coupons',
    '//elsewhere/coupons',
    '/coupons/../orders',
    '/v1/../coupons',
  ])('%s is 400 and reaches no service', async (target) => {
    const reply = await send(target);
    expect([reply.status, reply.body.error.code, reached]).toEqual([400, 'BAD_REQUEST', []]);
    expect(reply.text).toMatch(/x-request-id: req_/);
  });

  it('may contain a long id: the service looks up the record, and beyond 8,192 characters it is 414', async () => {
    const statuses = [];
    for (const length of [300, 4_000, 9_000]) statuses.push((await send(`/coupons/${'a'.repeat(length)}`)).status);
    expect(statuses).toEqual([200, 200, 414]);
    expect((await send('/coupons/x')).status).toBe(200);
  });

  it.each([
    ['/Coupons', 404],
    ['/coupons;x', 404],
    ['/coupons/', 200],
    ['/nowhere', 404],
    ['/v2/coupons', 404],
    ['/%63oupons', 200],
  ])('%s is authorised as the route it is: %i', async (target, status) => {
    expect((await send(target)).status).toBe(status);
  });
});

describe('a method that a path does not have', () => {
  it.each(['PUT', 'TRACE', 'OPTIONS', 'PROPFIND', 'DELETE'])('%s is 405 with Allow', async (method) => {
    const reply = await send('/coupons', [], { method });
    expect(reply.status).toBe(405);
    expect(reply.text.toLowerCase()).toContain('allow: post, get, head');
  });

  it('HEAD returns what GET returns, without the body', async () => {
    const [get, head] = [await send('/coupons'), await send('/coupons', [], { method: 'HEAD' })];
    const withoutIds = (text: string) => text.replaceAll(/^(x-request-id|date|ratelimit): .*$/gim, '$1');
    expect(withoutIds(head.text)).toBe(withoutIds(get.text.slice(0, get.text.indexOf('\r\n\r\n') + 4)));
    expect(reached.map(({ url }) => url)).toEqual(['/coupons']);
    expect((await send('/healthz', [], { method: 'HEAD' })).status).toBe(200);
    expect((await send('/docs', [], { method: 'HEAD' })).status).toBe(200);
    expect((await send('/nowhere', [], { method: 'HEAD' })).text.endsWith('\r\n\r\n')).toBe(true);
  });

  it('cannot be set by an override header', async () => {
    expect((await send('/coupons', ['X-HTTP-Method-Override: DELETE'])).status).toBe(200);
  });

  it('is 405 for a fixed path next to one with an id', async () => {
    expect((await send('/pricing/adjustments/evaluate')).status).toBe(405);
  });

  it('is 404 for an unknown path', async () => {
    expect((await send('/nowhere', [], { method: 'PUT' })).status).toBe(404);
  });

  it.each([
    ['/nowhere', 'POST', 404],
    ['/coupons', 'PUT', 405],
    ['/usage', 'POST', 405],
  ])('%s is refused whatever the body of the %s, and before that has arrived', async (target, method, status) => {
    const json = ['Content-Type: application/json'];
    expect((await send(target, [...json, 'Content-Length: 1'], { method, body: '{' })).status).toBe(status);
    expect((await send(target, ['Content-Type: text/xml', 'Content-Length: 1'], { method, body: '<' })).status).toBe(
      status,
    );
    const withheld = await send(target, [...json, 'Content-Length: 1000000'], { method, body: ' '.repeat(999_999) });
    expect(withheld.status).toBe(status);
  });
});

describe('framing', () => {
  const chunked = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`;

  it.each([
    ['two Host headers', ['Host: other'], {}],
    [
      'content-length with transfer-encoding',
      ['Content-Length: 3', 'Transfer-Encoding: chunked'],
      { method: 'POST', body: '0\r\n\r\n' },
    ],
    ['two lengths', ['Content-Length: 3', 'Content-Length: 4'], { method: 'POST', body: 'abcd' }],
    ['a folded header', ['X-A: b', ' c'], {}],
    ['a bare line feed', ['X-A: b\nX-C: d'], {}],
    ['a space before the colon', ['X-A : b'], {}],
  ] as const)('%s is 400', async (_name, headers, options) => {
    const reply = await send('/coupons', headers, options);
    expect([reply.status, reply.body?.status, reached]).toEqual([400, 'error', []]);
  });

  it('without a Host header is 400 in the usual form', async () => {
    const reply = await rawRequest(gateway.url, 'GET /coupons HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect([reply.status, reply.body?.error.message]).toEqual([400, 'Send exactly one Host header.']);
    expect(reply.text).toContain('x-request-id');
  });

  it('with a 17 kB header is 431', async () => {
    const reply = await send('/coupons', [`X-A: ${'a'.repeat(17_000)}`]);
    expect([reply.status, reply.body.error.code]).toEqual([431, 'HEADERS_TOO_LARGE']);
  });

  it('with an unknown expectation is 417, and reaches no service', async () => {
    const reply = await send('/coupons', ['Expect: a miracle', 'Content-Length: 2'], { method: 'POST', body: '{}' });
    expect([reply.status, reply.body.error.code, reached]).toEqual([417, 'EXPECTATION_FAILED', []]);
  });

  it('with a target over 8 KiB is 414, and reaches no service', async () => {
    const reply = await send(`/coupons?q=${'a'.repeat(8_200)}`);
    expect([reply.status, reply.body.error.code, reached]).toEqual([414, 'URI_TOO_LONG', []]);
  });

  it('with a body over 1 MiB is 413, announced or in chunks', async () => {
    const size = 1024 * 1024 + 1;
    const announced = await send('/coupons', [`Content-Length: ${size}`, 'Content-Type: application/json'], {
      method: 'POST',
    });
    expect([announced.status, announced.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const streamed = await send('/coupons', ['Transfer-Encoding: chunked', 'Content-Type: application/json'], {
      method: 'POST',
      body: chunked(size),
    });
    expect([streamed.status, reached]).toEqual([413, []]);
    const evaluated = await send(
      '/pricing/adjustments/evaluate',
      [`Content-Length: ${size}`, 'Content-Type: application/json'],
      {
        method: 'POST',
      },
    );
    expect(evaluated.status).toBe(413);
  });

  it('that never ends is 408, in the headers and in the body', async () => {
    const headers = rawRequest(gateway.url, 'GET /coupons HTTP/1.1\r\nHost: a\r\nX-A: b\r\n');
    const body = rawRequest(
      gateway.url,
      `POST /coupons HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: mine\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    for (const reply of await Promise.all([headers, body])) {
      expect([reply.status, reply.body?.error.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    }
    const { text, body: refused } = await body;
    expect([text, refused.error.requestId]).toEqual([expect.stringContaining('x-request-id: mine\r\n'), 'mine']);
  });
});

describe('hop-by-hop headers', () => {
  it.each([
    ['Keep-Alive: timeout=5'],
    ['Upgrade: websocket'],
    ['Expect: 100-continue'],
    ['TE: trailers'],
    ['Trailer: X-A'],
    ['Proxy-Connection: keep-alive'],
    ['Proxy-Authorization: x'],
    ['Transfer-Encoding: chunked'],
  ])('%s neither fails nor is forwarded', async (header) => {
    const reply = await send('/coupons', [header], { body: header.startsWith('Transfer') ? '0\r\n\r\n' : '' });
    expect(reply.text).toContain('HTTP/1.1 200 ');
    const name = header.split(':')[0]?.toLowerCase() ?? '';
    expect(Object.keys(reached[0]?.headers ?? {})).not.toContain(name);
  });

  it('cannot strip or replace the identity', async () => {
    reached.length = 0;
    const reply = await rawRequest(
      gateway.url,
      [
        'GET /coupons HTTP/1.1',
        'Host: a',
        `Authorization: Bearer ${key}`,
        'X-Platform-Identity: forged',
        'X_Platform_Identity: forged',
        'X-Platform-Company: forged',
        'Connection: close, x-platform-identity, x-request-id, traceparent',
        '',
        '',
      ].join('\r\n'),
    );
    expect(reply.status).toBe(200);
    const headers: Record<string, unknown> = reached[0]?.headers ?? {};
    expect(headers['x-platform-identity']).toMatch(/^eyJ/);
    expect(headers['x-request-id']).toMatch(/^req_/);
    expect(headers['traceparent']).toBeDefined();
    expect(JSON.stringify(headers)).not.toContain('forged');
    expect(headers['authorization']).toBeUndefined();
  });
});
