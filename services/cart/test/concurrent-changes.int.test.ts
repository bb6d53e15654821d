import { RPC } from '@event-commerce/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessionWriter } from '../src/sessions/session-writer.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { item, newSessionId, setItem } from './sessions.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('changes at the same time', () => {
  test('100 on one session, on two replicas, all take effect, with far fewer pricing requests', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    let pricingRequests = 0;
    const spy = services.bus.nats.subscribe(RPC.evaluateCarts.subject, {
      callback: () => {
        pricingRequests += 1;
      },
    });
    await services.bus.nats.flush();
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => setItem(company, id, item(`o${n}`, 1, { price: n }), {}, n % 2)),
    );
    spy.unsubscribe();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await company.cart.get(`/cart/sessions/${id}`);
    expect(body.data.items).toHaveLength(100);
    expect(body.data).toMatchObject({ version: 100, total: 4_950 });
    expect(pricingRequests).toBeGreaterThan(0);
    expect(pricingRequests).toBeLessThan(60);
  });

  test('on ten sessions, each on two replicas, all take effect, although they are priced and written together', async () => {
    const company = services.newCompany();
    const ids = Array.from({ length: 10 }, newSessionId);
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        setItem(company, ids[n % 10] ?? '', item(`o${n}`, 1, { price: n }), {}, Math.floor(n / 10) % 2),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const [n, id] of ids.entries()) {
      const { body } = await company.cart.get(`/cart/sessions/${id}`);
      // The offerings n, n + 10, n + 20, ..., n + 50.
      expect(body.data).toMatchObject({ version: 6, total: 6 * n + 150 });
    }
  });

  test('that are written together succeed or fail individually, and a deleted session with a seat is not recreated', async () => {
    const { companyId } = services.newCompany();
    const sessions = services.models.cart.sessions.collection;
    const write = sessionWriter(sessions as never);
    const over = (name: string, version: number | undefined, more: object = {}) => {
      const _id = `${companyId}/${name}`;
      const fields = { companyId, priced: '{}', version: (version ?? 0) + 1 };
      return {
        _id,
        base: version === undefined ? undefined : { version, ...more },
        update: { $set: fields } as never,
        document: { _id, ...fields } as never,
      };
    };
    expect(await Promise.all(['a', 'b', 'c'].map((name) => write(over(name, undefined))))).toEqual([true, true, true]);
    const outcomes = await Promise.all([
      write(over('d', undefined)),
      write(over('c', 7)),
      write(over('b', 1)),
      write(over('a', undefined)),
      write(over('gone', 1, { tableCommitmentId: 'table' })),
    ]);
    expect(outcomes).toEqual([true, false, true, false, false]);
    const stored = await sessions.find({ companyId } as never).toArray();
    expect(Object.fromEntries(stored.map(({ _id, version }) => [String(_id).split('/')[1], version]))).toEqual({
      a: 1,
      b: 2,
      c: 1,
      d: 1,
    });
  });

  test('on one replica and then another are never decided by an outdated cache of the first', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('a', 1, { price: 100 }), {}, 0);
    await setItem(company, id, item('b', 1, { price: 10 }), {}, 1);
    const held = await setItem(company, id, item('c', 1, { price: 1 }), { 'if-match': '"2"' }, 0);
    expect([held.status, held.body.data.total]).toEqual([200, 111]);
    await company.cart.replica(1).patch(`/cart/sessions/${id}`, { items: [] });
    const other = await setItem(company, id, item('d', 1, { price: { amount: 5, currency: 'USD' } }), {}, 0);
    expect([other.status, other.body.data.currency, other.body.data.version]).toEqual([200, 'USD', 5]);
  });

  test('fail individually if one is impossible', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('a', 1, { price: 100 }));
    const foreign = { price: { amount: 1, currency: 'USD' } };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => setItem(company, id, item(`o${n}`, 1, n % 2 ? foreign : { price: 1 }))),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map((_, n) => (n % 2 ? 400 : 200)));
    expect((await company.cart.get(`/cart/sessions/${id}`)).body.data).toMatchObject({ total: 110, version: 11 });
  });

  test('with the same If-Match let exactly one through', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    const first = await setItem(company, id, item('a', 1, { price: 100 }));
    const headers = { 'if-match': first.headers.get('etag') ?? '' };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => setItem(company, id, item('a', n + 2), headers, n % 2)),
    );
    const refused = replies.filter(({ status }) => status === 409);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(9);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['VERSION_CONFLICT']));
  });

  test.each([
    ['"1"', 200],
    ['1', 200],
    ['*', 200],
    ['"7", "1"', 200],
    ['"2"', 409],
    ['W/"1"', 409],
    ['"x"', 409],
  ])('If-Match: %s on version 1 returns %i', async (ifMatch, status) => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('a', 1, { price: 100 }));
    const reply = await company.cart.patch(`/cart/sessions/${id}`, { coupons: ['A'] }, { 'if-match': ifMatch });
    expect(reply.status).toBe(status);
    if (ifMatch.startsWith('W/')) expect(reply.body.error.message).toMatch(/^A weak tag never matches/);
  });

  test('If-Match on a session that does not exist creates none', async () => {
    const company = services.newCompany();
    const reply = await setItem(company, 'new', item('a', 1), { 'if-match': '*' });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect((await company.cart.get('/cart/sessions/new')).status).toBe(404);
  });
});
