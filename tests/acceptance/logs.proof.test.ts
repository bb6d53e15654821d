import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createIdentitySigner, generateIdentityKeys } from '@event-commerce/service-kit';
import { bundleOf } from '@event-commerce/service-kit/dist';
import { newTraceparent, traceIdOf } from '@event-commerce/telemetry';
import { adjustmentBody, apiClient, evaluationBody, newCode, newCompanyId, orderBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Platform, PROCESS_NAMES, type ProcessName } from '../../deploy/local/platform.ts';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { newRedisUser, type RedisUser } from '../redis-user.ts';
import { startTestPlatform } from '../harness/platform.ts';

const logDir = mkdtempSync(path.join(inject('scratch'), 'logs-'));
const secretText = () => randomBytes(24).toString('base64url');

const rootApiKey = `root_${secretText()}`;
const identity = generateIdentityKeys();
const companyId = newCompanyId();
/** Every secret that was used; none may ever be logged. */
const secrets = new Set([rootApiKey, identity.privateKey]);
let redisUser: RedisUser;
let platform: Platform;

beforeAll(async () => {
  redisUser = await newRedisUser();
  secrets.add(redisUser.password);
  platform = await startTestPlatform({
    redisUrl: redisUser.url,
    identity,
    rootApiKey,
    logDir,
    env: { LOG_LEVEL: 'trace' },
  });
});

afterAll(async () => {
  await platform?.stop();
  await redisUser?.remove();
});

interface Line {
  service: string;
  level: number;
  time: string;
  msg?: string;
  requestId?: string;
  traceId?: string;
}

const textOf = (name: string) => readFileSync(path.join(logDir, `${name}.log`), 'utf8');
const linesOf = (name: string) => textOf(name).trimEnd().split('\n');
const parsed = (name: string) => linesOf(name).map((line) => JSON.parse(line) as Line);

