import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/platform.ts';
import { startTestPlatform, type TestPlatform } from '../harness/platform.ts';
import { createAdjustment, ledger, newCompany } from './redemptions.ts';

const databases = `t${randomBytes(4).toString('hex')}`;
let platform: TestPlatform;
let records: mongoose.Connection;
const proxies: Server[] = [];

/** Services' responses to requests with an Idempotency-Key, held back from the gateway. */
let held: { key: string; status: number; body: any }[] | undefined;

beforeAll(async () => {
  platform = await startTestPlatform({
    env: {
      MONGO_DB_PREFIX: databases,
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      CLAIM_TTL_MS: '3000',
    },
    via: async (from, _to, url) => {
      if (from !== 'gateway' || !url.startsWith('http:')) return url;
      const proxy = createServer((request, response) => {
        // If the service is gone, the gateway sees a lost connection, as without a proxy.
        passOn(url, request, response).catch(() => response.destroy());
      });
      proxies.push(proxy.listen(0, '127.0.0.1'));
      await once(proxy, 'listening');
      return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    },
  });
  records = await mongoose.createConnection(inject('mongoUrl'), { dbName: `${databases}_gateway` }).asPromise();
});
afterAll(async () => {
  await platform?.stop();
  await records?.close();
  for (const proxy of proxies) {
    proxy.closeAllConnections();
    proxy.close();
  }
});

async function passOn(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request));
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const answer = await fetch(url + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  });
  const text = await answer.text();
  const key = request.headers['idempotency-key'];
  if (held !== undefined && typeof key === 'string') held.push({ key, status: answer.status, body: JSON.parse(text) });
  else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

