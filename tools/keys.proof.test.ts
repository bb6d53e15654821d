import { randomUUID } from 'node:crypto';
import { newCompanyId } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { useKeys } from './run-keys.ts';

const { keys, json, as, gateway } = useKeys();

describe('npm run keys', () => {
  test('revokes all keys that a key issued within a low rate limit, and sends no requests for keys that have ended', async () => {
    const slow = await gateway().replica({
      REDIS_KEY_PREFIX: `keys-test:${randomUUID()}`,
      RATE_LIMIT_PER_SECOND: 5,
      RATE_LIMIT_BURST: 5,
    });
    try {
      const leaked = await gateway().createKey();
      const issue = async (by: { key: string }, more = {}) =>
        (await as(by.key).post('/v1/admin/keys', { name: 'thief', scopes: ['*'], ...more })).body.data;
      const short = await issue(leaked, { expiresAt: new Date(Date.now() + 5_000).toISOString() });
      const replaced = await issue(leaked);
      const lasting = await issue(replaced);
      const next = (await as(replaced.key).post(`/v1/admin/keys/${replaced.id}/rotate`)).body.data;
      const more = await Promise.all(Array.from({ length: 6 }, async () => issue(lasting)));
      const statusOf = async ({ id }: { id: string }) =>
        (await gateway().root.get(`/admin/keys/${id}`)).body.data.status;
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
    for (let count = 0; count < 3; count++) await gateway().createKey({ companyId: company });
    expect(await json('list', '--company', company, '--limit', '2')).toHaveLength(2);
  });

  test.each([
    [['issue', '--name', 'x'], '--scopes'],
    [['issue', '--name', 'x', '--scopes', '*', '--burst', '5'], '--per-second'],
    [['issue', '--name', 'x', '--scopes', '*', '--burst', '0', '--per-second', '1'], '--burst'],
    [['rotate', 'key_1', '--overlap', '5 minutes'], '--overlap'],
    [['list', 'acme'], 'options only'],
    [['steal'], 'steal'],
    [['list', '--force'], '--force'],
    [[], 'Name a command'],
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
