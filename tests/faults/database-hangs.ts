import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@event-commerce/service-kit';
import { PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { type Fault, finding, type Form, seconds } from './fault.ts';
import { judgeOrders } from './judge-orders.ts';
import { msUntil } from './ms-until.ts';
import { startOrders } from './order-stream.ts';
import { UPSTREAM_TIMEOUT_MS } from './test-bed.ts';
import { slowestMs, startControl, startTraffic, statusesOf } from './traffic.ts';

const HANGS_MS: Record<Form, number> = { short: 5_000, usual: 20_000, long: 120_000 };
/** The gateway looks up the key, which needs the database only now and then, before it waits for a service. */
const ANSWERED_WITHIN_MS = 2 * UPSTREAM_TIMEOUT_MS;
const WELL_WITHIN_MS = 10_000;

/** Unlike one that is down, a database that hangs refuses nothing: connections open, and no command returns. */
export const databaseHangs: Fault = {
  id: '43',
  name: 'the database hangs',
  expected:
    'every request returns in time, 503 with Retry-After or 504; no process restarts; afterwards every order is placed once, with its redemption',
  async run(bed, form) {
    const company = await bed.newCompany();
    const { api } = company;
    const coupon = await company.createCoupon({ maxRedemptions: 20 });
    const orders = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    await until('orders are placed', 20_000, () => orders.placed() > orders.workers);
    const pids = PROCESS_NAMES.map((name) => bed.platform.pidOf(name));

    await bed.pause('mongo');
    const control = startControl(bed.platform.url);
    const withoutRetryAfter = new Set<string>();
    const reads = startTraffic(async () => {
      const reply = await api.get('/v1/orders?limit=1');
      if (reply.status === 503 && reply.headers.get('retry-after') === null) withoutRetryAfter.add(reply.body.message);
      return reply;
    });
    await delay(HANGS_MS[form]);
    const { status: ready } = await api.get('/readyz');
    await Promise.all([reads.stop(), control.stop()]);
    await bed.resume('mongo');
    const wellMs = await msUntil('requests succeed again', WELL_WITHIN_MS, async () => {
      return (await api.get('/v1/orders?limit=1')).status === 200;
    });

    const answers = await orders.finish();
    const slowest = slowestMs(reads.samples);
    const wrong = [
      ...(reads.samples.every(({ status }) => [503, 504].includes(status)) ? [] : ['another status']),
      ...(withoutRetryAfter.size === 0 ? [] : ['503 without Retry-After']),
      ...(slowest <= ANSWERED_WITHIN_MS + slowestMs(control.samples) ? [] : ['a response took too long']),
      ...(ready === 503 ? [] : [`/readyz returned ${ready}`]),
      ...(PROCESS_NAMES.every((name, n) => bed.platform.pidOf(name) === pids[n]) ? [] : ['a process restarted']),
      ...(await judgeOrders(bed, company, [coupon], answers)),
    ];
    const seen =
      `${statusesOf(reads.samples)}; slowest response ${seconds(slowest)}; requests succeed ${seconds(wellMs)} after its return; ` +
      `orders: ${answers.placed.size}, retries: ${answers.retried.length}`;
    return finding(seen, wrong);
  },
};
