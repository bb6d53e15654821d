import { randomUUID } from 'node:crypto';
import { FORWARDED_OPERATIONS } from '@event-commerce/contracts';
import { apiClient } from '@event-commerce/test-kit';
import { describe, expect, it } from 'vitest';
import { json, keyed, useCountedService } from './counted-service.ts';

const { answerWith, created, database, effects, gateway, newClient } = useCountedService();

describe('a POST with an Idempotency-Key', () => {
  it('takes effect once, and every repeat returns the same status, body and content headers', async () => {
    const client = await newClient((_request, response) =>
      json(response, 201, { data: { number: effects().length } }, { etag: '"7"', location: '/x', 'x-internal': 'y' }),
    );
    const first = await client.post('/v1/coupons', { code: 'A' }, keyed('one'));
    const again = await client.post('/v1/coupons', { code: 'A' }, keyed('one'));
    expect(effects()).toEqual(['POST /coupons']);
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
    const replica = await gateway().replica();
    try {
      const first = await client.post('/coupons', { a: 1 }, keyed('"one"'));
      for (const url of ['/v1/coupons', '/v1/v1/coupons/']) {
        expect((await client.post(url, { a: 1 }, keyed('one'))).body).toEqual(first.body);
      }
      const { key } = await gateway().createKey({ companyId: client.companyId });
      const reply = await fetch(`${replica.url}/coupons`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
        body: '{"a":1}',
      });
      expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(effects()).toHaveLength(1);
    } finally {
      await replica.stop();
    }
  });

  it.each(FORWARDED_OPERATIONS.flatMap(({ url, onRepeat }) => (onRepeat === undefined ? [] : [[url, onRepeat]])))(
    'takes effect once on %s, and the repeat is a %s',
    async (template = '', onRepeat) => {
      const client = await newClient();
      const url = template.replaceAll(/:[A-Za-z]+/g, 'x1');
      const [first, again] = [await client.post(url, {}, keyed('k')), await client.post(url, {}, keyed('k'))];
      expect([first.status, first.body.data.number]).toEqual([201, 1]);
      if (onRepeat === 'replay') expect([again.status, again.body.data.number]).toEqual([201, 1]);
      // The first response has a secret, which is stored nowhere.
      else expect([again.status, again.body.error.code]).toEqual([409, 'ALREADY_EXISTS']);
      expect(effects()).toHaveLength(1);
    },
  );

  it('is the same however its JSON is written: order of members, white space, a byte order mark', async () => {
    const client = await newClient();
    const { key } = await gateway().createKey({ companyId: client.companyId });
    const send = async (path: string, body: string) =>
      await fetch(`${gateway().url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...keyed(`one ${path}`.replaceAll(' ', '-')),
        },
        body,
      });
    const spellings = [
      '{"a":{"b":1,"c":[{"d":2,"e":3}]},"name":"x"}',
      '{"name":"x","a":{"c":[{"e":3,"d":2}],"b":1}}',
      ' { "name" : "\\u0078", "a": {"b":1.0,"c":[{"d":2,"e":3}]}}',
      '\uFEFF{"a":{"b":1,"c":[{"d":2,"e":3}]},"name":"x"}',
    ];
    for (const spelling of spellings) {
      const reply = await send('/v1/coupons', spelling);
      expect([spelling, reply.status, await reply.json()]).toMatchObject([spelling, 201, { data: { number: 1 } }]);
    }
    for (const other of [
      '{"a":{"b":1,"c":[{"e":3},{"d":2}]},"name":"x"}',
      '{"a":{"b":"1","c":[{"d":2,"e":3}]},"name":"x"}',
    ]) {
      expect((await send('/v1/coupons', other)).status).toBe(422);
    }
    const issue = (order: string[]) =>
      `{${order.map((name) => `"${name}":${name === 'name' ? '"n"' : '["events:read"]'}`).join()}}`;
    const made = await send('/v1/admin/keys', issue(['name', 'scopes']));
    const again = await send('/v1/admin/keys', issue(['scopes', 'name']));
    expect([made.status, again.status, ((await again.json()) as any).error.code]).toEqual([201, 409, 'ALREADY_EXISTS']);
  });

  it('is not replayed to a key with other scopes, which might not see what is in it', async () => {
    const client = await newClient((_request, response) => json(response, 201, { data: { code: 'SECRET' } }));
    expect((await client.post('/coupons', { a: 1 }, keyed('one'))).status).toBe(201);
    const { key } = await gateway().createKey({ companyId: client.companyId, scopes: ['coupons:write'] });
    const reply = await apiClient(gateway().url, { authorization: `Bearer ${key}` }).post(
      '/coupons',
      { a: 1 },
      keyed('one'),
    );
    expect([reply.status, reply.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(JSON.stringify(reply.body)).not.toContain('SECRET');
  });

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
    expect(effects()).toHaveLength(1);
  });

  it('is a request of its own for another company', async () => {
    const one = await newClient();
    const other = await gateway().client('*');
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
      expect(effects()).toEqual([]);
    },
  );

  it('is still passed on to the service', async () => {
    const client = await newClient((request, response) =>
      json(response, 201, { data: request.headers['idempotency-key'] }),
    );
    expect((await client.post('/coupons', {}, keyed('"one"'))).body.data).toBe('"one"');
  });

  it('stores a large response, and one without a length', async () => {
    const names = Array.from({ length: 60_000 }, (_, at) => `name ${at} ${effects().length}`);
    const client = await newClient((request, response) => {
      const text = JSON.stringify({ data: [...names, effects().length] });
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
    expect(effects()).toHaveLength(2);
  });

  it('passes on a response that is too large to store, and says so to a repeat', async () => {
    const data = 'x'.repeat(10 * 1024 * 1024);
    const client = await newClient((_request, response) => json(response, 200, { data }));
    expect((await client.post('/coupons', {}, keyed('one'))).body.data).toHaveLength(data.length);
    const again = await client.post('/coupons', {}, keyed('one'));
    expect([again.status, again.body.error.code, effects().length]).toEqual([409, 'ALREADY_EXISTS', 1]);
  });

  it('of 50 at once takes effect once; the others wait their turn', async () => {
    const client = await newClient();
    const release = Promise.withResolvers<void>();
    answerWith((request, response) => void release.promise.then(() => created(request, response)));
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
    expect(effects()).toEqual(['POST /orders']);
  });
});

describe('without its database', () => {
  it('a request with a key is 503 and has no effect; one without a key is served', async () => {
    await newClient();
    const prefix = `gw${randomUUID().slice(0, 8)}`;
    // With a database of its own: other gateways still store responses in the shared one.
    const own = await gateway().replica({ MONGO_DB_PREFIX: prefix });
    const records = database().useDb(`${prefix}_gateway`);
    try {
      const client = await own.client('*');
      await records.collection('idempotency').drop();
      await records.createCollection('idempotency', { validator: { never: true } });
      const reply = await client.post('/coupons', {}, keyed('one'));
      expect([reply.status, reply.body.error.code, effects()]).toEqual([503, 'SERVICE_UNAVAILABLE', []]);
      expect((await client.post('/coupons', {})).status).toBe(201);
    } finally {
      await own.stop();
      await records.dropDatabase();
    }
  });
});
