import { finding, type Verdict } from '../faults/fault.ts';
import { contradictions, FREE_AFTER_KILLS_MS, type Places } from '../faults/history.ts';
import type { OwnPlatform } from '../harness/own-platform.ts';
import type { Outcome } from './buyer.ts';
import type { Sale } from './sale.ts';
import { type Databases, type Document, redeems, seatsOf, settled, withDatabases } from './settled.ts';

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
  /** What buyers saw that must never happen, in words. */
  notes: string[];
  /** Responses about tickets that no order of events explains, in words. */
  contradictions: string[];
  /** Orders whose stored state is not what their buyer was told last. */
  otherStates: string[];
  lostOrders: string[];
  strayOrders: string[];
  /** Carts that are not open although no standing order belongs to them, or the other way round. */
  wrongCarts: string[];
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
      contradictions: contradictions(
        outcomes.flatMap(({ history }) => history),
        { caps: capsOf(sale), freeAfterMs: FREE_AFTER_KILLS_MS },
      ),
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
export function judge({ kills, buyers, orders, refusals, taken, ...lists }: SaleReport): Verdict {
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

function capsOf({ eventId, offeringIds, supply: { capacity, tickets } }: Sale): Places {
  return { [eventId]: capacity, ...Object.fromEntries(offeringIds.map((id, n) => [id, tickets[n] as number])) };
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
      orders: placed.filter(redeems).length,
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
