import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type ClientOptions, createClient, dataOf } from './index.ts';

const order = {
  order: {
    orderNumber: 'N-1',
    currency: 'EUR',
    companyId: 'demo',
    organizerId: 'org_1',
    contextId: 'evt_1',
    customer: { email: 'ada@example.com' },
    context: { urn: 'urn:v1:demo:orders:order/1' },
  },
};

type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | Error;

/** A client that receives `answers`, one after another, and the requests it sent. */
function clientAnswered(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const sent: { request: Request; body: string; atMs: number }[] = [];
  const client = createClient({
    baseUrl: 'http://platform.test',
    apiKey: 'eck_test_key',
    delayMs: 100,
    fetch: async (request) => {
      sent.push({ request, body: await request.clone().text(), atMs: Date.now() });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer === undefined || answer instanceof Error) throw answer;
      return Response.json(answer.body ?? {}, { status: answer.status, headers: answer.headers ?? {} });
    },
    ...options,
  });
  return { client, sent };
}

const refused = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { status: 'error', message: 'no', error: { code, message: 'no', requestId: 'req_1' } },
});
const empty: Answer = { status: 200, body: { status: 'ok', data: [], page: { next: null, limit: 50 } } };

describe('the client', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Runs all pending timers. */
  async function settled<T>(running: Promise<T>): Promise<T> {
    // An error thrown before the test awaits it is not unhandled.
    running.catch(() => undefined);
    await vi.runAllTimersAsync();
    return await running;
  }

  it('sends the key and returns the data of a success', async () => {
    const { client, sent } = clientAnswered([empty]);
    expect(await settled(dataOf(client.GET('/v1/events', { params: { query: { limit: 5 } } })))).toEqual([]);
    expect(sent[0]?.request.headers.get('authorization')).toBe('Bearer eck_test_key');
    expect(sent[0]?.request.url).toBe('http://platform.test/v1/events?limit=5');
  });

  it.each([429, 503])('retries a %i after at least the time in Retry-After', async (status) => {
    const { client, sent } = clientAnswered([refused(status, 'RATE_LIMITED', { 'retry-after': '3' }), empty]);
    expect((await settled(client.GET('/v1/events'))).response.status).toBe(200);
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  it('waits longer before each retry if there is no Retry-After', async () => {
    const { client, sent } = clientAnswered([refused(503, 'SERVICE_UNAVAILABLE')], { retries: 3 });
    expect((await settled(client.GET('/v1/events'))).response.status).toBe(503);
    const pauses = sent.slice(1).map(({ atMs }, index) => atMs - (sent[index]?.atMs ?? 0));
    expect(pauses).toHaveLength(3);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(50 * 2 ** index);
      expect(pause).toBeLessThanOrEqual(100 * 2 ** index);
    }
  });

  it('returns a response that asks for a pause above the limit', async () => {
    const { client, sent } = clientAnswered([refused(429, 'RATE_LIMITED', { 'retry-after': '3600' })]);
    expect((await settled(client.GET('/v1/events'))).response.status).toBe(429);
    expect(sent).toHaveLength(1);
  });

  it('sends a POST with one Idempotency-Key and one body in all attempts, even if a response is lost', async () => {
    const { client, sent } = clientAnswered([
      new TypeError('fetch failed'),
      refused(409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': '1' }),
      refused(409, 'SOLD_OUT', { 'retry-after': '1' }),
      { status: 201, body: { ok: true, data: { order: { id: 'ord_1' } } } },
    ]);
    expect((await settled(dataOf(client.POST('/v1/orders', { body: order })))).order.id).toBe('ord_1');
    const keys = sent.map(({ request }) => request.headers.get('idempotency-key'));
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([JSON.stringify(order)]));
  });

  it("keeps the caller's Idempotency-Key", async () => {
    const { client, sent } = clientAnswered([{ status: 201, body: { ok: true, data: { order: {} } } }]);
    const params = { header: { 'Idempotency-Key': 'mine' } };
    await settled(client.POST('/v1/orders', { body: order, params }));
    expect(sent[0]?.request.headers.get('idempotency-key')).toBe('mine');
  });

  it('does not retry a PATCH whose response was lost: it may have taken effect', async () => {
    const { client, sent } = clientAnswered([new TypeError('fetch failed'), empty]);
    const patch = client.PATCH('/v1/coupons/{id}', { params: { path: { id: 'cpn_1' } }, body: { limit: 5 } });
    await expect(settled(patch)).rejects.toThrow('fetch failed');
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a PATCH', 429, 2],
    ['a PATCH', 503, 1],
    ['a DELETE', 429, 2],
    ['a DELETE', 503, 1],
  ])('sends %s after a %i as often as is safe: %i', async (what, status, times) => {
    const { client, sent } = clientAnswered([refused(status, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }), empty]);
    const path = { id: 'cpn_1' };
    await settled(
      what === 'a PATCH'
        ? client.PATCH('/v1/coupons/{id}', { params: { path }, body: { limit: 5 } })
        : client.DELETE('/v1/coupons/{id}', { params: { path } }),
    );
    expect(sent).toHaveLength(times);
  });

  it('throws an error with its code, request id and details, without retrying it', async () => {
    const { client, sent } = clientAnswered([refused(409, 'REDEMPTION_LIMIT_REACHED')]);
    const error = await settled(dataOf(client.POST('/v1/orders', { body: order }))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: 'REDEMPTION_LIMIT_REACHED', requestId: 'req_1', details: [] });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['csv', 'id;status\r\nord_1;placed\r\n'],
    // One order is JSON, but still a line.
    ['ndjson', '{"id":"ord_1"}\n'],
    ['ndjson', ''],
  ] as const)('returns an export as %s as the text that arrived: %j', async (format, text) => {
    const { client } = clientAnswered([], {
      fetch: async () => new Response(text, { headers: { 'content-length': String(text.length) } }),
    });
    const { data, error } = await settled(client.GET('/v1/orders', { params: { query: { format } } }));
    expect({ data, error }).toEqual({ data: text, error: undefined });
  });

  it('returns an export as the stream that arrives, if that is asked for', async () => {
    const { client } = clientAnswered([], { fetch: async () => new Response('{"id":"ord_1"}\n') });
    const query = { format: 'ndjson' } as const;
    const { data } = await settled(client.GET('/v1/orders', { params: { query }, parseAs: 'stream' }));
    expect(data).toBeInstanceOf(ReadableStream);
    expect(await new Response(data).text()).toBe('{"id":"ord_1"}\n');
  });

  it.each(['<h1>Bad Gateway</h1>', '', '"no"', 'null', '{"error":null}', '{"error":"no"}'])(
    'returns an error that did not come from the platform in the same form: %s',
    async (body) => {
      const { client } = clientAnswered([], { retries: 0, fetch: async () => new Response(body, { status: 502 }) });
      const { data, error, response } = await settled(client.POST('/v1/orders', { body: order }));
      expect({ data, status: response.status, code: error?.error.code }).toEqual({ status: 502, code: 'UNKNOWN' });
      expect(error?.message).toBe('HTTP 502 did not come from Event Commerce.');
    },
  );

  it('returns neither data nor an error when nothing has changed, and dataOf throws that', async () => {
    const { client } = clientAnswered([], { fetch: async () => new Response(null, { status: 304 }) });
    const read = async () => client.GET('/v1/orders', { params: { header: { 'If-None-Match': '"a"' } } });
    const { data, error, response } = await settled(read());
    expect([data, error, response.status]).toEqual([undefined, undefined, 304]);
    const thrown = await settled(dataOf(read())).catch((error_: unknown) => error_);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({ status: 304, code: 'NOT_MODIFIED', details: [] });
    expect((thrown as ApiError).message).toContain('Not modified');
  });

  it('returns a success that is not JSON, such as the page of a proxy, as an error', async () => {
    const { client } = clientAnswered([], { fetch: async () => new Response('<h1>Maintenance</h1>') });
    const { data, error } = await settled(client.GET('/v1/orders'));
    expect([data, error?.error.code, error?.message]).toEqual([
      undefined,
      'UNKNOWN',
      'HTTP 200 did not come from Event Commerce.',
    ]);
    const thrown = await settled(dataOf(client.GET('/v1/orders'))).catch((error_: unknown) => error_);
    expect(thrown).toMatchObject({ status: 200, code: 'UNKNOWN' });
  });

  it.each(['', '{}', '"no"'])('throws for a success without an envelope: %j', async (text) => {
    const { client } = clientAnswered([], { fetch: async () => new Response(text) });
    const thrown = await settled(dataOf(client.GET('/v1/orders'))).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({ status: 200, code: 'UNKNOWN' });
  });

  it('throws for an export, whose text has no envelope', async () => {
    const { client } = clientAnswered([], { fetch: async () => new Response('id;status\r\nord_1;placed\r\n') });
    const reading = client.GET('/v1/orders', { params: { query: { format: 'csv' } } });
    // @ts-expect-error -- the compiler says so too
    await expect(settled(dataOf(reading))).rejects.toThrow('an export is text');
  });

  it('stops when the caller aborts while a refusal is read', async () => {
    const abort = new AbortController();
    const { client, sent } = clientAnswered([], {
      fetch: async () => {
        abort.abort(new Error('no longer wanted'));
        return new Response('', { status: 503 });
      },
    });
    await expect(settled(client.GET('/v1/events', { signal: abort.signal }))).rejects.toThrow('no longer wanted');
    expect(sent).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops waiting when the caller aborts', async () => {
    const { client, sent } = clientAnswered([refused(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '20' })]);
    const abort = new AbortController();
    const running = client.GET('/v1/events', { signal: abort.signal });
    running.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    abort.abort(new Error('no longer wanted'));
    await expect(running).rejects.toThrow('no longer wanted');
    expect(sent).toHaveLength(1);
  });
});

