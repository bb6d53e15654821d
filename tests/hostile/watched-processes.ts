import { randomUUID } from 'node:crypto';
import { type ServiceName, SERVICES } from '@event-commerce/contracts';
import { generateIdentityKeys } from '@event-commerce/service-kit';
import {
  adjustmentBody,
  evaluationBody,
  newCode,
  orderBody,
  type ServiceProcess,
  startServiceProcess,
  testIdentity,
} from '@event-commerce/test-kit';
import { freePort } from '@event-commerce/test-kit/free-port';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { inject, vi } from 'vitest';
import { companiesOf, newRootApiKey } from '../companies.ts';

type Name = 'gateway' | ServiceName;

/**
 * Every process of the platform, with what tells whether one was harmed. Services trust the tokens of `identity`, too.
 */
export async function startWatchedProcesses() {
  const identity = testIdentity();
  const gatewayKeys = generateIdentityKeys();
  const rootApiKey = newRootApiKey();
  const processes = new Map<Name, ServiceProcess>();
  const metricsPorts = new Map<Name, number>();
  const urlOf = (name: Name): string => (processes.get(name) as ServiceProcess).url;
  const start = async (name: Name, own: Record<string, string>): Promise<void> => {
    const port = await freePort();
    const env = {
      MONGO_URL: inject('mongoUrl'),
      MONGO_INDEXES: 'migrate',
      MONGO_DB_PREFIX: prefix,
      NATS_URL: natsUrlOfThisFile(),
      METRICS_PORT: String(port),
      ...own,
    };
    processes.set(name, await startServiceProcess(name, env));
    metricsPorts.set(name, port);
  };
  const prefix = `t${randomUUID().slice(0, 8)}`;
  const known = `${identity.publicKey},${gatewayKeys.publicKey}`;
  await Promise.all(SERVICES.map(async (name) => start(name, { IDENTITY_PUBLIC_KEYS: known, ...identity.services })));
  const limits = ['RATE_LIMIT', 'COMPANY_RATE_LIMIT'].flatMap((name) => [`${name}_PER_SECOND`, `${name}_BURST`]);
  await start('gateway', {
    ...Object.fromEntries(limits.map((limit) => [limit, '1000000'])),
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)])),
    REDIS_URL: inject('redisUrl'),
    REDIS_KEY_PREFIX: prefix,
    ROOT_API_KEY: rootApiKey,
    IDENTITY_PRIVATE_KEY: gatewayKeys.privateKey,
  });
  const { companyId, key: apiKey, api } = await companiesOf(urlOf('gateway'), rootApiKey)();
  const pids = new Map([...processes].map(([name, { pid }]) => [name, pid]));

  /** A shop's day, across every process. Returns what was not as it should be. */
  async function sell(): Promise<string[]> {
    const code = newCode();
    const price = { amount: 5_000, currency: 'EUR' };
    const coupon = await api.post('/v1/coupons', { code, percentOff: 10, limit: 1 });
    const answers = [
      coupon,
      await api.post('/v1/events', { name: 'Concert' }),
      await api.post('/v1/pricing/adjustments', adjustmentBody(newCode())),
      await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [code] })),
      await api.post(`/v1/cart/sessions/${randomUUID()}/item`, { offeringId: 'off_1', quantity: 2, price }),
      await api.post('/v1/orders', orderBody(companyId, { coupons: [code] })),
    ];
    const wrong = answers.filter(({ status }) => status >= 300).map(({ body }) => JSON.stringify(body));
    // Counted once the redemption's event was handled.
    await vi.waitFor(
      async () => {
        const { body } = await api.get(`/v1/coupons/${coupon.body.data.id}`);
        if (body.data.quantitySold !== 1) throw new Error('the redemption was not counted');
      },
      { timeout: 10_000, interval: 50 },
    );
    return wrong;
  }

  /** The state of the processes: each should be the one that was started, with no unhandled error, and working. */
  async function harm(): Promise<string[]> {
    // First, so that the consumers have handled what came before.
    const wrong = await sell();
    const ended = [...processes].filter(([name, { pid }]) => pid === undefined || pid !== pids.get(name));
    const unhandled = await Promise.all(
      [...metricsPorts].map(async ([name, port]) => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const [, count] = /^process_unhandled_errors_total\S* (\d+)/m.exec(text) ?? [];
        return count === '0' ? [] : [`${name} had ${count} unhandled errors`];
      }),
    );
    return [...ended.map(([name]) => `${name} ended`), ...unhandled.flat(), ...wrong];
  }

  const stop = async (): Promise<void> => {
    await Promise.all([...processes.values()].map(async (one) => one.stop()));
  };
  return { identity, rootApiKey, companyId, apiKey, urlOf, sell, harm, stop };
}

export type WatchedProcesses = Awaited<ReturnType<typeof startWatchedProcesses>>;
