import { setTimeout as delay } from 'node:timers/promises';
import { RPC } from '@event-commerce/contracts';
import { evaluationBody } from '@event-commerce/test-kit';
import { PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { type Fault, finding, type Form, seconds } from './fault.ts';
import { judgeOrders } from './judge-orders.ts';
import { startOrders } from './order-stream.ts';
import { UPSTREAM_IN_FLIGHT_MAX, UPSTREAM_TIMEOUT_MS } from './test-bed.ts';
import { slowestMs, startTraffic, statusesOf } from './traffic.ts';
import { msUntil } from './ms-until.ts';

const DELAY_MS = 200;
const LOSS = 0.05;
const LASTS_MS: Record<Form, number> = { short: 4_000, usual: 15_000, long: 120_000 };
/** More than the gateway lets through to one service; one company gets half of that. */
const READERS = 2 * UPSTREAM_IN_FLIGHT_MAX;
const READER_PAUSE_MS = 250;
/** An abandoned connection counts until the proxy has noticed. */
const CONNECTIONS_MAX = 1.5 * UPSTREAM_IN_FLIGHT_MAX;
/** Checking the key and the limit takes a round trip to each store: 0.4 s, or 1 s if a packet is lost. */
const ADMISSION_MAX_MS = 2_000;
const SLOWEST_MAX_MS = ADMISSION_MAX_MS + Math.max(UPSTREAM_TIMEOUT_MS, RPC.evaluate.timeoutMs);
const GROWTH_MAX_MIB = 100;
const WELL_WITHIN_MS = 10_000;

/** A slow network between all processes, and between them and their stores. */
export const slowNetwork: Fault = {
  id: '45',
  name: `every connection takes ${DELAY_MS} ms more each way and loses ${LOSS * 100} %`,
  expected: `at most ${UPSTREAM_IN_FLIGHT_MAX / 2} requests of a company wait for a service, more get 429 with Retry-After; memory is bounded; recovers afterwards`,
  async run(bed, form) {
    const company = await bed.newCompany();
    const { api } = company;
    const coupon = await company.createCoupon({ maxRedemptions: 20 });
    const before = PROCESS_NAMES.map((name) => bed.memoryMiB(name));
    const withoutRetryAfter = new Set<string>();
    const reading = async () => {
      const reply = await api.get('/v1/orders?limit=1');
      if ([429, 503].includes(reply.status) && reply.headers.get('retry-after') === null)
        withoutRetryAfter.add(reply.body.message);
      return reply;
    };
    await bed.setLinks({ kind: 'slow', delayMs: DELAY_MS, loss: LOSS });
    const orders = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    const reads = startTraffic(reading, READERS, READER_PAUSE_MS);
    const evaluations = startTraffic(
      () => api.post('/v1/pricing/adjustments/evaluate', evaluationBody()),
      8,
      READER_PAUSE_MS,
    );
    await delay(LASTS_MS[form]);
    await Promise.all([reads.stop(), evaluations.stop()]);
    const growth = PROCESS_NAMES.map((name, n) => bed.memoryMiB(name) - (before[n] ?? 0));
    await bed.setLinks({ kind: 'pass' });
    const wellMs = await msUntil('requests are fast again', WELL_WITHIN_MS, async () => {
      const beganMs = performance.now();
      const { status } = await api.get('/v1/orders?limit=1');
      return status === 200 && performance.now() - beganMs < DELAY_MS;
    });
    const answers = await orders.finish();
    const samples = [...reads.samples, ...evaluations.samples];
    const connections = bed.link('gateway', 'commerce').connectionsPeak;
    const wrong = [
      ...(samples.every(({ status }) => [200, 429, 503, 504].includes(status)) ? [] : ['another status']),
      ...(samples.some(({ status }) => status === 429) ? [] : ['nothing was rejected']),
      ...(withoutRetryAfter.size === 0 ? [] : ['429 or 503 without Retry-After']),
      ...(connections <= CONNECTIONS_MAX ? [] : ['too many connections']),
      ...(slowestMs(samples) <= SLOWEST_MAX_MS ? [] : ['a response took too long']),
      ...(Math.max(...growth) <= GROWTH_MAX_MIB ? [] : ['memory grew']),
      ...(await judgeOrders(bed, company, [coupon], answers)),
    ];
    const seen =
      `${statusesOf(samples)}; at most ${connections} connections to a service; slowest response ${seconds(slowestMs(samples))}; ` +
      `memory at most ${Math.max(0, ...growth).toFixed(0)} MiB more; recovered after ${seconds(wellMs)}; orders: ${answers.placed.size}`;
    return finding(seen, wrong);
  },
};
