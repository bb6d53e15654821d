import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DEAD_LETTER_STREAM, durableName, EVENT_STREAM } from '@event-commerce/bus';
import { type DomainEvent, type DomainEventType, subjectOfEvent } from '@event-commerce/contracts';
import { until } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, newCode, orderBody } from '@event-commerce/test-kit';
import { DiscardPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type Fault, finding, type Form } from './fault.ts';
import { confirmedOf, deliverAgain, judgeOrders, PUBLISHED_TWICE } from './judge-orders.ts';
import { startOrders } from './order-stream.ts';
import { eventsInStream } from './stream-events.ts';
import type { TestBed } from './test-bed.ts';
import { statusesOf } from './traffic.ts';
import { msUntil } from './ms-until.ts';

const MADE_AGAIN_WITHIN_MS = 5_000;
const WAIT_MS = 30_000;
const STORES_NOTHING_MS: Record<Form, number> = { short: 4_000, usual: 60_000, long: 600_000 };
const LONG_NAMES: Record<Form, number> = { short: 1_000, usual: 2_500, long: 10_000 };
/** Longer than an event is retried before it is parked. */
const RETRIED_FOR_MS = 60_000;
/** The consumer of the redemption events with values of a newer release. */
const REDEMPTIONS = durableName('commerce-redemptions', 'redemption.confirmed');
const WORKERS = 16;
const AT_ONCE = 8;

const streamDeleted: Fault = {
  id: '47',
  name: 'the event stream is deleted while orders are placed',
  expected: 'recreated within 5 s; every order keeps its redemption, and events continue',
  async run(bed) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon();
    const orders = startOrders(company, () => [coupon.code]);
    await until('orders are placed', WAIT_MS, () => orders.placed() > orders.workers);
    const { streams } = await jetstreamManager(bed.bus.nats);
    await streams.delete(EVENT_STREAM);
    const backMs = await msUntil('the stream exists again', 4 * MADE_AGAIN_WITHIN_MS, async () => {
      return (await streams.info(EVENT_STREAM)).config.name === EVENT_STREAM;
    });
    // Placed once the stream exists again: its event must be published, whatever was lost with the old stream.
    const later = await company.api.post('/v1/orders', orderBody(company.companyId, { coupons: [coupon.code] }));
    if (later.status !== 201) return finding(`then an order returned ${later.status}`, ['orders do not continue']);
    const { id } = later.body.data.order;
    await eventOf(bed, 'order.placed', id);
    const answers = await orders.finish();
    const placed = new Set([...answers.placed, id as string]);
    let confirmed = new Set<string>();
    await until('every redemption is confirmed', WAIT_MS, async () => {
      confirmed = new Set((await confirmedOf(company.api, coupon)).map(({ orderId }) => orderId));
      return placed.isSubsetOf(confirmed);
    }).catch(() => undefined);
    const [missing, extra] = [placed.difference(confirmed).size, confirmed.difference(placed).size];
    const wrong = [
      ...(backMs <= MADE_AGAIN_WITHIN_MS ? [] : ['too late']),
      ...(missing === 0 ? [] : [`${missing} orders without their redemption`]),
      ...(extra === 0 ? [] : [`${extra} redemptions without an order`]),
    ];
    return finding(`recreated after ${(backMs / 1000).toFixed(1)} s; orders: ${placed.size}`, wrong);
  },
};

const brokerStoresNothing: Fault = {
  id: '48',
  name: 'the broker stores nothing for a while, under load',
  expected: 'orders are placed throughout; afterwards every event is published once, and none is parked',
  async run(bed, form) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon();
    const { streams } = await jetstreamManager(bed.bus.nats);
    const parkedBefore = (await streams.info(DEAD_LETTER_STREAM)).state.last_seq;
    const orders = startOrders(company, () => [coupon.code]);
    await until('orders are placed', WAIT_MS, () => orders.placed() > orders.workers);
    const { config } = await streams.info(EVENT_STREAM);
    await streams.update(EVENT_STREAM, { max_bytes: 1, discard: DiscardPolicy.New });
    const before = orders.placed();
    await delay(STORES_NOTHING_MS[form]);
    const meanwhile = orders.placed() - before;
    await streams.update(EVENT_STREAM, { max_bytes: config.max_bytes, discard: config.discard });
    const answers = await orders.finish();
    const wrong = [
      ...(meanwhile > 0 ? [] : ['no order was placed during the fault']),
      ...(await judgeOrders(bed, company, [coupon], answers)),
      ...(await parkedSince(bed, parkedBefore)),
    ];
    return finding(`orders meanwhile: ${meanwhile}, in all: ${answers.placed.size}`, wrong);
  },
};

const largeReply: Fault = {
  id: '49',
  name: 'a response is larger than one message',
  expected: 'evaluations return 200 and are complete, even many at once',
  async run(bed, form) {
    const { api } = await bed.newCompany();
    const name = '\u{1F3AB}'.repeat(120);
    let left = LONG_NAMES[form];
    const make = async () => {
      while (left-- > 0) {
        const [body, key] = [adjustmentBody(newCode(), { name }), { 'idempotency-key': randomUUID() }];
        await until('an adjustment is created', WAIT_MS, async () => {
          return (await api.post('/v1/pricing/adjustments', body, key)).status === 201;
        });
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, make));
    await until('one evaluation succeeds', WAIT_MS, async () => {
      return (await api.post('/v1/pricing/adjustments/evaluate', evaluationBody())).status === 200;
    });
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, () => api.post('/v1/pricing/adjustments/evaluate', evaluationBody())),
    );
    const dropped = new Set(replies.map(({ body }) => body.data?.droppedAdjustments?.length as number));
    const bytes = Buffer.byteLength(JSON.stringify(replies[0]?.body));
    const wrong = [
      ...(replies.every(({ status }) => status === 200) ? [] : ['not every evaluation succeeded']),
      ...(dropped.size === 1 && dropped.has(LONG_NAMES[form]) ? [] : [`dropped: ${[...dropped].join(', ')}`]),
    ];
    return finding(`${statusesOf(replies)}, ${(bytes / 1_000_000).toFixed(1)} MB each`, wrong);
  },
};

