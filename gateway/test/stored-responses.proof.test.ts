import { apiClient, newCompanyId, startServiceProcess } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { describe, expect, it } from 'vitest';
import { envOf } from './gateway-fixture.ts';
import { keyed, useCountedService } from './counted-service.ts';

const { age, database, effects, gateway, newClient } = useCountedService();

const A_DAY_MS = 24 * 60 * 60 * 1000;

describe('a stored response', () => {
  it('reveals neither the response nor the request to somebody who reads the database', async () => {
    const client = await newClient();
    const body = { order: { customer: { email: 'ada@example.com', firstName: 'Ada' } } };
    const first = await client.post('/orders', body, keyed('till-7'));
    expect(JSON.stringify(first.body)).toContain('ada@example.com');
    const records = await database()
      .collection('idempotency')
      .find({ _id: { $regex: client.companyId } as never })
      .toArray();
    expect(records).toHaveLength(1);
    const stored = Buffer.from(mongoose.mongo.BSON.serialize(records[0] ?? {})).toString('latin1');
    expect(stored).not.toMatch(/ada@example|Ada|till-7/);
    expect((await client.post('/orders', body, keyed('till-7'))).body).toEqual(first.body);
    expect(effects()).toHaveLength(1);
  });

  it('outlives the gateway', async () => {
    const client = await newClient();
    const { key } = await gateway().createKey({ companyId: client.companyId });
    const own = await startServiceProcess('gateway', envOf(gateway().config));
    try {
      const post = async () =>
        fetch(`${own.url}/v1/coupons`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...keyed('one') },
          body: '{"a":1}',
        });
      const first = await (await post()).json();
      await own.restart();
      const again = await post();
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(await again.json()).toEqual(first);
      expect(effects()).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });

  it('is stored for exactly a day', async () => {
    const client = await newClient();
    await client.post('/coupons', {}, keyed('one'));
    await age(client.companyId, A_DAY_MS - 10_000);
    expect((await client.post('/coupons', {}, keyed('one'))).body.data.number).toBe(1);
    await age(client.companyId, 10_000);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/coupons', { new: true }, keyed('one'))),
    );
    expect(replies.filter(({ headers, status }) => status === 201 && !headers.has('idempotent-replayed'))).toHaveLength(
      1,
    );
    expect(effects()).toHaveLength(2);
    const indexes = await database().collection('idempotency').indexes();
    const timed = indexes.filter((index) => 'expireAfterSeconds' in index);
    expect(timed).toMatchObject([{ key: { startedAt: 1 }, expireAfterSeconds: A_DAY_MS / 1000 }]);
  });
});

describe('key administration with an Idempotency-Key', () => {
  it('creates one key if the response was cut off, and returns it to the next attempt', async () => {
    const companyId = newCompanyId();
    const body = { companyId, name: 'till', scopes: ['keys:admin'] };
    const idempotencyKey = keyed(`cut-${companyId}`);
    const cutOff = async () => {
      // The record as a gateway leaves it if it is killed before it stores the response.
      const startedAt = new Date(Date.now() - gateway().config.UPSTREAM_TIMEOUT_MS - 60_000);
      await database()
        .collection('idempotency')
        .updateMany({}, { $unset: { answer: '' }, $set: { startedAt } });
    };
    const make = async () => (await gateway().root.post('/admin/keys', body, idempotencyKey)).body.data;
    const lost = await make();
    await cutOff();
    const made = await make();
    const statusOf = async ({ key }: { key: string }) =>
      (await apiClient(gateway().url, { authorization: `Bearer ${key}` }).get('/admin/keys')).status;
    expect([made.id, await statusOf(lost), await statusOf(made)]).toEqual([lost.id, 401, 200]);
    expect((await gateway().root.get(`/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(1);

    const second = (await gateway().root.post('/admin/keys', { ...body, name: 'till 2' })).body.data;
    const renew = async () =>
      (await gateway().root.post(`/admin/keys/${second.id}/rotate`, {}, keyed(`rotate-${companyId}`))).body.data;
    const unseen = await renew();
    await cutOff();
    const seen = await renew();
    expect([seen.id, await statusOf(unseen), await statusOf(seen)]).toEqual([unseen.id, 401, 200]);
    expect((await gateway().root.get(`/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(3);
  });

  it('creates one key, and tells a repeat that it exists without showing it again', async () => {
    const companyId = newCompanyId();
    const body = { companyId, name: 'till', scopes: ['orders:write'] };
    const idempotencyKey = keyed(`create-${companyId}`);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => gateway().root.post('/v1/admin/keys', body, idempotencyKey)),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const again = await gateway().root.post('/v1/admin/keys', body, idempotencyKey);
    expect([again.status, again.body.error.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect((await gateway().root.get(`/v1/admin/keys?companyId=${companyId}`)).body.data).toHaveLength(1);

    const secret = made[0]?.body.data.key.split('_').at(-1) as string;
    const records = await database().collection('idempotency').find().toArray();
    expect(records.some((record) => Buffer.from(mongoose.mongo.BSON.serialize(record)).includes(secret))).toBe(false);
  });

  it('replays a revocation', async () => {
    const { id } = await gateway().createKey();
    const first = await gateway().root.post(`/admin/keys/${id}/revoke`, {}, keyed(`revoke-${id}`));
    const again = await gateway().root.post(`/admin/keys/${id}/revoke`, {}, keyed(`revoke-${id}`));
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  });

  it.each([{}, { overlapSeconds: null }])(
    'replays an error, whatever defaults the handler added to %j',
    async (body) => {
      const { id } = await gateway().createKey();
      await gateway().root.post(`/admin/keys/${id}/revoke`);
      const first = await gateway().root.post(`/admin/keys/${id}/rotate`, body, keyed(`rotate-${id}`));
      const again = await gateway().root.post(`/admin/keys/${id}/rotate`, body, keyed(`rotate-${id}`));
      expect([first.status, first.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    },
  );

  it("keeps the operator's keys apart from a company's", async () => {
    const admin = await gateway().client('keys:admin');
    const body = { companyId: admin.companyId, name: 'n', scopes: ['keys:admin'] };
    const key = keyed(`shared-${admin.companyId}`);
    expect((await gateway().root.post('/admin/keys', body, key)).status).toBe(201);
    expect((await admin.post('/admin/keys', body, key)).status).toBe(201);
  });
});
