import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_STREAM } from '@event-commerce/bus';
import { until } from '@event-commerce/service-kit';
import { evaluationBody, orderBody } from '@event-commerce/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { type Fault, finding, type Form, seconds } from './fault.ts';
import { confirmedOf, judgeOrders, ORDERS_CONSUMER } from './judge-orders.ts';
import { startOrders } from './order-stream.ts';
import type { TestBed, TestCompany } from './test-bed.ts';
import { slowestMs, startControl, startTraffic, statusesOf } from './traffic.ts';
import { msUntil } from './ms-until.ts';

const ADDED_MAX_MS = 110;
const BACK_WITHIN_MS = 1_000;
/** The gateway's steps until it uses Redis again: connect, ask its state, probe, send the script, probe. */
const STEPS_BACK = 5;
const NOTICED_WITHIN_MS = 3_000;
const RECREATED_WITHIN_MS = 5_000;
const CHANGED_PRICE = 7_000;
const OUTAGE_MS: Record<Form, number> = { short: 2_000, usual: 20_000, long: 600_000 };

function redis(how: string, away: 'pause' | 'kill9', back: 'resume' | 'restart'): Fault {
  return {
    id: '38',
    name: `Redis ${how}`,
    expected: `no 5xx, no false 429, at most ${ADDED_MAX_MS} ms added, used again within a second of its return`,
    async run(bed, form) {
      const outages: RedisOutage[] = [];
      while (outages.length < OUTAGES_MAX && outages.every(({ addedMs }) => addedMs > ADDED_MAX_MS)) {
        outages.push(await redisOutage(bed, form, away, back));
      }
      const tooSlow = outages.every(({ addedMs }) => addedMs > ADDED_MAX_MS) ? ['too slow'] : [];
      const wrong = [...outages.flatMap((outage) => outage.wrong), ...tooSlow];
      return finding(outages.map(({ seen }) => seen).join('; then '), wrong);
    },
  };
}

/** A busy machine that adds delays does not do so in every outage. */
const OUTAGES_MAX = 3;

interface RedisOutage {
  addedMs: number;
  wrong: string[];
  seen: string;
}

async function redisOutage(
  bed: TestBed,
  form: Form,
  away: 'pause' | 'kill9',
  back: 'resume' | 'restart',
): Promise<RedisOutage> {
  const windowMs = form === 'short' ? 700 : 3_000;
  const { api } = await bed.newCompany({ rateLimit: { perSecond: 2_000, burst: 2_000 } });
  const limited = startTraffic(() => api.get('/v1/orders?limit=1'));
  const control = startControl(bed.platform.url);
  // The requests go on to commerce and its database, which have nothing to do with Redis.
  const beyond = startControl(bed.platform.urlOf('commerce'), '/readyz');
  await delay(windowMs);
  const awayAtMs = performance.now();
  await bed[away]('redis');
  await delay(windowMs);
  const duringMs = performance.now();
  await bed[back]('redis');
  // A check takes as long as the slowest dependency of the gateway.
  let lookMs = 0;
  const backAfterMs = await msUntil('Redis is used again', 10 * BACK_WITHIN_MS, async () => {
    const beganMs = performance.now();
    const checks = await bed.checks();
    lookMs = performance.now() - beganMs;
    return checks['redis'] === 'ok';
  });
  await Promise.all([limited.stop(), control.stop(), beyond.stop()]);

  // A request passes the gateway, as `control` does, and then commerce, as `beyond` does: each may be late.
  const lateMs = [control, beyond].reduce((sum, { samples }) => sum + slowestMs(samples, awayAtMs, duringMs), 0);
  const usualMs = Math.max(slowestMs(limited.samples, 0, awayAtMs), lateMs);
  const addedMs = Math.max(0, slowestMs(limited.samples, awayAtMs, duringMs) - usualMs);
  const lateBackMs = STEPS_BACK * slowestMs(control.samples, duringMs);
  const wrong = [
    ...(limited.samples.every(({ status }) => status === 200) ? [] : ['not every request was served']),
    ...(backAfterMs - lookMs <= BACK_WITHIN_MS + lateBackMs ? [] : ['back too late']),
  ];
  const seen = `${statusesOf(limited.samples)}, at most ${addedMs.toFixed(0)} ms added, used again after ${backAfterMs.toFixed(0)} ms`;
  return { addedMs, wrong, seen };
}

const natsHangs: Fault = {
  id: '39',
  name: 'NATS hangs',
  expected:
    'noticed within 3 s; from then on evaluations return 503 with Retry-After; everything works after its return',
  async run(bed) {
    const { api } = await bed.newCompany();
    const control = startControl(bed.platform.url);
    await bed.pause('nats');
    const noticedMs = await msUntil('the gateway reports that NATS is down', 4 * NOTICED_WITHIN_MS, async () => {
      return (await bed.checks())['nats'] !== 'ok';
    });
    await control.stop();
    const lateMs = slowestMs(control.samples);
    const beganMs = performance.now();
    const reply = await api.post('/v1/pricing/adjustments/evaluate', evaluationBody());
    const tookMs = performance.now() - beganMs;
    await bed.resume('nats');
    const backMs = await msUntil('evaluations succeed again', 30_000, async () => {
      return (await api.post('/v1/pricing/adjustments/evaluate', evaluationBody())).status === 200;
    });
    const wrong = [
      ...(noticedMs <= NOTICED_WITHIN_MS + lateMs ? [] : ['noticed too late']),
      ...(reply.status === 503 && reply.headers.get('retry-after') !== null ? [] : [`answered ${reply.status}`]),
    ];
    const seen = `noticed after ${seconds(noticedMs)} (the machine itself up to ${seconds(lateMs)} late), then ${reply.status} in ${tookMs.toFixed(0)} ms, served again ${seconds(backMs)} after its return`;
    return finding(seen, wrong);
  },
};