const everyOrder: Fault = {
  id: '50',
  name: 'events of an order are redelivered, in every order',
  expected: 'a released redemption stays released, and the other one stands',
  async run(bed) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 5 });
    const order = async () => {
      const { body } = await company.api.post('/v1/orders', orderBody(company.companyId, { coupons: [coupon.code] }));
      return body.data.order.id as string;
    };
    const [cancelled, standing] = [await order(), await order()];
    await until('both are confirmed', WAIT_MS, async () => (await confirmedOf(company.api, coupon)).length === 2);
    await company.api.post(`/v1/orders/${cancelled}/cancel`, {});
    await until('one is released', WAIT_MS, async () => (await confirmedOf(company.api, coupon)).length === 1);
    const [placed, undone] = [
      await eventOf(bed, 'order.placed', cancelled),
      await eventOf(bed, 'order.cancelled', cancelled),
    ];
    const stands = await eventOf(bed, 'order.placed', standing);
    for (const events of [
      [placed, undone, placed],
      [undone, placed],
      [placed, placed, undone, undone],
      [stands, placed, stands],
    ]) {
      for (const event of events) await publishAgain(bed, event);
      await deliverAgain(bed);
    }
    const own = await confirmedOf(company.api, coupon);
    // Redeeming again for the same order returns the number of redemptions and changes nothing.
    const { body } = await company.api.post(`/v1/pricing/adjustments/${coupon.id}/redemptions`, { orderId: standing });
    const redeemed = body.data?.usage.redeemed ?? body.message;
    const wrong = [
      ...(own.length === 1 && own[0]?.orderId === standing ? [] : [`${own.length} redemptions stand`]),
      ...(redeemed === 1 ? [] : [`counted redemptions: ${redeemed}`]),
    ];
    return finding('one redemption stands, one is released', wrong);
  },
};

const twoReleases: Fault = {
  id: '51',
  name: 'a newer release publishes types and values that this one does not know',
  expected: 'they are skipped: nothing is parked, and other events continue',
  async run(bed) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 5 });
    const { streams } = await jetstreamManager(bed.bus.nats);
    const parkedBefore = (await streams.info(DEAD_LETTER_STREAM)).state.last_seq;
    const orders = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    await until('a redemption is confirmed', WAIT_MS, async () => (await confirmedOf(company.api, coupon)).length > 0);
    const own = ({ companyid }: { companyid: string }) => companyid === company.companyId;
    const known = await until('its event is published', WAIT_MS, async () => {
      return (await eventsInStream(bed.bus, 'redemption.confirmed')).findLast(own);
    });
    const client = jetstream(bed.bus.nats);
    for (let n = 0; n < 20; n++) {
      const transferred = { ...known.data.redemption, status: 'transferred' };
      await publishAgain(bed, { ...known, id: randomUUID(), data: { ...known.data, redemption: transferred } });
      const type = 'order.refunded';
      await client.publish(`domain.commerce.${type}`, JSON.stringify({ ...known, id: randomUUID(), type }));
    }
    const answers = await orders.finish();
    const wrong = await judgeOrders(bed, company, [coupon], answers, [PUBLISHED_TWICE]);
    // An event that cannot be handled is retried before it is parked, and is not acknowledged meanwhile.
    const { consumers } = await jetstreamManager(bed.bus.nats);
    await until('they are acknowledged or parked', RETRIED_FOR_MS, async () => {
      const { num_ack_pending: underWay, num_pending: waiting } = await consumers.info(EVENT_STREAM, REDEMPTIONS);
      return underWay + waiting === 0;
    });
    wrong.push(...(await parkedSince(bed, parkedBefore)));
    return finding(`40 such events, orders: ${answers.placed.size}`, wrong);
  },
};

/** What consumers parked after the dead letter of this sequence: the event, who parked it, and why. */
async function parkedSince(bed: TestBed, sequence: number): Promise<string[]> {
  const { streams } = await jetstreamManager(bed.bus.nats);
  const found: string[] = [];
  const { last_seq: last } = (await streams.info(DEAD_LETTER_STREAM)).state;
  for (let seq = sequence + 1; seq <= last; seq++) {
    const letter = (await streams.getMessage(DEAD_LETTER_STREAM, { seq }))?.json<Record<string, string>>();
    found.push(`${letter?.['consumer']} parked ${letter?.['event']} of ${letter?.['subject']}: ${letter?.['reason']}`);
  }
  return found;
}

async function eventOf(bed: TestBed, type: DomainEventType, subject: string): Promise<DomainEvent> {
  let found: DomainEvent | undefined;
  await until(`${type} of ${subject} is published`, WAIT_MS, async () => {
    found = (await eventsInStream(bed.bus, type)).find((event) => event.subject === subject);
    return found !== undefined;
  });
  return found as DomainEvent;
}

/** Publishes without a message id, so that the broker does not drop it as a duplicate. */
async function publishAgain(bed: TestBed, event: Omit<DomainEvent, 'data'> & { data: unknown }): Promise<void> {
  await jetstream(bed.bus.nats).publish(subjectOfEvent(event as DomainEvent), JSON.stringify(event));
}

export const busFaults: readonly Fault[] = [streamDeleted, brokerStoresNothing, largeReply, everyOrder, twoReleases];