describe('an operation', () => {
  const found = { status: 200, body: { status: 'ok', data: { id: 'ord_1' } } };
  const page = (data: string[], next: string | null): Answer => ({
    status: 200,
    body: { status: 'ok', data: data.map((id) => ({ id })), page: { limit: 2, next } },
  });

  it('sends the parts of its path, its body and headers, and resolves with the data', async () => {
    const { client, sent } = clientAnswered([found]);
    const options = { headers: { 'If-Match': '"3"', 'Idempotency-Key': 'once' } };
    expect(await client.orders.confirmAmendment('ord/1', 'amd_1', options)).toEqual({ id: 'ord_1' });
    expect(await client.orders.confirm('ord_1', { expectedTotal: 8000 })).toEqual({ id: 'ord_1' });
    const offering = { id: 'off_1', price: { amount: 5000, currency: 'EUR' } };
    await client.pricing.evaluateAdjustments({ offering, cartContext: {} }, { query: { dropped: 'all' } });
    expect(sent.map(({ request, body }) => `${request.method} ${request.url} ${body}`)).toEqual([
      'POST http://platform.test/v1/orders/ord%2F1/amendments/amd_1/confirm ',
      'POST http://platform.test/v1/orders/ord_1/confirm {"expectedTotal":8000}',
      `POST http://platform.test/v1/pricing/adjustments/evaluate?dropped=all ${JSON.stringify({ offering, cartContext: {} })}`,
    ]);
    const [first, second] = sent.map(({ request }) => request.headers);
    expect([first?.get('if-match'), first?.get('idempotency-key')]).toEqual(['"3"', 'once']);
    expect(second?.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('rejects with an ApiError for any other response', async () => {
    const { client } = clientAnswered([refused(404, 'NOT_FOUND')]);
    const thrown = await client.orders.get('ord_1').catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it('ends, with its retries, when the caller aborts', async () => {
    const { client } = clientAnswered([refused(503, 'SERVICE_UNAVAILABLE')], { retries: 1_000 });
    await expect(client.orders.list({}, { signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout');
  });

  it('that lists resolves with the first page', async () => {
    const { client, sent } = clientAnswered([page(['a', 'b'], 'after b')]);
    expect(await client.orders.list({ status: 'placed' })).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(sent).toHaveLength(1);
  });

  it('that lists yields the items of all pages, and reads a page when its first item is needed', async () => {
    const { client, sent } = clientAnswered([page(['a', 'b'], 'after b'), page([], 'after c'), page(['d'], null)]);
    const items: string[] = [];
    for await (const { id } of client.orders.list({ status: 'placed' })) items.push(`${id} of request ${sent.length}`);
    expect(items).toEqual(['a of request 1', 'b of request 1', 'd of request 3']);
    expect(sent.map(({ request }) => new URL(request.url).search)).toEqual([
      '?status=placed',
      '?status=placed&cursor=after%20b',
      '?status=placed&cursor=after%20c',
    ]);
  });

  it.each([0, 1])('that lists ends with the error of a page: page %i', async (pages) => {
    const { client } = clientAnswered([...[page(['a'], 'after a')].slice(0, pages), refused(403, 'FORBIDDEN')]);
    const items: string[] = [];
    const all = async () => {
      for await (const { id } of client.orders.list()) items.push(id);
    };
    await expect(all()).rejects.toThrow(expect.objectContaining({ status: 403, code: 'FORBIDDEN' }));
    expect(items).toEqual(['a'].slice(0, pages));
  });
});
