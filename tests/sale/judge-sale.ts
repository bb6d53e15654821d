import { connectMongo } from '@event-commerce/service-kit';
import { type Finding, finding } from '../faults/fault.ts';
import { until } from '../faults/until.ts';
import type { OwnPlatform } from '../own-platform.ts';
import type { Outcome } from './buyer.ts';
import type { Sale } from './sale.ts';

/** A pending order lives for a minute, and what a killed process leaves is found within seconds. */
const SETTLE_TIMEOUT_MS = 150_000;

type Document = Record<string, any>;

/** What a sale came to. Every list and every difference is empty after a good one. */
export interface SaleReport {
  kills: Record<string, number>;
  buyers: number;
  orders: Record<string, number>;
  refusals: Record<string, number>;
  /** What is taken, and how much there was: as the API, the counters, the ledger and the stored orders say. */
  taken: {
    what: string;
    supply: number;
    api: number;
    counter: number;
    claimed: number;
    ledger: number;
    orders: number;
  }[];
  /** What buyers saw that must not be, in words. */
  notes: string[];
  /** Orders whose stored state is not what their buyer was told last. */
  otherStates: string[];
  lostOrders: string[];
  strayOrders: string[];
  /** Carts that are not open though no standing order is theirs, or the other way round. */
  wrongCarts: string[];
}

/** The state of a sale in which nothing is on its way any more. */
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
    const count = async (name: string, collection: string, filter: Document) =>
      await of(name).collection(collection).countDocuments(filter);
    await until('nothing is on its way any more', SETTLE_TIMEOUT_MS, async () => {
      const left = await Promise.all([
        count('commerce', 'orders', { status: 'pending' }),
        count('commerce', 'orders', { 'outbox.0': { $exists: true } }),
        count('pricing', 'usages', { $or: [{ 'pending.0': { $exists: true } }, { 'outbox.0': { $exists: true } }] }),
        count('events', 'ticket_pools', { 'pending.0': { $exists: true } }),
        count('pricing', 'redemptions', { status: 'held' }),
        count('events', 'tickets', { status: 'held' }),
        count('cart', 'sessions', { checkout: { $exists: true } }),
        count('cart', 'sessions', { 'outbox.0': { $exists: true } }),
      ]);
      return left.every((each) => each === 0) && (await releasedAll(of));
    });
    const placed = await of('commerce').collection('orders').find({ status: 'placed' }).toArray();
    const { bought: seated, idle } = await seatsOf(of);
    return {
      idle,
      discounts: placed.filter(({ claims }) => claims.length > 0).length,
      seats: seated.size,
      plain: placed
        .filter(({ cartSessionId, claims }) => claims.length === 0 && !seated.has(cartSessionId))
        .map(({ _id, items }) => ({ id: String(_id), offeringId: items[0].offeringId as string })),
    };
  });
}

export async function judgeSale(
  own: OwnPlatform,
  sale: Sale,
  outcomes: readonly Outcome[],
): Promise<Omit<SaleReport, 'kills'>> {
  await settled(own);
  return await withDatabases(own, async (of) => {
    const orders = await of('commerce')
      .collection('orders')
      .find({ companyId: { $exists: true } })
      .toArray();
    const placed = orders.filter(({ status }) => status === 'placed');
    const told = outcomes.flatMap((outcome) => ('told' in outcome ? [outcome.told] : []));
    const stored = new Map(orders.map((order) => [String(order['_id']), order]));
    const known = new Set(told.map(({ orderId }) => orderId));
    const sessions = await of('cart').collection('sessions').find({}).toArray();
    const orderOfCart = new Map(placed.map(({ _id, cartSessionId }) => [cartSessionId, String(_id)]));
    return {
      buyers: outcomes.length,
      orders: countBy(orders, ({ status }) => status),
      refusals: countBy(
        outcomes.flatMap((outcome) => ('refused' in outcome ? [outcome.refused] : [])),
        (code) => code,
      ),
      taken: await takenOf(of, sale, placed),
      notes: outcomes.flatMap(({ notes }) => notes),
      otherStates: told.flatMap(({ orderId, state, charged }) => {
        const order: Document | undefined = stored.get(orderId);
        const [status, total] = [order?.['status'], order?.['costs'].total];
        // A pending order that nobody confirmed expires by itself.
        const isAsTold = status === state || (state === 'pending' && status === 'expired');
        return isAsTold && total === charged ? [] : [`${orderId}: told ${state} ${charged}, is ${status} ${total}`];
      }),
      lostOrders: [...known].filter((id) => !stored.has(id)),
      strayOrders: [...stored.keys()].filter((id) => !known.has(id)),
      wrongCarts: sessions.flatMap(({ sessionId, ordered }) => {
        const [is, should] = [ordered?.orderId, orderOfCart.get(sessionId)];
        return is === should ? [] : [`${sessionId}: of ${is}, should be of ${should}`];
      }),
    };
  });
}

