import { randomUUID } from 'node:crypto';
import { adjustmentBody, evaluationBody, newCode, orderBody, testIdentity } from '@event-commerce/test-kit';
import { vi } from 'vitest';
import { PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { startTestPlatform } from '../harness/platform.ts';

/** Every process of the platform, and checks that show whether one was harmed. */
export async function startWatchedProcesses() {
  const identity = testIdentity();
  const { keysOf } = identity;
  const limits = ['RATE_LIMIT', 'COMPANY_RATE_LIMIT'].flatMap((name) => [`${name}_PER_SECOND`, `${name}_BURST`]);
  const platform = await startTestPlatform({
    identity,
    keysOfServices: {
      pricing: keysOf('pricing'),
      commerce: keysOf('commerce'),
      cart: keysOf('cart'),
      events: keysOf('events'),
    },
    env: Object.fromEntries(limits.map((limit) => [limit, '1000000'])),
  });
  const { rootApiKey, urlOf } = platform;
  const { companyId, key: apiKey, api } = await platform.newCompany();
  const pids = new Map(PROCESS_NAMES.map((name) => [name, platform.pidOf(name)]));

  /** A shop's day, across every process. Returns what went wrong. */
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
    const ended = PROCESS_NAMES.filter((name) => platform.pidOf(name) !== pids.get(name));
    const unhandled = await Promise.all(
      PROCESS_NAMES.map(async (name) => {
        const text = await (await fetch(platform.metricsUrlOf(name))).text();
        const [, count] = /^process_unhandled_errors_total\S* (\d+)/m.exec(text) ?? [];
        return count === '0' ? [] : [`${name} had ${count} unhandled errors`];
      }),
    );
    return [...ended.map((name) => `${name} ended`), ...unhandled.flat(), ...wrong];
  }

  return { identity, rootApiKey, companyId, apiKey, urlOf, sell, harm, stop: platform.stop };
}

export type WatchedProcesses = Awaited<ReturnType<typeof startWatchedProcesses>>;
