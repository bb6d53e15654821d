import { randomUUID } from 'node:crypto';
import { BROADCAST, broadcast, connectBus, onBroadcast, runConsumer } from '@event-commerce/bus';
import { type DomainEvent, subjectOf, tenantOf } from '@event-commerce/contracts';
import { apiClient } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import {
  GATEWAY_DATABASE,
  logger,
  natsUrlOfGateways,
  startEchoingGateway,
  type TestGateway,
} from './gateway-fixture.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway({ REQUEST_TIMEOUT_MS: 15_000, TRUSTED_PROXIES: ['127.0.0.1'] });
});
afterAll(async () => gateway?.stop());

// An address has few attempts with an invalid key, so each request comes from an address of its own.
const from = () => ({ 'x-forwarded-for': `2001:db8:${randomUUID().slice(9, 18).replace('-', ':')}::1` });
const works = async (key: string, url = gateway.url) =>
  (await apiClient(url, { authorization: `Bearer ${key}` }).get('/coupons', from())).status === 200;

describe('a revoked key', () => {
  it('stops working on every replica within a second', async () => {
    const replica = await gateway.replica();
    try {
      const { key, id } = await gateway.createKey();
      expect([await works(key), await works(key, replica.url)]).toEqual([true, true]);
      const revoked = await gateway.root.post(`/v1/admin/keys/${id}/revoke`);
      expect(revoked.body.data).toMatchObject({ id, status: 'revoked', revoked: expect.any(String) });
      expect(await works(key)).toBe(false);
      await vi.waitFor(async () => expect(await works(key, replica.url)).toBe(false), { timeout: 1_000, interval: 20 });
      expect((await gateway.root.post(`/admin/keys/${id}/revoke`)).body.data.revoked).toBe(revoked.body.data.revoked);
    } finally {
      await replica.stop();
    }
  });

  it('is announced, and a replica that gets the notice looks the key up at once', async () => {
    const bus = await connectBus({ url: natsUrlOfGateways(), name: 'keys-test', logger });
    const mongo = await mongoose.createConnection(inject('mongoUrl'), { dbName: GATEWAY_DATABASE }).asPromise();
    const replica = await gateway.replica();
    try {
      const heard: string[] = [];
      onBroadcast(bus, BROADCAST.apiKeyChanged, (id) => heard.push(id));
      await bus.nats.flush();
      const [revoked, rotated, { key, id }] = [
        await gateway.createKey(),
        await gateway.createKey(),
        await gateway.createKey(),
      ];
      for (let repeat = 0; repeat < 2; repeat++) await gateway.root.post(`/admin/keys/${revoked.id}/revoke`);
      await gateway.root.post(`/admin/keys/${rotated.id}/rotate`);
      await expect.poll(() => heard).toEqual([revoked.id, revoked.id, rotated.id]);

      const areWorking = async () => [await works(key), await works(key, replica.url)];
      expect(await areWorking()).toEqual([true, true]);
      // Without `changedAt`, which the replicas read every second: only the notice announces the change.
      await mongo.collection('api_keys').updateOne({ _id: id as never }, { $set: { revoked: new Date() } });
      broadcast(bus, BROADCAST.apiKeyChanged, id);
      await expect.poll(areWorking).toEqual([false, false]);
    } finally {
      await Promise.all([replica.stop(), bus.close(), mongo.close()]);
    }
  });

  it('is published once as a domain event, without its secret', async () => {
    const bus = await connectBus({ url: natsUrlOfGateways(), name: 'keys-test', logger });
    const heard: DomainEvent[] = [];
    const stop = await runConsumer(bus, {
      name: `test-${randomUUID()}`,
      types: ['api_key.revoked'],
      logger,
      isOutage: () => false,
      handle: async (event) => void heard.push(event),
    });
    try {
      const { key, id, companyId } = await gateway.createKey({ name: 'till' });
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const { body } = await gateway.root.post(`/admin/keys/${id}/revoke`, {}, { traceparent });
      await Promise.all(Array.from({ length: 5 }, () => gateway.root.post(`/admin/keys/${id}/revoke`)));
      const last = await gateway.createKey();
      await gateway.root.post(`/admin/keys/${last.id}/revoke`);
      await expect.poll(() => heard.some(({ subject }) => subject === last.id), { timeout: 5_000 }).toBe(true);

      const events = heard.filter(({ subject }) => subject === id);
      expect(events).toEqual([
        {
          specversion: '1.0',
          id: expect.any(String),
          source: '/gateway',
          type: 'api_key.revoked',
          subject: id,
          time: body.data.revoked,
          companyid: companyId,
          environment: 'test',
          tenant: tenantOf({ companyId, environment: 'test' }),
          schemaversion: 1,
          actor: 'root',
          requestid: expect.any(String),
          traceparent,
          data: {
            id,
            companyId,
            name: 'till',
            scopes: ['*'],
            environment: 'test',
            createdBy: 'root',
            revoked: body.data.revoked,
            version: 2,
          },
        },
      ]);
      expect(subjectOf('api_key.revoked')).toBe('domain.gateway.api_key.revoked');
      expect(JSON.stringify(events)).not.toContain(key.split('_').at(-1));
    } finally {
      await stop();
      await bus.close();
    }
  });
});

