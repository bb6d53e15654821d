import { randomUUID } from 'node:crypto';
import { connectMongo } from '@event-commerce/service-kit';
import { apiClient, failing, newCompanyId } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { GATEWAY_DATABASE, ROOT_KEY, startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway();
});
afterAll(async () => gateway?.stop());

const bearer = (key: string, url = gateway.url) => apiClient(url, { authorization: `Bearer ${key}` });
const works = async (key: string, url?: string) => (await bearer(key, url).get('/coupons')).status === 200;

describe('issuing a key', () => {
  it('returns the key once, and afterwards the record without it', async () => {
    const companyId = newCompanyId();
    const created = await gateway.root.post('/v1/admin/keys', { companyId, name: 'till', scopes: ['orders:write'] });
    expect(created.status).toBe(201);
    const { key, ...record } = created.body.data;
    expect(key).toMatch(/^eck_test_/);
    expect(record).toMatchObject({
      id: `key_${key.split('_')[2]}`,
      companyId,
      name: 'till',
      scopes: ['orders:write'],
      status: 'active',
      rateLimit: null,
      lastUsed: null,
      createdBy: 'root',
      expires: null,
      revoked: null,
      rotatedTo: null,
    });
    const read = await gateway.root.get(`/v1/admin/keys/${record.id}`);
    expect(read.body).toEqual({ status: 'ok', data: record });
  });

  it('stores no key and no secret in the database', async () => {
    const { key, id } = await gateway.createKey();
    const connection = await mongoose.createConnection(inject('mongoUrl'), { dbName: GATEWAY_DATABASE }).asPromise();
    try {
      const stored = await connection.collection<{ _id: string }>('api_keys').findOne({ _id: id });
      const dump = mongoose.mongo.BSON.serialize(stored ?? {});
      expect(Buffer.from(dump).includes(id)).toBe(true);
      expect(Buffer.from(dump).includes(key.split('_').at(-1)?.slice(0, 10) ?? 'x')).toBe(false);
    } finally {
      await connection.close();
    }
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['coupons:all'] }, 'scopes[0]'],
    [{ name: undefined }, 'name'],
    [{ companyId: undefined }, 'companyId'],
    [{ companyId: { $ne: null } }, 'companyId'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ rateLimit: { perSecond: 0, burst: 1 } }, 'rateLimit.perSecond'],
    [{ environment: 'dev' }, 'environment'],
  ])('refuses %j', async (change, path) => {
    const body = { companyId: newCompanyId(), name: 'n', scopes: ['*'], ...change };
    const reply = await gateway.root.post('/v1/admin/keys', body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].path).toBe(path);
  });

  it('creates a key that expires when requested', async () => {
    let now = Date.now();
    const timed = await gateway.replica({}, () => now);
    onTestFinished(() => timed.stop());
    const { key, id } = await timed.createKey({ expiresAt: new Date(now + 60_000).toISOString() });
    const client = apiClient(timed.url, { authorization: `Bearer ${key}` });
    now += 59_999;
    expect((await client.get('/coupons')).status).toBe(200);
    now += 1;
    const reply = await client.get('/coupons');
    expect(reply.status).toBe(401);
    expect(reply.body.error.message).toContain('expired');
    expect((await timed.root.get(`/admin/keys/${id}`)).body.data.status).toBe('expired');
  });
});

