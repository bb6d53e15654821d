import { connectMongo, until } from '@event-commerce/service-kit';
import type { OwnPlatform } from '../harness/own-platform.ts';

/** A pending order lives for a minute, and what a killed process leaves is found within seconds. */
const SETTLE_TIMEOUT_MS = 150_000;

export type Document = Record<string, any>;

/** The state of a sale in which nothing is in progress. */
interface Settled {
  discounts: number;
  seats: number;
  /** Placed orders without a discount or a seat. */
  plain: { id: string; offeringId: string }[];
  /** Carts that sit at the table without an order: theirs expired. */
  idle: string[];
}

/** Resolves once nothing is pending: no order, no claim, no reservation of a cart, no event. */
export async function settled(own: OwnPlatform): Promise<Settled> {
  return await withDatabases(own, async (of) => {
    const none = async (name: string, collection: string, filter: Document) =>
      (await of(name).collection(collection).countDocuments(filter)) === 0;
    const unpublished = { 'outbox.0': { $exists: true } };
    // One after the other, as one leads to the next: what is none stays none once everything before it is.
    const steps: (() => Promise<boolean>)[] = [
      async () => none('commerce', 'orders', { status: 'pending' }),
      async () => none('commerce', 'orders', unpublished),
      async () => none('pricing', 'usages', { 'pending.0': { $exists: true } }),
      async () => none('events', 'ticket_pools', { 'pending.0': { $exists: true } }),
      async () => none('pricing', 'redemptions', { status: 'held' }),
      async () => none('events', 'tickets', { status: 'held' }),
      async () => none('cart', 'sessions', { checkout: { $exists: true } }),
      async () => releasedAll(of),
      async () => soldAll(of),
      async () => none('pricing', 'usages', { 'transitions.0': { $exists: true } }),
      async () => none('events', 'ticket_pools', { 'transitions.0': { $exists: true } }),
      async () => none('pricing', 'usages', unpublished),
      async () => none('cart', 'sessions', unpublished),
    ];
    await until('nothing is in progress', SETTLE_TIMEOUT_MS, async () => {
      for (const step of steps) if (!(await step())) return false;
      return true;
    });
    const placed = await of('commerce').collection('orders').find({ status: 'placed' }).toArray();
    const { bought: seated, idle } = await seatsOf(of);
    return {
      idle,
      discounts: placed.filter(redeems).length,
      seats: seated.size,
      plain: placed
        .filter((order) => !redeems(order) && !seated.has(order['cartSessionId']))
        .map(({ _id, items }) => ({ id: String(_id), offeringId: items[0].offeringId as string })),
    };
  });
}

/** Whether a stored order redeems the code: a change may have released its redemption. */
export function redeems({ claims }: Document): boolean {
  return claims.some(({ keeps }: Document) => keeps !== 0);
}

export type Databases = (
  name: string,
) => ReturnType<ReturnType<Awaited<ReturnType<typeof connectMongo>>['getClient']>['db']>;

export async function withDatabases<T>(
  { infrastructure, prefix }: OwnPlatform,
  work: (of: Databases) => Promise<T>,
): Promise<T> {
  const mongo = await connectMongo(infrastructure.mongoUrl, { dbName: `${prefix}_commerce`, appName: 'sale' });
  try {
    return await work((name) => mongo.getClient().db(`${prefix}_${name}`));
  } finally {
    await mongo.close();
  }
}

/** Whether everything that orders returned has been released, and their carts are open. */
async function releasedAll(of: Databases): Promise<boolean> {
  const ended = await of('commerce')
    .collection('orders')
    .find({ status: { $in: ['cancelled', 'expired'] } })
    .project({ claims: 1, tickets: 1, cartSessionId: 1 })
    .toArray();
  const ids = (claims: Document[], field: string) => claims.map((claim) => claim[field] as string);
  const redemptionIds = ended.flatMap(({ claims }) => ids(claims, 'redemptionId'));
  const ticketIds = ended.flatMap(({ tickets }) => ids(tickets, 'claimId'));
  const standing = async (name: string, collection: string, some: string[]) =>
    await of(name)
      .collection(collection)
      .countDocuments({ _id: { $in: some }, status: { $in: ['confirmed', 'held'] } } as Document);
  const left = await Promise.all([
    standing('pricing', 'redemptions', redemptionIds),
    standing('events', 'tickets', ticketIds),
  ]);
  // What was claimed is released before a cancellation is answered; cart follows the order's event.
  const theirs = { 'ordered.orderId': { $in: ended.map(({ _id }) => String(_id)) } };
  const closed = await of('cart').collection('sessions').countDocuments(theirs);
  const over = new Set(ended.map(({ cartSessionId }) => String(cartSessionId)));
  return [...left, closed].every((each) => each === 0) && (await seatsOf(of)).bought.isDisjointFrom(over);
}

/** Whether the seats of all ordered carts are their orders': a cart is ordered first. */
async function soldAll(of: Databases): Promise<boolean> {
  const seated = { ordered: { $exists: true }, tableCommitmentId: { $exists: true } };
  const sessions = await of('cart').collection('sessions').find(seated).project({ sessionId: 1 }).toArray();
  const { bought } = await seatsOf(of);
  return sessions.every(({ sessionId }) => bought.has(String(sessionId)));
}

/** The carts whose orders have a seat at the table, and those that sit there without an order. */
export async function seatsOf(of: Databases): Promise<{ bought: Set<string>; idle: string[] }> {
  const tables = await of('cart').collection('table_commitments').find({}).toArray();
  const seats = tables.flatMap(({ joined }) => joined as Document[]);
  return {
    bought: new Set(seats.flatMap(({ boughtBy }) => (boughtBy === undefined ? [] : [String(boughtBy)]))),
    idle: seats.flatMap(({ boughtBy, sessionId }) => (boughtBy === undefined ? [String(sessionId)] : [])),
  };
}