describe('the history of keys', () => {
  it('has the creation and the rotation of each, and nothing about one that was refused', async () => {
    const bus = await connectBus({ url: natsUrlOfGateways(), name: 'keys-test', logger });
    const heard: DomainEvent[] = [];
    const stop = await runConsumer(bus, {
      name: `test-${randomUUID()}`,
      types: ['api_key.created', 'api_key.rotated'],
      logger,
      isOutage: () => false,
      handle: async (event) => void heard.push(event),
    });
    const own = await gateway.replica({ API_KEYS_MAX: 1 });
    try {
      const old = await own.createKey({ name: 'till', scopes: ['keys:admin'] });
      const { companyId } = old;
      const asked = { companyId, name: 'one too many', scopes: ['keys:admin'] };
      expect((await own.root.post('/admin/keys', asked)).status).toBe(409);
      const sent = { 'x-request-id': 'rotation-1', authorization: `Bearer ${old.key}` };
      const { body } = await own.root.post(`/admin/keys/${old.id}/rotate`, { overlapSeconds: 60 }, sent);
      const { id } = body.data;
      const ofCompany = () => heard.filter(({ companyid }) => companyid === companyId);
      await expect.poll(() => ofCompany().length, { timeout: 5_000 }).toBe(3);
      const by = { actor: old.id, actorname: 'till', requestid: 'rotation-1' };
      expect(ofCompany()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'api_key.created', subject: old.id, actor: 'root', version: 1 }),
          expect.objectContaining({ type: 'api_key.created', subject: id, ...by, version: 1 }),
          expect.objectContaining({ type: 'api_key.rotated', subject: old.id, ...by, version: 2 }),
        ]),
      );
      const rotated = ofCompany().find(({ type }) => type === 'api_key.rotated');
      expect(JSON.parse(rotated?.changes ?? '')).toEqual([
        { path: 'rotatedTo', before: null, after: id },
        { path: 'expires', before: null, after: expect.any(String) },
      ]);
      for (const secret of [old.key, body.data.key]) {
        expect(JSON.stringify(ofCompany())).not.toContain(secret.split('_').at(-1));
      }
    } finally {
      await Promise.all([own.stop(), stop()]);
      await bus.close();
    }
  });
});

describe('rotating a key', () => {
  it('loses no request during the overlap, and ends the old key after it', async () => {
    const began = Date.now();
    let now = began;
    const timed = await startEchoingGateway({}, () => now);
    const { root, url } = timed;
    const ends: (() => Promise<void>)[] = [];
    try {
      const { key, id, companyId } = await timed.createKey();
      let current = key;
      const failures: string[] = [];
      /** Sends one request after another with the key that `keyOf` returns, until it is stopped. */
      const send = (keyOf: () => string) => {
        let running = true;
        const sending = (async () => {
          while (running) {
            const used = keyOf();
            if (!(await works(used, url))) failures.push(`${used === key ? 'old' : 'new'} at ${now - began} ms`);
          }
        })();
        const end = async () => {
          running = false;
          await sending;
        };
        ends.push(end);
        return end;
      };
      const early = [send(() => current), send(() => current)];
      const late = [send(() => key), send(() => key)];
      const rotated = (await root.post(`/v1/admin/keys/${id}/rotate`, { overlapSeconds: 600 })).body.data;
      expect(rotated).toMatchObject({ companyId, scopes: ['*'], status: 'active', expires: null, rotatedTo: null });
      const old = async () => (await root.get(`/admin/keys/${id}`)).body.data;
      const expires = new Date(began + 600_000).toISOString();
      expect(await old()).toMatchObject({ status: 'active', expires, rotatedTo: rotated.id });

      current = rotated.key;
      for (now of [began + 1_000, began + 300_000, began + 599_999]) {
        for (const either of [key, rotated.key, key, rotated.key]) expect(await works(either, url)).toBe(true);
      }
      await Promise.all(late.map(async (end) => end()));
      now = began + 600_000;
      expect([await works(key, url), await works(rotated.key, url)]).toEqual([false, true]);
      await Promise.all(early.map(async (end) => end()));
      expect(failures).toEqual([]);
      expect(await old()).toMatchObject({ status: 'expired', expires });
    } finally {
      await Promise.all(ends.map(async (end) => end()));
      await timed.stop();
    }
  });

  it('ends the old key at once without an overlap', async () => {
    const { key, id } = await gateway.createKey();
    expect(await works(key)).toBe(true);
    expect((await gateway.root.post(`/admin/keys/${id}/rotate`)).status).toBe(201);
    expect(await works(key)).toBe(false);
  });

  it('succeeds for exactly one of many concurrent requests', async () => {
    const { id, companyId } = await gateway.createKey();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => gateway.root.post(`/admin/keys/${id}/rotate`, { overlapSeconds: 60 })),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await gateway.root.get(`/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(2);
  });

  it('is refused for a revoked key', async () => {
    const { id } = await gateway.createKey();
    await gateway.root.post(`/admin/keys/${id}/revoke`);
    expect((await gateway.root.post(`/admin/keys/${id}/rotate`)).status).toBe(409);
  });
});

describe('the use of a key', () => {
  it('is recorded', async () => {
    const { key, id } = await gateway.createKey();
    await works(key);
    await vi.waitFor(async () => {
      const { lastUsed } = (await gateway.root.get(`/admin/keys/${id}`)).body.data;
      expect(Date.now() - Date.parse(lastUsed)).toBeLessThan(10_000);
    });
  });
});