/** Runs a process that cannot start with `env`, and keeps its output with the other logs. */
async function failToStart(name: string, service: ProcessName, env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [bundleOf(service)], {
    env: {
      MONGO_URL: inject('mongoUrl'),
      NATS_URL: natsUrlOfThisFile(),
      REDIS_URL: inject('redisUrl'),
      PORT: '0',
      LOG_LEVEL: 'trace',
      IDENTITY_PUBLIC_KEYS: identity.publicKey,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  writeFileSync(path.join(logDir, `${name}.log`), Buffer.concat(pieces));
}

test('logs are JSON lines with request and trace ids, and contain no key, token or password', async () => {
  const operator = apiClient(platform.url, { authorization: `Bearer ${rootApiKey}` });
  const issue = async (): Promise<{ id: string; key: string }> => {
    const { body } = await operator.post(
      '/v1/admin/keys',
      { companyId, name: 'logs', scopes: ['*'] },
      { 'idempotency-key': randomUUID() },
    );
    secrets.add(body.data.key);
    return body.data;
  };
  const first = await issue();
  const rotated = await operator.post(`/v1/admin/keys/${first.id}/rotate`, { overlapSeconds: 60 });
  secrets.add(rotated.body.data.key);
  const api = apiClient(platform.url, {
    authorization: `Bearer ${rotated.body.data.key}`,
    cookie: `session=${secretText()}`,
  });

  // Correct use.
  const code = newCode();
  await api.post('/v1/pricing/adjustments', adjustmentBody(code, { conditions: { code, maxRedemptions: 1 } }));
  await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [code] }));
  const [orderRequestId, cartRequestId] = [randomUUID(), randomUUID()];
  const order = orderBody(companyId, { coupons: [code] });
  expect((await api.post('/v1/orders', order, { 'x-request-id': orderRequestId })).status).toBe(201);
  const item = { offeringId: 'off_1', contextId: 'evt_1', quantity: 1, price: { amount: 5000, currency: 'USD' } };
  await api.post(`/v1/cart/sessions/${companyId}/item`, item, { 'x-request-id': cartRequestId });

  // Misuse: an unknown key, one with another secret, a revoked one, the wrong bodies, a cap that is reached.
  const gone = await issue();
  await operator.post(`/v1/admin/keys/${gone.id}/revoke`);
  const wrong = `${gone.key.slice(0, -4)}${gone.key.endsWith('aaaa') ? 'bbbb' : 'aaaa'}`;
  for (const bad of [gone.key, wrong, secretText(), `root_${secretText()}`]) {
    secrets.add(bad);
    const { status } = await apiClient(platform.url, { authorization: `Bearer ${bad}` }).get('/v1/events');
    expect(status).toBe(401);
  }
  await fetch(`${platform.url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rotated.body.data.key}`, 'content-type': 'application/json' },
    body: '{"order":',
  });
  expect((await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }))).status).toBe(409);

  // A token of the platform's own, valid and forged, sent directly to a service.
  for (const privateKey of [identity.privateKey, generateIdentityKeys().privateKey]) {
    const token = createIdentitySigner(privateKey)({ companyId, environment: 'live', keyId: 'key_1', scopes: ['*'] }, [
      'events',
    ]);
    secrets.add(token).add(token.slice(token.lastIndexOf('.') + 1));
    await apiClient(platform.urlOf('events'), { 'x-platform-identity': token }).get('/events');
  }

  // Failures: a service that is killed, and Redis that refuses the gateway.
  const traceparent = newTraceparent();
  // A killed process loses the lines that are still in its memory.
  for (const id of [orderRequestId, cartRequestId]) await expect.poll(() => textOf('events')).toContain(id);
  platform.kill('events', 'SIGKILL');
  const requestId = randomUUID();
  await expect
    .poll(async () => (await api.get('/v1/events', { traceparent, 'x-request-id': requestId })).status)
    .toBe(502);
  await platform.ready('events');
  await redisUser.lockOut();
  const redisState = async () => (await operator.get('/readyz')).body.data?.checks.redis as string;
  await expect.poll(redisState, { timeout: 10_000 }).toBe('degraded');
  expect((await api.get('/v1/events')).status).toBe(200);
  await expect.poll(() => textOf('gateway'), { timeout: 10_000 }).toContain('WRONGPASS');
  await redisUser.letIn();
  await expect.poll(redisState, { timeout: 10_000 }).toBe('ok');

  // Settings with which no process can start.
  const [mongoPassword, natsPassword] = [secretText(), `${secretText()} ?#`];
  secrets.add(mongoPassword).add(natsPassword.slice(0, -3));
  await failToStart('no-mongo', 'events', {
    MONGO_URL: `mongodb://somebody:${mongoPassword}@127.0.0.1:1/?authSource=admin`,
  });
  await failToStart('no-nats', 'events', { NATS_URL: `nats://somebody:${natsPassword}@[` });
  await failToStart('no-settings', 'gateway', {
    ROOT_API_KEY: rootApiKey,
    REDIS_URL: `redis//:${redisUser.password}@127.0.0.1`,
    IDENTITY_PRIVATE_KEY: identity.privateKey,
  });
  await platform.stop();

  for (const name of [...PROCESS_NAMES, 'no-mongo', 'no-nats', 'no-settings']) {
    const text = textOf(name);
    const held = [...secrets].filter((secret) => text.includes(secret));
    expect(held, `secrets in the log of ${name}`).toEqual([]);
    // Any token and any key, known here or not.
    expect(text).not.toMatch(/eyJ[\w-]{8,}\.[\w-]{8,}\.|eck_(?:live|test)_\w{8,}/);
    for (const line of parsed(name)) {
      expect(line).toMatchObject({
        service: expect.any(String) as string,
        level: expect.any(Number) as number,
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
      });
    }
  }

  for (const name of PROCESS_NAMES) {
    // No trace includes pricing's own request about an order, because no caller waits for it.
    const aboutRequests = parsed(name).filter(({ requestId: id }) => id !== undefined && !id.startsWith('settle-'));
    expect(aboutRequests).not.toEqual([]);
    const traced = {
      requestId: expect.any(String) as string,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    };
    for (const line of aboutRequests) expect(line).toMatchObject(traced);
  }
  // Every process that worked on a request logs its id.
  const answeredFor = (id: string) =>
    PROCESS_NAMES.filter((name) =>
      parsed(name).some((line) => line.requestId === id && line.msg === 'answered'),
    ).toSorted();
  expect(answeredFor(orderRequestId)).toEqual(['commerce', 'events', 'gateway', 'pricing']);
  expect(answeredFor(cartRequestId)).toEqual(['cart', 'events', 'gateway', 'pricing']);
  const failure = parsed('gateway').find((line) => line.requestId === requestId && line.level === 50);
  expect(failure).toMatchObject({ traceId: traceIdOf(traceparent), err: { type: expect.any(String) as string } });
}, 120_000);
