import { FORWARDED_OPERATIONS } from '@event-commerce/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { type ApiClient, newCompanyId, startServiceProcess } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envOf, startRawService, startTestGateway, type TestGateway } from './gateway-fixture.ts';

type Answer = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;

let service: Awaited<ReturnType<typeof startRawService>>;
let gateway: TestGateway;
let database: mongoose.Connection;
/** The service's next responses, and the requests it got: what a test counts as effects. */
let answer: Answer;
let effects: string[] = [];

const created: Answer = (request, response) =>
  json(response, 201, { data: { number: effects.length, body: request.body } });

beforeAll(async () => {
  service = await startRawService((request, response) => {
    if (request.url === '/healthz') {
      response.writeHead(200).end();
      return;
    }
    void Array.fromAsync(request).then((pieces) => {
      effects.push(`${request.method} ${request.url}`);
      answer(Object.assign(request, { body: Buffer.concat(pieces).toString() }), response);
    });
  });
  gateway = await startTestGateway(service.url);
  database = await mongoose
    .createConnection(gateway.config.MONGO_URL, { dbName: `${gateway.config.MONGO_DB_PREFIX}_gateway` })
    .asPromise();
});
afterAll(async () => {
  await database?.close();
  await gateway?.stop();
  await service?.stop();
});

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(text);
}

const error = (code: string) => ({ message: 'no', error: { code, message: 'no' } });

/** A company's client, with a service whose count starts at zero. */
async function newClient(behave: Answer = created): Promise<ApiClient & { companyId: string }> {
  const client = await gateway.client('*');
  effects = [];
  answer = behave;
  return client;
}

const keyed = (key: string) => ({ 'idempotency-key': key });

/** Makes the company's records look as if their requests had begun `ms` earlier. */
async function age(companyId: string, ms: number): Promise<void> {
  const records = database.collection<{ _id: string; startedAt: Date }>('idempotency');
  for (const { _id, startedAt } of await records.find().toArray()) {
    if (!_id.includes(`${companyId}:`)) continue;
    await records.updateOne({ _id }, { $set: { startedAt: new Date(startedAt.getTime() - ms) } });
  }
}

const A_DAY_MS = 24 * 60 * 60 * 1000;

