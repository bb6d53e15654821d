import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo } from '@event-commerce/service-kit';
import { type ApiClient, orderBody } from '@event-commerce/test-kit';
import type { MeasuredPlatform } from './measured-platform.ts';

const AT_ONCE = 64;
const LOOKED_EVERY_MS = 50;
/** If it takes longer, something is wrong. */
const SETTLED_WITHIN_MS = 300_000;
/** The claims that are held, and the pools that are being changed, as the services store them. */
const UNSETTLED = {
  pricing: { ledger: 'redemptions', pools: 'usages' },
  events: { ledger: 'tickets', pools: 'ticket_pools' },
} as const;

/**
 * How fast `count` pending orders, all with one code and one ticket of one offering, end: from the moment when they
 * expire, or when the first one is confirmed, until all counters include that.
 */
export async function measureEnding(
  { infrastructure, dbNameOf }: MeasuredPlatform,
  { api, companyId }: { api: ApiClient; companyId: string },
  count: number,
  end: 'confirmed' | 'expired',
): Promise<{ seconds: number; perSecond: number }> {
  const capacity = 10_000_000;
  const event = (await api.post('/v1/events', { name: 'Gala', capacity })).body.data;
  const offering = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' }, capacity };
  const { id: offeringId } = (await api.post(`/v1/events/${event.id}/offerings`, offering)).body.data;
  const code = `END-${end}`;
  await api.post('/v1/coupons', { code, percentOff: 20, limit: capacity, contextIds: [event.id] });

  const databases = ['commerce', 'pricing', 'events'] as const;
  const [commerce, pricing, events] = await Promise.all(
    databases.map((name) => connectMongo(infrastructure.mongoUrl, { dbName: dbNameOf(name), appName: 'bench' })),
  );
  if (commerce === undefined || pricing === undefined || events === undefined) throw new TypeError('no connection');
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const beganMs = performance.now();
    while (!(await isSo())) {
      if (performance.now() - beganMs > SETTLED_WITHIN_MS) throw new Error(`${what} takes too long`);
      await delay(LOOKED_EVERY_MS);
    }
  };
  const heldIn = async (name: keyof typeof UNSETTLED): Promise<number> => {
    const mongo = name === 'pricing' ? pricing : events;
    return await mongo.collection(UNSETTLED[name].ledger).countDocuments({ companyId, status: 'held' });
  };
  const isSettledIn = async (name: keyof typeof UNSETTLED): Promise<boolean> => {
    const mongo = name === 'pricing' ? pricing : events;
    const transitions = { companyId, 'transitions.0': { $exists: true } };
    return (await heldIn(name)) === 0 && (await mongo.collection(UNSETTLED[name].pools).findOne(transitions)) === null;
  };

  const ids: string[] = [];
  await forEach(Array.from({ length: count }), async () => {
    const items = [{ offeringId, quantity: 1 }];
    const changes = { contextId: event.id, items, coupons: [code], expiresInSeconds: 3_600 };
    const { status, body } = await api.post('/v1/orders', orderBody(companyId, changes));
    if (status !== 201) throw new Error(`an order was answered with ${status}: ${JSON.stringify(body.error)}`);
    ids.push(body.data.order.id);
  });
  await until('holding', async () => (await heldIn('pricing')) === count && (await heldIn('events')) >= count);

  const beganMs = performance.now();
  if (end === 'expired') {
    await commerce
      .collection('orders')
      .updateMany({ companyId, status: 'pending' }, { $set: { expiresAt: new Date() } });
  } else await forEach(ids, async (id) => void (await api.post(`/v1/orders/${id}/confirm`, {})));
  await until('settling', async () => (await isSettledIn('pricing')) && (await isSettledIn('events')));
  const seconds = (performance.now() - beganMs) / 1000;
  await Promise.all([commerce, pricing, events].map(async (mongo) => mongo.close()));
  return { seconds, perSecond: count / seconds };
}

async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < all.length) await work(all[next++] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
