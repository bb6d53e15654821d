import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway({ REQUEST_TIMEOUT_MS: 15_000 });
});
afterAll(async () => gateway?.stop());

/** A POST whose key is checked at once and whose body is sent when the test says so. */
async function begin(key: string, path: string) {
  const sent = request(`${gateway.url}/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      // The gateway sends 100 Continue once it has the headers, and with them the key.
      expect: '100-continue',
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  return async (body: object) => {
    sent.end(JSON.stringify(body));
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: reply.statusCode, body: (await json(reply)) as any };
  };
}

async function keysOf(companyId: string): Promise<string[]> {
  const { body } = await gateway.root.get(`/admin/keys?companyId=${companyId}`);
  return body.data.map(({ id }: { id: string }) => id);
}

const works = async (key: string) =>
  (await apiClient(gateway.url, { authorization: `Bearer ${key}` }).get('/coupons')).status === 200;

describe('a key that ends during its request', () => {
  it.each([
    ['revoked', 'creates'],
    ['revoked', 'rotates'],
    ['rotated', 'creates'],
    ['rotated', 'rotates'],
  ])('because it is %s %s no other key', async (how, what) => {
    const leaked = await gateway.createKey();
    const other = await gateway.createKey({ companyId: leaked.companyId });
    const finish = await begin(leaked.key, what === 'rotates' ? `/admin/keys/${other.id}/rotate` : '/admin/keys');
    const ended = await gateway.root.post(`/admin/keys/${leaked.id}/${how === 'revoked' ? 'revoke' : 'rotate'}`, {});
    const kept = await keysOf(leaked.companyId);
    const { status } = await finish(what === 'rotates' ? { overlapSeconds: 60 } : { name: 'thief', scopes: ['*'] });
    expect([ended.status < 300, status]).toEqual([true, 401]);
    expect(await keysOf(leaked.companyId)).toEqual(kept);
    expect(await works(other.key)).toBe(true);
  });

  it('creates none that outlives it, if it ends only after an overlap', async () => {
    const rotated = await gateway.createKey();
    const [finish, finishShort] = [await begin(rotated.key, '/admin/keys'), await begin(rotated.key, '/admin/keys')];
    await gateway.root.post(`/admin/keys/${rotated.id}/rotate`, { overlapSeconds: 600 });
    const kept = await keysOf(rotated.companyId);
    const refused = await finish({ name: 'till', scopes: ['*'] });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('cannot be later than the end of your key'),
    ]);
    expect(await keysOf(rotated.companyId)).toEqual(kept);
    const expiresAt = new Date(Date.now() + 300_000).toISOString();
    expect((await finishShort({ name: 'till', scopes: ['*'], expiresAt })).status).toBe(201);
  });
});