describe('a POST with an Idempotency-Key', () => {
  it('takes effect once, and every repeat returns the same status, body and content headers', async () => {
    const client = await newClient((_request, response) =>
      json(response, 201, { data: { number: effects.length } }, { etag: '"7"', location: '/x', 'x-internal': 'y' }),
    );
    const first = await client.post('/v1/coupons', { code: 'A' }, keyed('one'));
    const again = await client.post('/v1/coupons', { code: 'A' }, keyed('one'));
    expect(effects).toEqual(['POST /coupons']);
    expect([again.status, again.body]).toEqual([201, first.body]);
    for (const name of ['content-type', 'content-length', 'etag', 'location']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(again.headers.get('ratelimit')).toMatch(/^"default"/);
  });

  it('is the same with quotes, under every spelling of the path, and on every replica', async () => {
    const client = await newClient();
    const replica = await gateway.replica();
    try {
      const first = await client.post('/coupons', { a: 1 }, keyed('"one"'));
      for (const url of ['/v1/coupons', '/v1/v1/coupons/']) {
        expect((await client.post(url, { a: 1 }, keyed('one'))).body).toEqual(first.body);
      }
      const { key } = await gateway.createKey({ companyId: client.companyId });
      const reply = await fetch(`${replica.url}/coupons`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
        body: '{"a":1}',
      });
      expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(effects).toHaveLength(1);
    } finally {
      await replica.stop();
    }
  });

  it.each(FORWARDED_OPERATIONS.filter(({ onRepeat }) => onRepeat !== undefined).map(({ url }) => url))(
    'takes effect once on %s',
    async (template) => {
      const client = await newClient();
      const url = template.replaceAll(/:[A-Za-z]+/g, 'x1');
      const replies = [await client.post(url, {}, keyed('k')), await client.post(url, {}, keyed('k'))];
      expect(replies.map(({ status, body }) => [status, body.data.number])).toEqual([
        [201, 1],
        [201, 1],
      ]);
    },
  );

  it('with another body, path or query is 422 and has no effect', async () => {
    const client = await newClient();
    await client.post('/coupons', { a: 1 }, keyed('one'));
    for (const [url, body] of [
      ['/coupons', { a: 2 }],
      ['/coupons', undefined],
      ['/orders', { a: 1 }],
      ['/coupons?a=1', { a: 1 }],
    ] as const) {
      const reply = await client.post(url, body, keyed('one'));
      expect([url, reply.status, reply.body.error.code]).toEqual([url, 422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(effects).toHaveLength(1);
  });

  it('is a request of its own for another company', async () => {
    const one = await newClient();
    const other = await gateway.client('*');
    await one.post('/coupons', {}, keyed('one'));
    expect((await other.post('/coupons', {}, keyed('one'))).body.data.number).toBe(2);
  });

  it.each(['', 'a b', 'a, b', 'x'.repeat(256), 'ä', '"a'])(
    '%j is 400, names the header and has no effect',
    async (key) => {
      const client = await newClient();
      const reply = await client.post('/coupons', {}, keyed(key));
      expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(reply.body.message).toContain('Idempotency-Key');
      expect(effects).toEqual([]);
    },
  );

  it('is still passed on to the service', async () => {
    const client = await newClient((request, response) =>
      json(response, 201, { data: request.headers['idempotency-key'] }),
    );
    expect((await client.post('/coupons', {}, keyed('"one"'))).body.data).toBe('"one"');
  });

  it('stores a large response, and one without a length', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => `name ${at} ${effects.length}`);
    const client = await newClient((request, response) => {
      const text = JSON.stringify({ data: [...names, effects.length] });
      response.setHeader('content-type', 'application/json');
      if (request.url === '/coupons') response.setHeader('content-length', Buffer.byteLength(text));
      response.end(text);
    });
    for (const url of ['/coupons', '/events']) {
      const first = await client.post(url, {}, keyed(url));
      const again = await client.post(url, {}, keyed(url));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    }
    expect(effects).toHaveLength(2);
  });

  it('passes on a response that is too large to store, and says so to a repeat', async () => {
    const data = 'x'.repeat(10 * 1024 * 1024);
    const client = await newClient((_request, response) => json(response, 200, { data }));
    expect((await client.post('/coupons', {}, keyed('one'))).body.data).toHaveLength(data.length);
    const again = await client.post('/coupons', {}, keyed('one'));
    expect([again.status, again.body.error.code, effects.length]).toEqual([409, 'ALREADY_EXISTS', 1]);
  });

  it('of 50 at once takes effect once; the others wait their turn', async () => {
    const client = await newClient();
    const release = Promise.withResolvers<void>();
    answer = (request, response) => void release.promise.then(() => created(request, response));
    const began = Promise.withResolvers<void>();
    const replies = Array.from({ length: 50 }, async () => {
      for (let attempt = 0; ; attempt++) {
        const reply = await client.post('/orders', { a: 1 }, keyed('one'));
        if (reply.status !== 409) return reply;
        expect(reply.body.error.code).toBe('IDEMPOTENCY_KEY_IN_USE');
        expect(reply.headers.get('retry-after')).toBe('1');
        began.resolve();
      }
    });
    await began.promise;
    release.resolve();
    const bodies = new Set((await Promise.all(replies)).map(({ status, body }) => `${status} ${JSON.stringify(body)}`));
    expect(bodies.size).toBe(1);
    expect(effects).toEqual(['POST /orders']);
  });

  it('replays a final error', async () => {
    const client = await newClient((_request, response) => json(response, 409, error('ORDER_NUMBER_TAKEN')));
    const first = await client.post('/orders', {}, keyed('one'));
    const again = await client.post('/orders', {}, keyed('one'));
    expect([again.status, again.body, effects.length]).toEqual([409, first.body, 1]);
    expect(again.body).toMatchObject({ ok: false, error: { code: 'ORDER_NUMBER_TAKEN' } });
  });

  it.each([
    [400, 'VALIDATION_FAILED'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'COUPON_NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('frees the key after %i, also for another request', async (status, code) => {
    const client = await newClient((_request, response) => json(response, status, error(code)));
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(status);
    answer = created;
    const reply = await client.post('/coupons', { mended: true }, keyed('one'));
    expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it('frees the key when it was refused before it reached a service', async () => {
    const client = await newClient();
    const reader = await gateway.createKey({ companyId: client.companyId, scopes: ['coupons:read'] });
    const forbidden = await fetch(`${gateway.url}/coupons`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader.key}`, ...keyed('one') },
    });
    const large = await client.post('/coupons', 'x'.repeat(1024 * 1024 + 1), keyed('one'));
    expect([forbidden.status, large.status, effects]).toEqual([403, 413, []]);
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(201);
  });

  it('can be retried again when the service did not respond, or its response was cut off', async () => {
    const client = await newClient();
    const failures: [number | 'cut', Answer][] = [
      [504, () => {}],
      [502, (request) => request.socket.destroy()],
      [
        'cut',
        (_request, response) => {
          response.writeHead(201, { 'content-type': 'application/json', 'content-length': 1_000 });
          response.write('{"data":"', () => setImmediate(() => response.destroy()));
        },
      ],
      [
        502,
        (_request, response) => {
          response.writeHead(201, { 'content-type': 'application/json' });
          response.write(`{"data":"${'x'.repeat(300_000)}`, () => setImmediate(() => response.destroy()));
        },
      ],
    ];
    for (const [at, [expected, failure]] of failures.entries()) {
      answer = failure;
      const failed = client.post('/coupons', {}, keyed(`key-${at}`)).then(
        ({ status }) => status,
        () => 'cut' as const,
      );
      expect(await failed).toBe(expected);
      answer = created;
      await expect.poll(async () => (await client.post('/coupons', {}, keyed(`key-${at}`))).status).toBe(201);
    }
  });

  it.each([
    ['with a body', '{}'],
    ['without a body', undefined],
  ])('%s whose client disconnected is finished, and gets its response when it is sent again', async (_kind, body) => {
    const client = await newClient();
    const asked = Promise.withResolvers<() => void>();
    answer = (request, response) => asked.resolve(() => created(request, response));
    const { key } = await gateway.createKey({ companyId: client.companyId });
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
      ...(body === undefined ? {} : { body }),
    };
    const leaving = new AbortController();
    const left = fetch(`${gateway.url}/coupons`, { ...request, signal: leaving.signal });
    const finish = await asked.promise;
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    expect((await fetch(`${gateway.url}/coupons`, request)).status).toBe(409);
    finish();
    await expect.poll(async () => (await fetch(`${gateway.url}/coupons`, request)).status).toBe(201);
    expect(effects).toHaveLength(1);
  });
});

describe('a stored response', () => {
  it('does not reveal the response or the request to somebody who reads the database', async () => {
    const client = await newClient();
    const body = { order: { customer: { email: 'ada@example.com', firstName: 'Ada' } } };
    const first = await client.post('/orders', body, keyed('till-7'));
    expect(JSON.stringify(first.body)).toContain('ada@example.com');
    const records = await database
      .collection('idempotency')
      .find({ _id: { $regex: client.companyId } as never })
      .toArray();
    expect(records).toHaveLength(1);
    const stored = Buffer.from(mongoose.mongo.BSON.serialize(records[0] ?? {})).toString('latin1');
    expect(stored).not.toMatch(/ada@example|Ada|till-7/);
    expect((await client.post('/orders', body, keyed('till-7'))).body).toEqual(first.body);
    expect(effects).toHaveLength(1);
  });

  it('is replayed even if an earlier release stored it', async () => {
    const client = await newClient();
    const first = await client.post('/orders', { order: 1 }, keyed('old'));
    const plain = new mongoose.mongo.Binary(Buffer.from('{"ok":true,"data":"as it was"}'));
    const ofCompany = { _id: { $regex: client.companyId } as never };
    const asBefore = { $set: { 'answer.body': plain }, $unset: { 'answer.sealed': '' } };
    await database.collection('idempotency').updateOne(ofCompany, asBefore);
    const again = await client.post('/orders', { order: 1 }, keyed('old'));
    expect([again.status, again.body]).toEqual([first.status, { ok: true, data: 'as it was' }]);
  });

  it('outlives the gateway', async () => {
    const client = await newClient();
    const { key } = await gateway.createKey({ companyId: client.companyId });
    const own = await startServiceProcess(path.join(import.meta.dirname, '../src/main.ts'), envOf(gateway.config));
    try {
      const post = async () =>
        fetch(`${own.url}/v1/coupons`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
          body: '{"a":1}',
        });
      const first = await (await post()).json();
      await own.restart();
      const again = await post();
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(await again.json()).toEqual(first);
      expect(effects).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });

  it('is stored for exactly a day', async () => {
    const client = await newClient();
    await client.post('/coupons', {}, keyed('one'));
    await age(client.companyId, A_DAY_MS - 10_000);
    expect((await client.post('/coupons', {}, keyed('one'))).body.data.number).toBe(1);
    await age(client.companyId, 10_000);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/coupons', { new: true }, keyed('one'))),
    );
    expect(replies.filter(({ headers, status }) => status === 201 && !headers.has('idempotent-replayed'))).toHaveLength(
      1,
    );
    expect(effects).toHaveLength(2);
  });
});