const natsGone: Fault = {
  id: '39',
  name: 'NATS is killed, and stays down for a while',
  expected:
    'orders that claim nothing continue, others return 503; recovers on its own; every event once, every redemption counted, a change of price in the cart',
  async run(bed, form) {
    const company = await bed.newCompany();
    const { api, companyId } = company;
    const coupon = await company.createCoupon({ maxRedemptions: 20 });
    const offered = await cartOf(company);
    const withCoupons = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    await until('orders are placed', 20_000, () => withCoupons.placed() > withCoupons.workers);
    await bed.kill9('nats');
    const repriced = await offered.changePrice();
    const awayUntilMs = performance.now() + OUTAGE_MS[form];
    const plain = new Set<string>();
    const plainStatuses: { status: number }[] = [];
    while (performance.now() < awayUntilMs) {
      const reply = await api.post('/v1/orders', orderBody(companyId, { items: [] }));
      plainStatuses.push(reply);
      if (reply.status === 201) plain.add(reply.body.data.order.id);
      await delay(100);
    }
    const refused = await api.post('/v1/orders', orderBody(companyId, { coupons: [coupon.code] }));
    await bed.restart('nats');
    const told = await offered.firstPrice();
    const answers = await withCoupons.finish();
    const placed = answers.placed.union(plain);
    const wrong = [
      ...(plainStatuses.every(({ status }) => status === 201) ? [] : [`without claims ${statusesOf(plainStatuses)}`]),
      ...(refused.status === 503 ? [] : [`with claims ${refused.status}`]),
      ...(repriced === 200 && told === CHANGED_PRICE
        ? []
        : [`a change of price ${repriced}, then ${told} in the cart`]),
      ...(await judgeOrders(bed, company, [coupon], { placed })),
    ];
    const seen = `away ${OUTAGE_MS[form] / 1000} s; orders meanwhile: ${plain.size}, in all: ${placed.size}, redemptions: ${(await confirmedOf(api, coupon)).length}`;
    return finding(seen, wrong);
  },
};

/** A cart that has read the price of its offering, and what happens to that. */
async function cartOf({ api }: TestCompany) {
  const { body: event } = await api.post('/v1/events', { name: 'Gala' });
  const price = { amount: 5_000, currency: 'EUR' };
  const { body: offering } = await api.post(`/v1/events/${event.data.id}/offerings`, { name: 'Ticket', price });
  const items = [{ offeringId: offering.data.id, quantity: 1 }];
  const { body: cart } = await api.post('/v1/cart/sessions', { items });
  const change = { price: { ...price, amount: CHANGED_PRICE } };
  return {
    changePrice: async () => (await api.patch(`/v1/offerings/${offering.data.id}`, change)).status,
    /** What the cart costs by the first response that says so. */
    firstPrice: async () => {
      let total: number | undefined;
      await until('the cart can be read', 30_000, async () => {
        const { status, body } = await api.get(`/v1/cart/sessions/${cart.data.id}`);
        if (status === 200 && body.data.priceStatus === 'current') total = body.data.total;
        return total !== undefined;
      });
      return total;
    },
  };
}

const consumerDeleted: Fault = {
  id: '40',
  name: 'a consumer is deleted while in use',
  expected: 'recreated within 5 s; events in between are handled, and none twice',
  async run(bed) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 5 });
    const placed = new Set([await order(company, coupon.code)]);
    await until('the first is confirmed', 10_000, async () => (await confirmedOf(company.api, coupon)).length === 1);
    const manager = await jetstreamManager(bed.bus.nats);
    await manager.consumers.delete(EVENT_STREAM, ORDERS_CONSUMER);
    placed.add(await order(company, coupon.code));
    const backMs = await msUntil('the consumer exists again', 4 * RECREATED_WITHIN_MS, async () => {
      return (await manager.consumers.info(EVENT_STREAM, ORDERS_CONSUMER)).name !== '';
    });
    const wrong = [
      ...(backMs <= RECREATED_WITHIN_MS ? [] : ['too late']),
      ...(await judgeOrders(bed, company, [coupon], { placed })),
    ];
    return finding(
      `recreated after ${seconds(backMs)}; orders: ${placed.size}, redemptions: ${(await confirmedOf(company.api, coupon)).length}`,
      wrong,
    );
  },
};

async function order({ api, companyId }: Awaited<ReturnType<TestBed['newCompany']>>, code: string): Promise<string> {
  const { body } = await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }));
  return body.data.order.id;
}

export const storeFaults: readonly Fault[] = [
  redis('hangs', 'pause', 'resume'),
  redis('is killed', 'kill9', 'restart'),
  natsHangs,
  natsGone,
  consumerDeleted,
];