/** Sends `count` requests, which the services carry out, and kills the gateway before it has their responses. */
async function sendAndKill(count: number, send: (index: number) => Promise<unknown>) {
  held = [];
  const cut = Promise.allSettled(Array.from({ length: count }, (_, index) => send(index)));
  await expect.poll(() => held?.length, { timeout: 15_000 }).toBe(count);
  const first = new Map(held.map(({ key, ...answer }) => [key, answer]));
  expect(held.filter(({ status }) => status >= 300)).toEqual([]);
  held = undefined;
  platform.kill('gateway', 'SIGKILL');
  expect(new Set((await cut).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await platform.ready('gateway');
  await lapse();
  return first;
}

/** Lets the records of a killed gateway lapse at once, which otherwise takes time. */
async function lapse(): Promise<void> {
  const startedAt = new Date(Date.now() - 60_000);
  await records.collection('idempotency').updateMany({ answer: { $exists: false } }, { $set: { startedAt } });
}

test('after the gateway is killed, a retry finds what a service has done, and does not repeat it', async () => {
  const { companyId, api } = await platform.newCompany();
  const make = async (path: string, body: unknown) => (await api.post(`/v1${path}`, body)).body.data;
  const series = await make('/events', { kind: 'series', name: 'Tour' });
  const events = `/events/${series.id}`;
  const [target, source] = [
    await make(`${events}/purchase-groups`, { name: 'A', size: 1 }),
    await make(`${events}/purchase-groups`, { name: 'B', size: 2 }),
  ];
  const capped = await make('/pricing/adjustments', adjustmentBody(newCode()));
  const [session, joining, leaving] = [
    await make('/cart/sessions', { contextId: series.id }),
    await make('/cart/sessions', { contextId: series.id }),
    await make('/cart/sessions', { contextId: series.id }),
  ];
  const seats = await make('/cart/table-commitments', { contextId: series.id, seats: 4 });
  await make(`/cart/sessions/${leaving.id}/join-table`, { tableCommitmentId: seats.id });
  const instance = await make(`${events}/instances`, { name: 'Tomorrow' });
  const table = await make('/cart/table-commitments', { contextId: series.id, seats: 2 });
  const price = { amount: 5_000, currency: 'EUR' };
  const code = newCode();

  const requests: [path: string, body: unknown][] = [
    // For another event: the cart below may be priced before or after it.
    [
      '/pricing/adjustments',
      adjustmentBody(newCode(), { type: 'promotion', conditions: {}, targets: [{ eventId: 'evt_2' }] }),
    ],
    ['/pricing/adjustments', adjustmentBody(code)],
    [`/pricing/adjustments/${capped.id}/redemptions`, { orderId: 'elsewhere' }],
    ['/coupons', { description: 'without a code' }],
    ['/coupons', { code: newCode(), percentOff: 10 }],
    ['/orders', orderBody(companyId)],
    ['/cart/sessions', { contextId: series.id }],
    ['/cart/sessions', { id: 'mine', contextId: series.id }],
    [`/cart/sessions/${session.id}/item`, { offeringId: 'off_1', quantity: 2, price: 100 }],
    [`/cart/sessions/${joining.id}/join-table`, { tableCommitmentId: seats.id }],
    [`/cart/sessions/${leaving.id}/leave-table`, {}],
    ['/cart/table-commitments', { contextId: series.id, seats: 4 }],
    ['/cart/table-commitments', { id: 'mine', contextId: series.id, seats: 4 }],
    [`/cart/table-commitments/${table.id}/close`, {}],
    ['/events', { name: 'Single' }],
    ['/events', { id: `evt_mine_${companyId}`, name: 'Single' }],
    [`${events}/instances`, { name: 'Tonight' }],
    [`${events}/instances/${instance.id}/revert`, { fields: ['name'] }],
    [`${events}/offerings`, { name: 'Ticket', price }],
    [`${events}/offerings`, { id: 'off_mine', name: 'Ticket', price }],
    [`${events}/purchase-groups`, { name: 'C', size: 1 }],
    [`${events}/purchase-groups/${target.id}/merge`, { sourceGroupId: source.id, combinedSize: 3, note: 'together' }],
  ];
  const send = async (index: number) => {
    const [path, body] = requests[index] as [string, unknown];
    return await api.post(`/v1${path}`, body, { 'idempotency-key': `key-${index}` });
  };
  const all = requests.map((_, index) => index);

  const first = await sendAndKill(requests.length, send);

  const repeated = await Promise.all(all.map(send));
  for (const index of all) {
    const { status, body } = repeated[index] ?? {};
    const path = requests[index]?.[0];
    const data = first.get(`key-${index}`)?.body.data;
    // Reading a cart prices it again.
    delete data.pricedAt;
    expect({ path, status, body }).toMatchObject({ path, status: expect.toBeOneOf([200, 201]), body: { data } });
  }

  const count = async (path: string) => (await api.get(`/v1${path}?limit=200`)).body.data.length;
  expect({
    adjustments: (await api.get('/v1/pricing/adjustments?limit=200')).body.data.filter(
      (one: any) => one.couponId === undefined,
    ).length,
    redemptions: await count(`/pricing/adjustments/${capped.id}/redemptions`),
    coupons: await count('/coupons'),
    orders: await count('/orders'),
    events: await count('/events'),
    offerings: await count(`${events}/offerings`),
    groups: await count(`${events}/purchase-groups`),
  }).toEqual({ adjustments: 3, redemptions: 1, coupons: 2, orders: 1, events: 5, offerings: 2, groups: 3 });
});

test('after the gateway is killed, a retry does not undo what others have changed since', async () => {
  const { api } = await platform.newCompany();
  const make = async (path: string, body: unknown) => (await api.post(`/v1${path}`, body)).body.data;
  const read = async (path: string) => (await api.get(`/v1${path}`)).body.data;
  const series = await make('/events', { kind: 'series', name: 'Tour' });
  const instance = await make(`/events/${series.id}/instances`, { name: 'Tonight' });
  const table = await make('/cart/table-commitments', { contextId: series.id, seats: 4 });
  const [filled, joining, leaving] = await Promise.all(
    [1, 2, 3].map(async () => `/cart/sessions/${(await make('/cart/sessions', { contextId: series.id })).id}`),
  );
  const revert = `/events/${series.id}/instances/${instance.id}/revert`;
  const seat = { tableCommitmentId: table.id };
  const item = { offeringId: 'off_1', quantity: 2, price: 100 };
  await make(`${leaving}/join-table`, seat);

  const requests: [path: string, body: unknown, ifMatch: string][] = [
    [`${filled}/item`, item, '"1"'],
    [`${joining}/join-table`, seat, '"1"'],
    [`${leaving}/leave-table`, {}, '"2"'],
    [revert, { fields: ['name'] }, '"1"'],
  ];
  const send = async (index: number) => {
    const [path, body, ifMatch] = requests[index] ?? expect.fail('no such request');
    return await api.post(`/v1${path}`, body, { 'idempotency-key': `lost-${index}`, 'if-match': ifMatch });
  };
  await sendAndKill(requests.length, send);
  await make(`${filled}/item`, { ...item, quantity: 5 });
  await make(`${joining}/leave-table`, {});
  await make(`${leaving}/join-table`, seat);
  await api.patch(`/v1/events/${instance.id}`, { name: 'Tomorrow' });
  const sessions = [filled, joining, leaving].map(String);
  const state = async () => ({
    sessions: (await Promise.all(sessions.map(read))).map(({ pricedAt: _at, ...session }) => session),
    instance: await read(`/events/${instance.id}`),
  });
  const now = await state();
  expect(now).toMatchObject({
    sessions: [{ items: [{ quantity: 5 }] }, { version: 3 }, seat],
    instance: { name: 'Tomorrow' },
  });

  const repeated = await Promise.all(requests.map(async (_, index) => send(index)));
  expect(repeated).toMatchObject([
    ...now.sessions.map((data) => ({ status: 200, body: { data } })),
    { status: 200, body: { data: { success: true } } },
  ]);
  expect(await state()).toEqual(now);
});

test('a cap of 10 holds, and every placed order is counted, when pricing and commerce are killed while orders come in', async () => {
  const victims: ProcessName[] = ['pricing', 'commerce'];
  const { companyId, api } = await newCompany(platform);
  const code = newCode();
  const id = await createAdjustment(api, code, { maxRedemptions: 10 });
  let answered = 0;
  const replies = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const body = orderBody(companyId, { coupons: [code] });
      const reply = await api.post('/v1/orders', body);
      answered += 1;
      if (answered === 5) for (const victim of victims) platform.kill(victim, 'SIGKILL');
      return { ...reply, request: body };
    }),
  );
  await Promise.all(victims.map((victim) => platform.ready(victim)));

  // Like a client, sends every order again until it gets a 201.
  const unanswered = replies.filter((reply) => reply.status >= 500);
  const orderIds = new Set(replies.filter((reply) => reply.status === 201).map((reply) => reply.body.data.order.id));
  await expect
    .poll(
      async () => {
        for (const { request } of unanswered) {
          const reply = await api.post('/v1/orders', request);
          if (reply.status < 300) orderIds.add(reply.body.data.order.id);
        }
        return orderIds.size;
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(10);
  await expect
    .poll(async () => new Set((await ledger(api, id)).map((redemption) => redemption.orderId)), {
      timeout: 15_000,
    })
    .toEqual(orderIds);
  expect(await ledger(api, id)).toHaveLength(10);
  const last = await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }));
  expect([last.status, last.body.error.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
});

test.runIf(process.platform === 'linux')(
  'only the gateway gets the operator’s key, the key that signs for callers, and access to Redis',
  () => {
    const named = /^(ROOT_API_KEY|IDENTITY_PRIVATE_KEY|REDIS_URL)=/;
    const given = PROCESS_NAMES.map((name) => {
      const env = readFileSync(`/proc/${platform.pidOf(name)}/environ`, 'utf8').split('\0');
      return [name, env.filter((one) => named.test(one)).length];
    });
    expect(given).toEqual(PROCESS_NAMES.map((name) => [name, name === 'gateway' ? 3 : 0]));
  },
);
