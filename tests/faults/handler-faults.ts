import { randomUUID } from 'node:crypto';
import { EVENT_STREAM } from '@event-commerce/bus';
import { until } from '@event-commerce/service-kit';
import { orderBody } from '@event-commerce/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { type Fault, finding } from './fault.ts';
import {
  confirmedOf,
  deliverAgain,
  judgeOrders,
  ORDERS_CONSUMER as CONSUMER,
  SHORT_ACK_WAIT_NS,
} from './judge-orders.ts';
import type { Coupon, TestBed, TestCompany } from './test-bed.ts';

const SLOW_MS = 300;
const WAIT_MS = 20_000;

function killedAt(point: string, hold: (bed: TestBed, redemptionId: string) => Promise<void>): Fault {
  return {
    id: '41',
    name: `a handler is killed ${point}`,
    expected: 'the event is redelivered and takes effect once',
    async run(bed) {
      const company = await bed.newCompany();
      const coupon = await company.createCoupon({ maxRedemptions: 5 });
      const { orderId, redemptionId } = await placeUntold(bed, company, coupon);
      const held = hold(bed, redemptionId);
      await bed.link('commerce', 'nats').set({ kind: 'pass' });
      await within('the handler reached that point', held);
      bed.platform.kill('pricing', 'SIGKILL');
      // What was held never arrives.
      for (const to of ['mongo', 'nats'] as const) {
        await bed.link('pricing', to).set({ kind: 'refuse' });
        await bed.link('pricing', to).set({ kind: 'pass' });
      }
      await bed.platform.ready('pricing');
      const again = await deliverAgain(bed);
      const wrong = await judgeOrders(bed, company, [coupon], { placed: new Set([orderId]) });
      const redeemed = (await confirmedOf(company.api, coupon)).length;
      return finding(`unacknowledged and redelivered: ${again}; redemptions: ${redeemed}`, wrong);
    },
  };
}

const stopped: Fault = {
  id: '41',
  name: 'a service is told to stop while it claims for an order',
  expected: 'the order is placed: the service ends once it has answered',
  async run(bed) {
    const company = await bed.newCompany();
    const { api, companyId } = company;
    const coupon = await company.createCoupon({ maxRedemptions: 5 });
    const customer = { id: `cus_${randomUUID()}`, email: 'buyer@example.com' };
    const claiming = bed.link('pricing', 'mongo').holdAt(customer.id, 'request');
    const answered = api.post('/v1/orders', orderBody(companyId, { coupons: [coupon.code], customer }));
    await within('pricing claims for the order', claiming);
    bed.platform.kill('pricing', 'SIGTERM');
    await until('pricing is stopping', WAIT_MS, async () => !(await isListening(bed.platform.urlOf('pricing'))));
    await bed.link('pricing', 'mongo').set({ kind: 'pass' });
    const { status, body } = await answered;
    await bed.platform.ready('pricing');
    const placed = status === 201 ? new Set<string>([body.data.order.id]) : new Set<string>();
    const wrong = [
      ...(status === 201 ? [] : [`answered ${status}`]),
      ...(await judgeOrders(bed, company, [coupon], { placed })),
    ];
    return finding(`answered ${status}; redemptions: ${(await confirmedOf(api, coupon)).length}`, wrong);
  },
};

async function isListening(url: string): Promise<boolean> {
  return await fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

/** An order that is placed, but whose event has not left commerce yet. */
async function placeUntold(bed: TestBed, { api, companyId }: TestCompany, coupon: Coupon) {
  const told = bed.link('commerce', 'nats').holdAt('domain.commerce.order.placed', 'request');
  const { body } = await api.post('/v1/orders', orderBody(companyId, { coupons: [coupon.code] }));
  await within("the order's event is about to be published", told);
  const { id, coupons } = body.data.order;
  return { orderId: id as string, redemptionId: coupons[0].redemptionId as string };
}

async function within(what: string, reached: Promise<void>): Promise<void> {
  let isSo = false;
  const watching = reached.then(() => {
    isSo = true;
  });
  await until(what, WAIT_MS, () => isSo);
  await watching;
}

const slow: Fault = {
  id: '42',
  name: 'a handler is slower than the ack wait',
  expected: 'the event is handled several times at once and takes effect once',
  async run(bed) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 5 });
    const { orderId, redemptionId } = await placeUntold(bed, company, coupon);
    const { consumers } = await jetstreamManager(bed.bus.nats);
    const { config } = await consumers.info(EVENT_STREAM, CONSUMER);
    await consumers.update(EVENT_STREAM, CONSUMER, { ack_wait: SHORT_ACK_WAIT_NS });
    await bed.link('pricing', 'mongo').set({ kind: 'slow', delayMs: SLOW_MS, loss: 0 });
    const steps = bed.link('pricing', 'mongo').count(redemptionId);
    await bed.link('commerce', 'nats').set({ kind: 'pass' });
    let repeats = 0;
    await until('the event is redelivered', WAIT_MS, async () => {
      repeats = (await consumers.info(EVENT_STREAM, CONSUMER)).num_redelivered;
      return repeats > 0;
    });
    await until('the event is acknowledged', WAIT_MS, async () => {
      return (await consumers.info(EVENT_STREAM, CONSUMER)).num_ack_pending === 0;
    });
    // One handler has acknowledged it. The others have ended once nothing more is heard of them.
    let counted = { seen: 0, atMs: performance.now() };
    await until('every handler has ended', WAIT_MS, () => {
      if (steps.seen !== counted.seen) counted = { seen: steps.seen, atMs: performance.now() };
      return performance.now() - counted.atMs > 6 * SLOW_MS;
    });
    if (config.ack_wait !== undefined) await consumers.update(EVENT_STREAM, CONSUMER, { ack_wait: config.ack_wait });
    await bed.link('pricing', 'mongo').set({ kind: 'pass' });
    const wrong = await judgeOrders(bed, company, [coupon], { placed: new Set([orderId]) });
    const redeemed = (await confirmedOf(company.api, coupon)).length;
    return finding(`redelivered while it was handled, ${steps.seen} steps in all; redemptions: ${redeemed}`, wrong);
  },
};

export const handlerFaults: readonly Fault[] = [
  killedAt('before it commits', (bed, redemptionId) => bed.link('pricing', 'mongo').holdAt(redemptionId, 'request')),
  killedAt('after it committed, before it knows', (bed, redemptionId) =>
    bed.link('pricing', 'mongo').holdAt(redemptionId, 'answer'),
  ),
  killedAt('before it acknowledges', (bed) =>
    bed.link('pricing', 'nats').holdAt(`$JS.ACK.${EVENT_STREAM}.${CONSUMER}`, 'request'),
  ),
  stopped,
  slow,
];