describe('a gateway that is killed while a request runs', () => {
  it('blocks the key until its lock lapses; then one of the retries, sent again, executes', async () => {
    const client = await newClient();
    const asked = Promise.withResolvers<void>();
    answer = () => asked.resolve();
    const { key } = await gateway.createKey({ companyId: client.companyId });
    const own = await startServiceProcess(path.join(import.meta.dirname, '../src/main.ts'), envOf(gateway.config));
    try {
      const killed = fetch(`${own.url}/v1/coupons`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
        body: '{}',
      }).then(
        () => 'answered',
        () => 'cut off',
      );
      await asked.promise;
      await own.kill9();
      expect(await killed).toBe('cut off');
    } finally {
      await own.stop();
    }

    answer = created;
    const blocked = await client.post('/coupons', {}, keyed('one'));
    expect([blocked.status, blocked.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    await age(client.companyId, gateway.config.UPSTREAM_TIMEOUT_MS + 7_000);
    expect((await client.post('/coupons', { other: true }, keyed('one'))).status).toBe(422);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.post('/coupons', {}, keyed('one'))));
    expect(new Set(replies.map(({ status }) => status)).difference(new Set([201, 409]))).toEqual(new Set());
    expect(effects).toHaveLength(2);
    expect((await client.post('/coupons', {}, keyed('one'))).body.data.number).toBe(2);
  });
});