/** Whether the sale ended as it must: everything scarce sold to the last, nothing twice, and nobody told otherwise. */
export function judge({ kills, buyers, orders, refusals, taken, ...lists }: SaleReport): Finding {
  const wrong = [
    ...Object.entries(lists).flatMap(([what, found]) =>
      found.length === 0 ? [] : [`${found.length} ${what}: ${found.slice(0, 5).join('; ')}`],
    ),
    ...taken
      .filter(({ supply, api, counter, claimed, ledger, orders: sold }) =>
        [api, counter, claimed, ledger, sold].some((each) => each !== supply),
      )
      .map(({ what, ...ways }) => `${what}: ${JSON.stringify(ways)}`),
  ];
  const sums = taken.map(({ what, supply, orders: sold }) => `${what} ${sold} of ${supply}`);
  return finding(
    `${buyers} buyers; ${sums.join(', ')}; orders ${JSON.stringify(orders)}; refusals ${JSON.stringify(refusals)}; killed ${JSON.stringify(kills)}`,
    wrong,
  );
}

type Databases = (name: string) => ReturnType<ReturnType<Awaited<ReturnType<typeof connectMongo>>['getClient']>['db']>;

async function withDatabases<T>(
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

/** Whether everything that orders gave back has been released. */
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
  const over = new Set(ended.map(({ cartSessionId }) => String(cartSessionId)));
  return left.every((each) => each === 0) && (await seatsOf(of)).bought.isDisjointFrom(over);
}

/** The carts whose orders have a seat at the table, and those that sit there without an order. */
async function seatsOf(of: Databases): Promise<{ bought: Set<string>; idle: string[] }> {
  const tables = await of('cart').collection('table_commitments').find({}).toArray();
  const seats = tables.flatMap(({ joined }) => joined as Document[]);
  return {
    bought: new Set(seats.flatMap(({ boughtBy }) => (boughtBy === undefined ? [] : [String(boughtBy)]))),
    idle: seats.flatMap(({ boughtBy, sessionId }) => (boughtBy === undefined ? [String(sessionId)] : [])),
  };
}

async function takenOf(of: Databases, sale: Sale, placed: Document[]): Promise<SaleReport['taken']> {
  const { company, supply, eventId, offeringIds } = sale;
  const sold = (offeringId?: string) =>
    sum(
      placed.flatMap(({ items }) => items as Document[]),
      (item) => (offeringId === undefined || item['offeringId'] === offeringId ? item['quantity'] : 0),
    );
  const availability = new Map(
    await Promise.all(
      offeringIds.map(async (id) => {
        const { body } = await company.api.get(`/v1/offerings/${id}`);
        return [id, body.data.availability as { sold: number; held: number }] as const;
      }),
    ),
  );
  const pool = async (kind: string, id: string) => {
    const found = await of('events')
      .collection('ticket_pools')
      .findOne({ _id: { $regex: `^${kind}\n.*\n${id}$` } } as Document);
    const entries = await of('events')
      .collection('tickets')
      .find({ poolId: found?.['_id'], status: 'confirmed' })
      .toArray();
    const counters: Document | null = found;
    return {
      counter: counters?.['confirmed'] ?? 0,
      claimed: counters?.['claimed'] ?? 0,
      ledger: sum(entries, ({ quantity }) => quantity),
    };
  };
  const usage = (await of('pricing').collection('usages').findOne({})) as Document;
  const redemptions = await of('pricing').collection('redemptions').countDocuments({ status: 'confirmed' });
  const coupon = (await company.api.get(`/v1/coupons/${sale.couponId}`)).body.data;
  const table = (await company.api.get(`/cart/table-commitments/${sale.tableId}`)).body.data;
  const { bought: seated } = await seatsOf(of);
  const standing = new Set(placed.map(({ cartSessionId }) => String(cartSessionId)));
  const rows = [
    {
      what: 'tickets of the event',
      supply: supply.capacity,
      api: sum([...availability.values()], (each) => each.sold + each.held),
      ...(await pool('event', eventId)),
      orders: sold(),
    },
    {
      what: 'redemptions',
      supply: supply.redemptions,
      api: coupon.quantitySold as number,
      counter: usage['confirmed'],
      claimed: usage['claimed'],
      ledger: redemptions,
      orders: sum(placed, ({ claims }) => claims.length),
    },
    {
      what: 'seats',
      supply: supply.seats,
      api: table.seatsTaken as number,
      counter: table.seatsTaken as number,
      claimed: table.seatsTaken as number,
      ledger: seated.size,
      orders: seated.intersection(standing).size,
    },
  ];
  for (const id of offeringIds) {
    // Which offerings of the event are sold out is up to the buyers; that all ways of counting agree is not.
    const orders = sold(id);
    const found = availability.get(id);
    const api = (found?.sold ?? 0) + (found?.held ?? 0);
    rows.push({ what: `tickets of ${id}`, supply: orders, api, ...(await pool('offering', id)), orders });
  }
  return rows;
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

function countBy<T>(all: readonly T[], of: (one: T) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(all, of)].map(([key, { length }]) => [key, length]));
}
