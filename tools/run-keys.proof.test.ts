import { newCompanyId } from '@event-commerce/test-kit';
import { describe, expect, test, vi } from 'vitest';
import { useKeys } from './run-keys.ts';

const { keys, json, as, works } = useKeys();

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

    const next = await json('rotate', old.id, '--overlap', '2s');
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

  test('revokes a key together with all keys that it issued or rotated, directly or indirectly, and no others', async () => {
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

  test('prints what is wrong, and the usage', async () => {
    const { code, out, err } = await keys(['show']);
    expect([code, out]).toEqual([2, '']);
    expect(err.split('\n')[0]).toContain('one key id');
    expect(err).toContain('Usage: npm run keys -- COMMAND');
  });
});