describe('the attempts of one request', () => {
  /** What the service is told about each attempt: the id to use, and whether an earlier attempt may have created it. */
  const attempts: string[] = [];
  const telling =
    (behave: Answer): Answer =>
    (request, response) => {
      attempts.push(String(request.headers['x-platform-attempt']));
      behave(request, response);
    };

  it.each([
    ['an error of the service', (_request, response) => json(response, 500, error('INTERNAL_ERROR'))],
    ['a response that never arrives', () => {}],
    ['a connection that is cut', (request) => void request.socket.destroy()],
  ] as [string, Answer][])('create the same record after %s', async (_what, fail) => {
    const client = await newClient(telling(fail));
    attempts.length = 0;
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBeGreaterThanOrEqual(500);
    answer = telling(created);
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(201);
    expect(attempts).toEqual([expect.stringMatching(/^[0-9a-z]{26}$/), `${attempts[0]} again`]);
  });

  it('create another record after an error, for another body and under another key', async () => {
    const client = await newClient(telling((_request, response) => json(response, 400, error('VALIDATION_FAILED'))));
    attempts.length = 0;
    await client.post('/coupons', {}, keyed('one'));
    answer = telling((_request, response) => json(response, 500, error('INTERNAL_ERROR')));
    await client.post('/coupons', {}, keyed('one'));
    answer = telling(created);
    await client.post('/coupons', { other: true }, keyed('one'));
    await client.post('/coupons', {}, keyed('two'));
    expect(new Set(attempts).size).toBe(4);
    expect(attempts.filter((attempt) => attempt.endsWith('again'))).toEqual([]);
  });

  it('cannot be invented by a caller', async () => {
    const client = await newClient(telling(created));
    attempts.length = 0;
    await client.post('/coupons', {}, { 'x-platform-attempt': '01h0000000000000000000000a again' });
    expect(attempts).toEqual(['undefined']);
  });
});