describe('a key that was created for a client that disconnected', () => {
  it('is returned, with a new secret, when the request is repeated', async () => {
    const companyId = newCompanyId();
    const body = JSON.stringify({ companyId, name: 'n', scopes: ['*'] });
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ROOT_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body,
    };
    const control = await connectMongo(inject('mongoUrl'), { dbName: GATEWAY_DATABASE, appName: 'control' });
    onTestFinished(() => control.close());
    const counting = { failCommands: ['aggregate'], blockConnection: true, blockTimeMS: 500 };
    const issued = async () => (await gateway.root.get(`/admin/keys?companyId=${companyId}`)).body.data.length;
    await failing(control, GATEWAY_DATABASE, counting, async () => {
      const leaving = new AbortController();
      const left = fetch(`${gateway.url}/v1/admin/keys`, { ...request, signal: leaving.signal });
      await expect.poll(issued).toBe(1);
      leaving.abort();
      await expect(left).rejects.toThrow('aborted');
    });
    const again = async () => {
      const response = await fetch(`${gateway.url}/v1/admin/keys`, request);
      const { data } = (await response.json()) as { data: { key: string } };
      return response.status === 201 && data;
    };
    const { key } = await vi.waitUntil(again, { timeout: 10_000 });
    expect(await works(key)).toBe(true);
    expect(await issued()).toBe(1);
  });
});

describe("a company's administrator", () => {
  it('manages the keys of its own company and sees no others', async () => {
    const admin = await gateway.createKey({ scopes: ['keys:admin', 'coupons:write'] });
    const other = await gateway.createKey();
    const client = bearer(admin.key);

    const mine = await client.post('/v1/admin/keys', { name: 'mine', scopes: ['coupons:read'] });
    expect(mine.status).toBe(201);
    expect(mine.body.data.companyId).toBe(admin.companyId);

    expect((await client.get(`/admin/keys/${other.id}`)).body.error.code).toBe('API_KEY_NOT_FOUND');
    expect((await client.post(`/admin/keys/${other.id}/revoke`)).status).toBe(404);
    expect((await client.post(`/admin/keys/${other.id}/rotate`)).status).toBe(404);
    expect(await works(other.key)).toBe(true);
    expect((await client.get(`/admin/keys?companyId=${other.companyId}`)).status).toBe(403);
    const foreign = await client.post('/admin/keys', {
      companyId: other.companyId,
      name: 'n',
      scopes: ['coupons:read'],
    });
    expect(foreign.status).toBe(403);

    const list = await client.get('/admin/keys');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([mine.body.data.id, admin.id]);
    expect(list.body.page).toEqual({ next: null, limit: 50 });
  });

  it('is named by the keys that it issues or rotates', async () => {
    const admin = await gateway.createKey({ scopes: ['keys:admin', 'coupons:read'] });
    const child = await bearer(admin.key).post('/v1/admin/keys', { name: 'child', scopes: ['coupons:read'] });
    expect(child.body.data.createdBy).toBe(admin.id);
    const rotated = await gateway.root.post(`/v1/admin/keys/${child.body.data.id}/rotate`);
    expect(rotated.body.data.createdBy).toBe('root');
  });

  it('creates at most as many active keys as a company may have, however many are requested at once; revoking or rotating one makes room', async () => {
    const own = await gateway.replica({ API_KEYS_MAX: 5 });
    try {
      const admin = await own.createKey({ scopes: ['keys:admin', 'coupons:read'] });
      const client = bearer(admin.key, own.url);
      const body = { name: 'n', scopes: ['coupons:read'] };
      const replies = await Promise.all(Array.from({ length: 20 }, () => client.post('/v1/admin/keys', body)));
      const issued = replies.filter(({ status }) => status === 201);
      expect(issued.length).toBeLessThanOrEqual(4);
      for (const reply of replies.filter(({ status }) => status !== 201)) {
        expect([reply.status, reply.body.error.code]).toEqual([409, 'QUOTA_EXCEEDED']);
        expect(reply.body.error.message).toContain('apiKeys');
      }
      // Requests that were refused because of concurrent ones succeed now.
      let last = await client.post('/v1/admin/keys', body);
      while (last.status === 201) last = await client.post('/v1/admin/keys', body);
      const usable = async () =>
        (await client.get('/v1/admin/keys')).body.data.filter((key: { status: string }) => key.status === 'active');
      expect((await usable()).length).toBe(5);
      const [child] = (await usable()) as { id: string }[];
      expect((await client.post(`/v1/admin/keys/${child?.id}/rotate`)).status).toBe(201);
      expect((await client.post('/v1/admin/keys', body)).status).toBe(409);
      const [rotated] = (await usable()) as { id: string }[];
      await client.post(`/v1/admin/keys/${rotated?.id}/revoke`);
      expect((await client.post('/v1/admin/keys', body)).status).toBe(201);
      // Another company has its own limit.
      expect((await own.root.post('/v1/admin/keys', { ...body, companyId: newCompanyId() })).status).toBe(201);
    } finally {
      await own.stop();
    }
  });

  it('grants no scope and no rate that it does not have', async () => {
    const admin = await gateway.createKey({ scopes: ['keys:admin', 'coupons:write'] });
    const mighty = await gateway.createKey({ companyId: admin.companyId, scopes: ['*'] });
    const client = bearer(admin.key);
    const create = (body: object) => client.post('/admin/keys', { name: 'n', scopes: ['coupons:read'], ...body });
    expect((await create({ scopes: ['*'] })).status).toBe(403);
    expect((await create({ scopes: ['orders:read'] })).body.error.message).toContain('orders:read');
    expect((await create({ rateLimit: { perSecond: 20_000, burst: 1 } })).status).toBe(403);
    expect((await create({ rateLimit: { perSecond: 5, burst: 5 } })).status).toBe(201);
    expect((await client.post(`/admin/keys/${mighty.id}/rotate`)).status).toBe(403);
    expect(await works(mighty.key)).toBe(true);
  });

  it('creates no key that outlives its own, also when rotating', async () => {
    const ends = Date.now() + 60_000;
    const expiresAt = new Date(ends).toISOString();
    const { key, companyId } = await gateway.createKey({ scopes: ['keys:admin'], expiresAt });
    const lasting = await gateway.createKey({ companyId, scopes: ['keys:admin'] });
    const api = bearer(key);
    const make = async (wanted: object) =>
      await api.post('/admin/keys', { name: 'n', scopes: ['keys:admin'], ...wanted });
    expect((await make({})).body.data.expires).toBe(expiresAt);
    expect((await make({ expiresAt: new Date(ends - 1_000).toISOString() })).status).toBe(201);
    for (const refused of [
      await make({ expiresAt: new Date(ends + 1).toISOString() }),
      await api.post(`/admin/keys/${lasting.id}/rotate`),
    ]) {
      expect(refused.body.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining(expiresAt) });
    }
  });

  it('needs the scope keys:admin', async () => {
    const client = await gateway.client('coupons:write', 'orders:write');
    expect((await client.get('/admin/keys')).status).toBe(403);
  });
});

