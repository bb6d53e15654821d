import { ATTEMPT_HEADER } from '@event-commerce/contracts';
import { startServiceProcess } from '@event-commerce/test-kit';
import { describe, expect, it } from 'vitest';
import { envOf } from './gateway-fixture.ts';
import { type Answer, error, json, keyed, useCountedService } from './counted-service.ts';

const { age, answerWith, created, effects, gateway, newClient } = useCountedService();

describe('a POST with an Idempotency-Key', () => {
  it('replays a final error', async () => {
    const client = await newClient((_request, response) => json(response, 409, error('ORDER_NUMBER_TAKEN')));
    const first = await client.post('/orders', {}, keyed('one'));
    const again = await client.post('/orders', {}, keyed('one'));
    expect([again.status, again.body, effects().length]).toEqual([409, first.body, 1]);
    expect(again.body).toMatchObject({ ok: false, error: { code: 'ORDER_NUMBER_TAKEN' } });
  });

  it('can be retried after a 409 that says when to retry', async () => {
    const client = await newClient((_request, response) =>
      json(response, 409, error('CART_ALREADY_ORDERED'), { 'retry-after': '1' }),
    );
    const first = await client.post('/orders', {}, keyed('one'));
    expect([first.status, first.headers.get('retry-after')]).toEqual([409, '1']);
    answerWith(created);
    const reply = await client.post('/orders', {}, keyed('one'));
    expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it('is sent again when its connection is lost, marked as a retry', async () => {
    const sentAs: unknown[] = [];
    const client = await newClient((request, response) => {
      sentAs.push(request.headers[ATTEMPT_HEADER]);
      if (sentAs.length === 1) request.socket.destroy();
      else created(request, response);
    });
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(201);
    expect(sentAs).toEqual([expect.not.stringMatching(/ again$/), `${String(sentAs[0])} again`]);
  });

  it('is still marked as a retry after a retry was refused', async () => {
    const sentAs: unknown[] = [];
    const client = await newClient((request) => request.socket.destroy());
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(502);
    answerWith((request, response) => {
      sentAs.push(request.headers[ATTEMPT_HEADER]);
      json(response, 429, error('RATE_LIMITED'));
    });
    for (let retry = 0; retry < 2; retry++) expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(429);
    expect(sentAs).toEqual([sentAs[0], sentAs[0]]);
    expect(sentAs[0]).toMatch(/ again$/);
  });

  it('can be retried when the service did not respond, or its response was cut off', async () => {
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
      answerWith(failure);
      const failed = client.post('/coupons', {}, keyed(`key-${at}`)).then(
        ({ status }) => status,
        () => 'cut' as const,
      );
      expect(await failed).toBe(expected);
      answerWith(created);
      await expect.poll(async () => (await client.post('/coupons', {}, keyed(`key-${at}`))).status).toBe(201);
    }
  });

  it.each([
    ['with a body', '{}'],
    ['without a body', undefined],
  ])('%s whose client disconnected is finished, and gets its response when it is sent again', async (_kind, body) => {
    const client = await newClient();
    const asked = Promise.withResolvers<() => void>();
    answerWith((request, response) => asked.resolve(() => created(request, response)));
    const { key } = await gateway().createKey({ companyId: client.companyId });
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
      ...(body === undefined ? {} : { body }),
    };
    const leaving = new AbortController();
    const left = fetch(`${gateway().url}/coupons`, { ...request, signal: leaving.signal });
    const finish = await asked.promise;
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    expect((await fetch(`${gateway().url}/coupons`, request)).status).toBe(409);
    finish();
    await expect.poll(async () => (await fetch(`${gateway().url}/coupons`, request)).status).toBe(201);
    expect(effects()).toHaveLength(1);
  });
});

describe('a gateway that is killed while a request runs', () => {
  it('blocks the key until its lock lapses; then one of the retries executes', async () => {
    const client = await newClient();
    const asked = Promise.withResolvers<void>();
    answerWith(() => asked.resolve());
    const { key } = await gateway().createKey({ companyId: client.companyId });
    const own = await startServiceProcess('gateway', envOf(gateway().config));
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

    answerWith(created);
    const blocked = await client.post('/coupons', {}, keyed('one'));
    expect([blocked.status, blocked.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    await age(client.companyId, gateway().config.UPSTREAM_TIMEOUT_MS + 7_000);
    expect((await client.post('/coupons', { other: true }, keyed('one'))).status).toBe(422);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.post('/coupons', {}, keyed('one'))));
    expect(new Set(replies.map(({ status }) => status)).difference(new Set([201, 409]))).toEqual(new Set());
    expect(effects()).toHaveLength(2);
    expect((await client.post('/coupons', {}, keyed('one'))).body.data.number).toBe(2);
  });
});

describe('the attempts of one request', () => {
  /** What the service gets for each attempt: the id to use, and whether an earlier attempt may have created it. */
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
    answerWith(telling(created));
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(201);
    expect(attempts[0]).toMatch(/^[0-9a-z]{26}$/);
    expect(new Set(attempts.slice(1))).toEqual(new Set([`${attempts[0]} again`]));
  });

  it('create another record after an error, for another body and under another key', async () => {
    const client = await newClient(telling((_request, response) => json(response, 400, error('VALIDATION_FAILED'))));
    attempts.length = 0;
    await client.post('/coupons', {}, keyed('one'));
    await client.post('/coupons', {}, keyed('one'));
    answerWith(telling(created));
    await client.post('/coupons', { other: true }, keyed('one'));
    await client.post('/coupons', {}, keyed('two'));
    expect(new Set(attempts).size).toBe(4);
    expect(attempts.filter((attempt) => attempt.endsWith('again'))).toEqual([]);
  });

  it('cannot be forged by a caller', async () => {
    const client = await newClient(telling(created));
    attempts.length = 0;
    await client.post('/coupons', {}, { 'x-platform-attempt': '01h0000000000000000000000a again' });
    expect(attempts).toEqual(['undefined']);
  });
});
