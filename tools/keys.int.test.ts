import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { apiClient, newCompanyId } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT_KEY, startEchoingGateway, type TestGateway } from '../gateway/test/gateway-fixture.ts';

const KEYS = path.join(import.meta.dirname, 'keys.ts');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway();
});
afterAll(async () => gateway?.stop());

interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Runs the command like `npm run keys -- ...args`; `env` adds to the gateway's address and the operator's key. */
async function keys(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [KEYS, ...args],
      { env: { PATH, NODE_COMPILE_CACHE, BASE_URL: gateway.url, ROOT_API_KEY: ROOT_KEY, ...env } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

async function json(...args: string[]): Promise<any> {
  const { code, out, err } = await keys([...args, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

const as = (key: string) => apiClient(gateway.url, { authorization: `Bearer ${key}` });
const works = async (key: string) => (await as(key).get('/v1/coupons')).status === 200;

describe('npm run keys', () => {
  test('issues a key, rotates it with an overlap and revokes it', async () => {
    const company = newCompanyId();
    const limit = ['--per-second', '5', '--burst', '50'];
    const scopes = ['--scopes', 'coupons:read, orders:write', '--scopes', 'events:read'];
    const old = await json('issue', '--company', company, '--name', 'web shop', ...scopes, ...limit);
    expect(old).toMatchObject({
      companyId: company,
      name: 'web shop',
      scopes: ['coupons:read', 'orders:write', 'events:read'],
      rateLimit: { perSecond: 5, burst: 50 },
      status: 'active',
    });
    expect(await works(old.key)).toBe(true);

    const next = await json('rotate', old.id, '--overlap', '5s');
    expect(next).toMatchObject({ companyId: company, scopes: old.scopes, rateLimit: old.rateLimit });
    expect([await works(old.key), await works(next.key)]).toEqual([true, true]);
    await vi.waitFor(async () => expect(await works(old.key)).toBe(false), { timeout: 10_000, interval: 100 });
    expect(await works(next.key)).toBe(true);

    expect(await json('show', old.id)).toMatchObject({ status: 'expired', rotatedTo: next.id });
    expect(await json('revoke', next.id)).toMatchObject({ id: next.id, status: 'revoked' });
    expect(await works(next.key)).toBe(false);
    const listed = await json('list', '--company', company);
    expect(listed.map(({ id, status }: Record<string, string>) => [id, status])).toEqual([
      [next.id, 'revoked'],
      [old.id, 'expired'],
    ]);
    expect(JSON.stringify(listed)).not.toContain(old.key);
  });

  test('revokes with a key all that it issued or rotated, and what those issued, but no other', async () => {
    const company = newCompanyId();
    const options = ['--company', company, '--name', 'n', '--scopes', '*'];
    const [leaked, other] = [await json('issue', ...options), await json('issue', ...options)];
    const body = { name: 'thief', scopes: ['*'] };
    const issued = (await as(leaked.key).post('/v1/admin/keys', body)).body.data;
    const rotated = (await as(issued.key).post(`/v1/admin/keys/${issued.id}/rotate`, { overlapSeconds: 60 })).body.data;
    const own = (await as(other.key).post('/v1/admin/keys', body)).body.data;

    const revoked = await json('revoke', leaked.id, '--issued');
    expect(revoked.map(({ id, status }: Record<string, string>) => [id, status])).toEqual(
      [leaked, issued, rotated].map(({ id }) => [id, 'revoked']),
    );
    const keysThatWork = await Promise.all([leaked, issued, rotated, other, own].map(async ({ key }) => works(key)));
    expect(keysThatWork).toEqual([false, false, false, true, true]);
  });

  test('revokes all that a key issued at a low rate limit, and spends none of it on keys that have ended', async () => {
    const slow = await gateway.replica({
      REDIS_KEY_PREFIX: `keys-test:${randomUUID()}`,
      RATE_LIMIT_PER_SECOND: 5,
      RATE_LIMIT_BURST: 5,
    });
    try {
      const leaked = await gateway.createKey();
      const issue = async (by: { key: string }, more = {}) =>
        (await as(by.key).post('/v1/admin/keys', { name: 'thief', scopes: ['*'], ...more })).body.data;
      const short = await issue(leaked, { expiresAt: new Date(Date.now() + 5_000).toISOString() });
      const replaced = await issue(leaked);
      const lasting = await issue(replaced);
      const next = (await as(replaced.key).post(`/v1/admin/keys/${replaced.id}/rotate`)).body.data;
      const more = await Promise.all(Array.from({ length: 6 }, async () => issue(lasting)));
      const statusOf = async ({ id }: { id: string }) => (await gateway.root.get(`/admin/keys/${id}`)).body.data.status;
      await expect.poll(() => statusOf(short), { timeout: 10_000 }).toBe('expired');

      const { code, out, err } = await keys(['revoke', leaked.id, '--issued', '--json'], { BASE_URL: slow.url });
      expect([code, err]).toEqual([0, '']);
      const ids = (records: { id: string }[]) => records.map(({ id }) => id).toSorted();
      expect(ids(JSON.parse(out))).toEqual(ids([leaked, replaced, lasting, next, ...more]));
      const listed = await json('list', '--company', leaked.companyId);
      const left = listed.filter(({ status }: { status: string }) => status !== 'revoked');
      expect(ids(left)).toEqual([short.id]);
    } finally {
      await slow.stop();
    }
  });

  test('prints what it did, and the key once', async () => {
    const company = newCompanyId();
    const issued = await keys(['issue', '--company', company, '--name', 'till', '--scopes', '*']);
    expect(issued.out).toMatch(/^key {10}\S*eck_test_\w+\S* {2}\(shown only now\)$/m);
    expect(issued.out).toMatch(new RegExp(`^company {6}${company}$`, 'm'));
    const listed = await keys(['list', '--company', company]);
    expect(listed.out.split('\n')[0]).toMatch(/ID +COMPANY +ENVIRONMENT +NAME +STATUS/);
    expect(listed.out).toContain('till');
    expect(listed.out).not.toContain('eck_test_');
    expect((await keys(['list', '--company', newCompanyId()])).out).toBe('There are no keys.\n');
  });

  test('issues keys of either environment, and lists them separately', async () => {
    const company = newCompanyId();
    const issue = (environment: string) =>
      json('issue', '--company', company, '--name', environment, '--scopes', '*', '--environment', environment);
    const [live, testing] = [await issue('live'), await issue('test')];
    expect([live.key.slice(0, 9), testing.key.slice(0, 9)]).toEqual(['eck_live_', 'eck_test_']);
    const idsOf = async (environment: string) =>
      (await json('list', '--company', company, '--environment', environment)).map(({ id }: { id: string }) => id);
    expect([await idsOf('live'), await idsOf('test')]).toEqual([[live.id], [testing.id]]);
  });

  test('lists as many as requested, over several pages', async () => {
    const company = newCompanyId();
    for (let count = 0; count < 3; count++) await gateway.createKey({ companyId: company });
    expect(await json('list', '--company', company, '--limit', '2')).toHaveLength(2);
  });

  test.each([
    [['issue', '--name', 'x'], '--scopes'],
    [['issue', '--name', 'x', '--scopes', '*', '--burst', '5'], '--per-second'],
    [['issue', '--name', 'x', '--scopes', '*', '--burst', '0', '--per-second', '1'], '--burst'],
    [['rotate', 'key_1', '--overlap', '5 minutes'], '--overlap'],
    [['show'], 'one key id'],
    [['list', 'acme'], 'options only'],
    [['steal'], 'steal'],
    [['list', '--force'], '--force'],
    [[], 'Say what to do'],
  ])('%j prints what is wrong and the usage', async (args, hint) => {
    const { code, out, err } = await keys(args);
    expect([code, out]).toEqual([2, '']);
    expect(err.split('\n')[0]).toContain(hint);
    expect(err).toContain('Usage: npm run keys -- COMMAND');
  });

  test('says what the gateway refused, and what to do when no gateway responds', async () => {
    const unknown = await keys(['show', 'key_unknown']);
    expect([unknown.code, unknown.out]).toEqual([1, '']);
    expect(unknown.err).toMatch(/404 API_KEY_NOT_FOUND: .*\(request req_/);
    const invalid = await keys(['issue', '--company', 'acme', '--name', 'x', '--scopes', 'coupons:all']);
    expect(invalid.err).toContain('VALIDATION_FAILED');
    const wrongKey = await keys(['list'], { ROOT_API_KEY: 'wrong' });
    expect([wrongKey.code, wrongKey.err]).toEqual([1, expect.stringContaining('ROOT_API_KEY')]);
    const nobody = await keys(['list'], { BASE_URL: 'http://127.0.0.1:9' });
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('npm start')]);
  });

  test('explains itself', async () => {
    const { code, out } = await keys(['--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('rotate')]);
  });
});
