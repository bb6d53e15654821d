import { ATTEMPT_HEADER } from '@event-commerce/contracts';
import { describe, expect, it } from 'vitest';
import { type Answer, error, json, keyed, useCountedService } from './counted-service.ts';

const { answerWith, created, effects, gateway, newClient } = useCountedService();

describe('an Idempotency-Key', () => {
  it.each([
    [400, 'VALIDATION_FAILED'],
    [403, 'FORBIDDEN'],
    [404, 'COUPON_NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [429, 'RATE_LIMITED'],
  ])('frees the key after %i, also for another request', async (status, code) => {
    const client = await newClient((_request, response) => json(response, status, error(code)));
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(status);
    answerWith(created);
    const reply = await client.post('/coupons', { mended: true }, keyed('one'));
    expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it.each([
    [500, (_request, response) => json(response, 500, error('INTERNAL_ERROR'))],
    [503, (_request, response) => json(response, 503, error('SERVICE_UNAVAILABLE'))],
    [502, (request) => request.socket.destroy()],
  ] as [number, Answer][])(
    'after %i stays with its request, which may have taken effect: another request is 422',
    async (status, fail) => {
      const client = await newClient(fail);
      expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(status);
      const sentAs: unknown[] = [];
      answerWith((request, response) => {
        sentAs.push(request.headers[ATTEMPT_HEADER]);
        created(request, response);
      });
      const other = await client.post('/coupons', { other: true }, keyed('one'));
      expect([other.status, other.body.error.code, sentAs]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED', []]);
      expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(201);
      expect(sentAs).toEqual([expect.stringMatching(/ again$/)]);
    },
  );

  it('is free for another request after 429 because the company had too many in flight', async () => {
    const client = await newClient(() => {});
    const own = await gateway().replica({ UPSTREAM_IN_FLIGHT_MAX: 2, UPSTREAM_TIMEOUT_MS: 4_000 });
    try {
      const { key } = await own.createKey({ companyId: client.companyId });
      const ask = async (target: string, init: RequestInit) =>
        fetch(`${own.url}${target}`, { ...init, headers: { authorization: `Bearer ${key}`, ...keyed('one') } });
      const leaving = new AbortController();
      const inTheOnlySlot = ask('/coupons/cpn_1', { signal: leaving.signal });
      await expect.poll(effects).toHaveLength(1);
      expect((await ask('/coupons', { method: 'POST' })).status).toBe(429);
      expect(effects()).toHaveLength(1);
      leaving.abort();
      await Promise.allSettled([inTheOnlySlot]);
      answerWith(created);
      expect((await client.post('/coupons', { other: true }, keyed('one'))).status).toBe(201);
    } finally {
      await own.stop();
    }
  });

  it('is free again if its request was refused before it reached a service', async () => {
    const client = await newClient();
    const reader = await gateway().createKey({ companyId: client.companyId, scopes: ['coupons:read'] });
    const forbidden = await fetch(`${gateway().url}/coupons`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader.key}`, ...keyed('one') },
    });
    const large = await client.post('/coupons', 'x'.repeat(1024 * 1024 + 1), keyed('one'));
    expect([forbidden.status, large.status, effects()]).toEqual([403, 413, []]);
    expect((await client.post('/coupons', {}, keyed('one'))).status).toBe(201);
  });
});
