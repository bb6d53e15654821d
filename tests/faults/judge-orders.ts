import { durableName, EVENT_STREAM } from '@event-commerce/bus';
import { until } from '@event-commerce/service-kit';
import type { ApiClient } from '@event-commerce/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Answers } from './order-stream.ts';
import { eventsInStream } from './stream-events.ts';
import type { Coupon, TestBed, TestCompany } from './test-bed.ts';

/** The consumer that confirms the redemptions of a placed order. */
export const ORDERS_CONSUMER = durableName('pricing-orders', 'order.placed');
/** Half a second, so that the broker redelivers an event at once instead of after its usual half minute. */
export const SHORT_ACK_WAIT_NS = 500_000_000;
const SETTLE_TIMEOUT_MS = 45_000;

/** The finding for redemption events that are in the stream more than once. */
export const PUBLISHED_TWICE = 'redemption events published twice';

/**
 * Waits until a company's orders and redemptions agree with what clients were told, as the API shows them. Returns what
 * is still wrong after a while, in words, except what is `caused` by the fault itself; nothing after a good run.
 */
export async function judgeOrders(
  bed: TestBed,
  company: TestCompany,
  coupons: readonly Coupon[],
  answers: Pick<Answers, 'placed'>,
  caused: readonly string[] = [],
): Promise<string[]> {
  let wrong: string[] = ['nothing could be read'];
  await deliverAgain(bed);
  await until('everything agrees', SETTLE_TIMEOUT_MS, async () => {
    const found = await differences(bed, company, coupons, answers);
    wrong = found.filter((what) => !caused.includes(what));
    return wrong.length === 0;
  }).catch(({ cause }: Error) => {
    if (cause !== undefined) wrong.push(`reading failed: ${(cause as Error).message}`);
  });
  return wrong;
}

/** Makes the broker redeliver unacknowledged events at once. Returns how many there were, when none is left. */
export async function deliverAgain(bed: TestBed): Promise<number> {
  const { consumers } = await jetstreamManager(bed.bus.nats);
  const { config, num_ack_pending: open } = await consumers.info(EVENT_STREAM, ORDERS_CONSUMER);
  await consumers.update(EVENT_STREAM, ORDERS_CONSUMER, { ack_wait: SHORT_ACK_WAIT_NS });
  await until('every event is acknowledged', SETTLE_TIMEOUT_MS, async () => {
    const { num_ack_pending: underWay, num_pending: waiting } = await consumers.info(EVENT_STREAM, ORDERS_CONSUMER);
    return underWay + waiting === 0;
  });
  if (config.ack_wait !== undefined) {
    await consumers.update(EVENT_STREAM, ORDERS_CONSUMER, { ack_wait: config.ack_wait });
  }
  return open;
}

async function differences(
  bed: TestBed,
  { api }: TestCompany,
  coupons: readonly Coupon[],
  answers: Pick<Answers, 'placed'>,
): Promise<string[]> {
  const orders = await listAll(api, '/v1/orders');
  const stored = new Set<string>(orders.map(({ id }) => id));
  const named = new Set<string>(orders.flatMap((order) => order.coupons.map(({ redemptionId }: any) => redemptionId)));
  const confirmed = new Set<string>();
  const wrong: string[] = [];

  for (const coupon of coupons) {
    const own = await confirmedOf(api, coupon);
    for (const { id } of own) confirmed.add(id);
    if (coupon.cap !== undefined && own.length > coupon.cap) {
      wrong.push(`${own.length} redemptions of a cap of ${coupon.cap}`);
    }
    if (own.length !== new Set(own.map(({ orderId }) => orderId)).size) wrong.push('an order redeemed twice');
    const [first] = own;
    if (first === undefined) continue;
    // Redeeming again for the same order returns the number of redemptions and changes nothing.
    const again = await api.post(`/v1/pricing/adjustments/${coupon.id}/redemptions`, { orderId: first.orderId });
    const { redeemed, remaining } = again.body.data.usage;
    if (redeemed !== own.length) wrong.push(`${redeemed} redemptions counted of ${own.length}`);
    const left = coupon.cap === undefined ? null : coupon.cap - own.length;
    if (remaining !== left) wrong.push(`${remaining} redemptions left instead of ${left}`);
  }
  const told = (await eventsInStream(bed.bus, 'order.placed')).filter(({ subject }) => stored.has(subject));
  const heard = new Map(told.map(({ subject, id }) => [subject, id]));
  const confirmations = (await eventsInStream(bed.bus, 'redemption.confirmed')).filter(({ data }) =>
    confirmed.has(data.redemption.id),
  );
  return [
    ...wrong,
    ...count('lost orders', answers.placed.difference(stored)),
    ...count('orders that no client was told of', stored.difference(answers.placed)),
    ...count('lost redemptions', named.difference(confirmed)),
    ...count('redemptions without an order', confirmed.difference(named)),
    ...count('orders whose event is missing', stored.difference(new Set(heard.keys()))),
    ...count('order events published twice', new Set(told.filter(({ subject, id }) => heard.get(subject) !== id))),
    ...count(
      'redemptions whose event is missing',
      confirmed.difference(new Set(confirmations.map(({ data }) => data.redemption.id))),
    ),
    ...(new Set(confirmations.map(({ id }) => id)).size > confirmed.size ? [PUBLISHED_TWICE] : []),
  ];
}

function count(what: string, found: ReadonlySet<unknown>): string[] {
  return found.size === 0 ? [] : [`${found.size} ${what}`];
}

/** The confirmed redemptions of `coupon` in the ledger. */
export async function confirmedOf(api: ApiClient, coupon: Coupon): Promise<{ id: string; orderId: string }[]> {
  const ledger = await listAll(api, `/v1/pricing/adjustments/${coupon.id}/redemptions`);
  return ledger.filter(({ status }) => status === 'confirmed');
}

/** Every page of a list. */
export async function listAll(api: ApiClient, listPath: string): Promise<any[]> {
  const found = [];
  for (let next: string | null = ''; next !== null;) {
    const { body }: { body: any } = await api.get(`${listPath}?limit=200${next === '' ? '' : `&cursor=${next}`}`);
    found.push(...body.data);
    next = body.page.next;
  }
  return found;
}