describe('key administration with an Idempotency-Key', () => {
  it('creates one key when the response was cut off, and shows it to the next attempt', async () => {
    const companyId = newCompanyId();
    const body = { companyId, name: 'till', scopes: ['keys:admin'] };
    const idempotencyKey = keyed(`cut-${companyId}`);
    const cutOff = async () => {
      // As a gateway leaves its record if it is killed before it stores the response.
      const startedAt = new Date(Date.now() - gateway.config.UPSTREAM_TIMEOUT_MS - 60_000);
      await database.collection('idempotency').updateMany({}, { $unset: { answer: '' }, $set: { startedAt } });
    };
    const make = async () => (await gateway.root.post('/admin/keys', body, idempotencyKey)).body.data;
    const lost = await make();
    await cutOff();
    const made = await make();
    expect([made.id, made.key === lost.key]).toEqual([lost.id, false]);
    expect((await gateway.root.get(`/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(1);

    const second = (await gateway.root.post('/admin/keys', { ...body, name: 'till 2' })).body.data;
    const renew = async () =>
      (await gateway.root.post(`/admin/keys/${second.id}/rotate`, {}, keyed(`rotate-${companyId}`))).body.data;
    const unseen = await renew();
    await cutOff();
    const seen = await renew();
    expect([seen.id, seen.key === unseen.key]).toEqual([unseen.id, false]);
    expect((await gateway.root.get(`/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(3);
  });

  it('creates one key, and tells a repeat so without showing the key again', async () => {
    const companyId = newCompanyId();
    const body = { companyId, name: 'till', scopes: ['orders:write'] };
    const idempotencyKey = keyed(`create-${companyId}`);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => gateway.root.post('/v1/admin/keys', body, idempotencyKey)),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const again = await gateway.root.post('/v1/admin/keys', body, idempotencyKey);
    expect([again.status, again.body.error.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect((await gateway.root.get(`/v1/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(1);

    const secret = made[0]?.body.data.key.split('_').at(-1) as string;
    const records = await database.collection('idempotency').find().toArray();
    expect(records.some((record) => Buffer.from(mongoose.mongo.BSON.serialize(record)).includes(secret))).toBe(false);
  });

  it('replays a revocation', async () => {
    const { id } = await gateway.createKey();
    const first = await gateway.root.post(`/admin/keys/${id}/revoke`, {}, keyed(`revoke-${id}`));
    const again = await gateway.root.post(`/admin/keys/${id}/revoke`, {}, keyed(`revoke-${id}`));
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  });

  it.each([{}, { overlapSeconds: null }])(
    'replays an error, whatever defaults the handler added to %j',
    async (body) => {
      const { id } = await gateway.createKey();
      await gateway.root.post(`/admin/keys/${id}/revoke`);
      const first = await gateway.root.post(`/admin/keys/${id}/rotate`, body, keyed(`rotate-${id}`));
      const again = await gateway.root.post(`/admin/keys/${id}/rotate`, body, keyed(`rotate-${id}`));
      expect([first.status, first.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    },
  );

  it("keeps the operator's keys apart from a company's", async () => {
    const admin = await gateway.client('keys:admin');
    const body = { companyId: admin.companyId, name: 'n', scopes: ['keys:admin'] };
    const key = keyed(`shared-${admin.companyId}`);
    expect((await gateway.root.post('/admin/keys', body, key)).status).toBe(201);
    expect((await admin.post('/admin/keys', body, key)).status).toBe(201);
  });
});

describe('without its database', () => {
  it('a request with a key is 503 and has no effect; one without a key is served', async () => {
    const client = await newClient();
    await database.collection('idempotency').rename('idempotency_away');
    await database.createCollection('idempotency', { validator: { never: true } });
    try {
      const reply = await client.post('/coupons', {}, keyed('one'));
      expect([reply.status, reply.body.error.code, effects]).toEqual([503, 'SERVICE_UNAVAILABLE', []]);
      expect((await client.post('/coupons', {})).status).toBe(201);
    } finally {
      await database.collection('idempotency').drop();
      await database.collection('idempotency_away').rename('idempotency');
    }
  });
});