describe('listing keys', () => {
  it('pages through all keys of a company, newest first', async () => {
    const companyId = newCompanyId();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await gateway.createKey({ companyId })).id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await gateway.root.get(`/admin/keys?companyId=${companyId}&limit=2${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.page.next === null ? '' : `&cursor=${body.page.next}`;
    } while (cursor !== '');
    expect(seen).toEqual(ids);
  });
});

describe('the database', () => {
  const indexes = async () => {
    const connection = await mongoose.createConnection(inject('mongoUrl'), { dbName: GATEWAY_DATABASE }).asPromise();
    onTestFinished(async () => connection.close());
    return await connection.collection('api_keys').indexes();
  };

  it('removes a key 90 days after it was revoked or expired', async () => {
    const timed = (await indexes()).filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect(timed.map(({ key, expireAfterSeconds }) => [key, expireAfterSeconds])).toEqual([
      [{ revoked: 1 }, 7_776_000],
      [{ expires: 1 }, 7_776_000],
    ]);
  });

  it('counts usable keys in an index without revoked ones', async () => {
    expect(await indexes()).toContainEqual(
      expect.objectContaining({
        key: { companyId: 1, environment: 1, expires: 1 },
        partialFilterExpression: { revoked: null },
      }),
    );
  });
});
