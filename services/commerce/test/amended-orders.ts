import { liveTenant, newCode, orderBody, type Reply } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Services } from '../../../tests/harness/services.ts';
import { createAdjustment, EUR, PATIENT, usageOf } from './shop.ts';

const CAPACITY = 1_000;

export type AmendedShop = Awaited<ReturnType<typeof newAmendedShop>>;

/**
 * A company with two offerings, each of its own event, a code with a budget that takes 20 % off at most three tickets,
 * from two on, and what the proofs of amendments do there.
 */
export async function newAmendedShop(services: Services, { capacity = CAPACITY } = {}) {
  const company = services.newCompany();
  const { commerce, companyId, events } = company;
  const newEvent = async (name: string, amount: number) => {
    const event = (await events.post('/events', { name, capacity })).body.data;
    const offering = { name, price: EUR(amount), capacity };
    const made = (await events.post(`/events/${event.id}/offerings`, offering)).body.data;
    return { eventId: event.id as string, offeringId: made.id as string };
  };
  const [gala, ball] = [await newEvent('Gala', 5_000), await newEvent('Ball', 3_001)];
  const code = newCode();
  const plenty = { name: 'Plenty', limit: EUR(CAPACITY * 10_000), onExhausted: 'partial' };
  const budgetId = (await company.pricing.post('/pricing/budgets', plenty)).body.data.id as string;
  const adjustmentId = await createAdjustment(company, code, {
    stacking: 'stackable',
    conditions: { minQuantity: 2, maxRedemptions: CAPACITY, maxTickets: 3 * CAPACITY, budgetId },
    effect: { kind: 'percentage_off', percent: 20, units: { max: 3, pick: 'dearest' } },
  });

  const read = async (id: string) => (await commerce.get(`/orders/${id}`)).body.data;
  const history = async (id: string) => (await commerce.get(`/orders/${id}/amendments`)).body.data;

  /** For how many tickets of an item the code counts. */
  const unitsOn = ({ quantity, modifiers, shares }: any): number => {
    if (modifiers.some((one: any) => one.adjustmentId === adjustmentId)) return quantity;
    return shares.find((one: any) => one.adjustmentId === adjustmentId)?.units ?? 0;
  };

  /** What the code takes off an item. */
  const takenOff = ({ modifiers, shares }: any): number =>
    sumOf([...modifiers, ...shares].map((one: any) => (one.adjustmentId === adjustmentId ? -one.total : 0)));

  /** What standing orders have claimed of a pool: tickets that the code counts for, or its budget. */
  const claimedOf = async (ids: readonly string[], kind: 'tickets' | 'budget') => {
    const all = { held: 0, sold: 0 };
    const of = new Map<string, typeof all>();
    for (const { _id, status, claims } of await services.models.commerce.orders.find({ _id: { $in: ids } }).lean()) {
      if (status !== 'pending' && status !== 'placed') continue;
      const own = { held: 0, sold: 0 };
      for (const { pool, quantity, keeps = quantity, held = false } of claims) {
        if (pool === kind) own[status === 'pending' || held ? 'held' : 'sold'] += keeps;
      }
      of.set(_id, own);
      for (const as of ['held', 'sold'] as const) all[as] += own[as];
    }
    return { all, of };
  };

  /** What the orders need, from what the API shows of them and their pending amendments. */
  const needed = async (ids: readonly string[]) => {
    const none = () => ({ held: 0, sold: 0 });
    const tickets = { [gala.offeringId]: none(), [ball.offeringId]: none() };
    const redeemed = none();
    const [discounted, paid] = [await claimedOf(ids, 'tickets'), await claimedOf(ids, 'budget')];
    for (const order of await Promise.all(ids.map(read))) {
      const { id, status, items, pendingAmendment } = order;
      if (status !== 'pending' && status !== 'placed') continue;
      const as = status === 'pending' ? 'held' : 'sold';
      for (const { offeringId, quantity } of items) tickets[offeringId]![as] += quantity;
      const isDiscounted = items.some(({ modifiers, shares }: any) =>
        [...modifiers, ...shares].some((one) => one.adjustmentId === adjustmentId),
      );
      if (isDiscounted) redeemed[as] += 1;
      if (pendingAmendment === undefined) {
        expect([id, sumOf(items.map(unitsOn))]).toEqual([id, sumOf(Object.values(discounted.of.get(id) ?? {}))]);
        expect([id, sumOf(items.map(takenOff))]).toEqual([id, sumOf(Object.values(paid.of.get(id) ?? {}))]);
        continue;
      }
      const pending = (await history(id)).find((one: any) => one.id === pendingAmendment.id);
      for (const [offeringId, more] of grownIn(pending.lines)) tickets[offeringId]!.held += more;
      redeemed.held += pending.redemptions.claimed.length;
    }
    return { offerings: tickets, events: Object.values(tickets), redeemed, discounted: discounted.all, paid: paid.all };
  };

  /** What the pools count. */
  const counted = async () => {
    const pools = await services.models.events.ticketPools.find({ companyId: liveTenant(companyId) }).lean();
    const countsOf = (pool: { claimed: number; confirmed?: number } | null | undefined) => {
      const { claimed = 0, confirmed = 0 } = pool ?? {};
      return { held: claimed - confirmed, sold: confirmed };
    };
    const inPool = (id: string) => countsOf(pools.find(({ _id }) => _id.endsWith(`\n${id}`)));
    const usage = async (id: string) => (await usageOf(services, id)) as { claimed: number; confirmed: number } | null;
    return {
      offerings: Object.fromEntries([gala, ball].map(({ offeringId }) => [offeringId, inPool(offeringId)])),
      events: [gala, ball].map(({ eventId }) => inPool(eventId)),
      redeemed: countsOf(await usage(adjustmentId)),
      discounted: countsOf(await usage(`${adjustmentId}|tickets`)),
      paid: countsOf(await usage(budgetId)),
    };
  };

  const place = async (tickets: { gala?: number; ball?: number }, changes: object = {}): Promise<string> => {
    const { status, body } = await commerce.post('/orders', bodyOf(tickets, changes));
    expect([status, body.error?.message]).toEqual([201, undefined]);
    return body.data.order.id;
  };
  const items = ({ gala: atGala, ball: atBall }: { gala?: number; ball?: number }) =>
    [
      { offeringId: gala.offeringId, quantity: atGala },
      { offeringId: ball.offeringId, quantity: atBall },
    ].filter(({ quantity }) => quantity !== undefined);
  const bodyOf = (tickets: { gala?: number; ball?: number }, changes: object = {}) =>
    orderBody(companyId, {
      contextId: gala.eventId,
      items: items(tickets).filter(({ quantity }) => quantity !== 0),
      ...changes,
    });

  return {
    ...company,
    capacity,
    code,
    adjustmentId,
    items,
    body: bodyOf,
    place,
    read,
    history,
    counted,

    /** Waits until the pools count exactly what the orders need. */
    isSettled: async (ids: readonly string[]): Promise<void> => {
      const needs = await needed(ids);
      await expect.poll(counted, PATIENT).toEqual(needs);
    },

    /** An order's amendments explain its total, and its events each of its versions. */
    isExplained: async (id: string, firstTotal: number): Promise<void> => {
      const [order, amendments] = [await read(id), await history(id)];
      const numbers = amendments.map(({ number }: any) => number);
      expect(numbers).toEqual(Array.from({ length: order.amendments ?? 0 }, (_, n) => numbers.length - n));
      const applied = amendments.filter(({ state }: any) => state === 'applied');
      expect(firstTotal + sumOf(applied.map(({ due }: any) => due))).toBe(order.costs.total);
      const pending = amendments.filter(({ state }: any) => state === 'pending');
      expect(pending.map(({ id: pendingId }: any) => pendingId)).toEqual(
        order.pendingAmendment === undefined ? [] : [order.pendingAmendment.id],
      );
      expect(sumOf(order.items.map(({ charged }: any) => charged))).toBe(order.costs.total);
      const versions = () =>
        company
          .published()
          .filter(({ subject }) => subject === id)
          .map(({ version }) => version)
          .toSorted((a = 0, b = 0) => a - b);
      await expect.poll(versions, PATIENT).toEqual(Array.from({ length: order.version }, (_, n) => n + 1));
    },
  };
}

/** How many tickets of each offering an amendment adds, net of those of its lines that it returns. */
function grownIn(lines: readonly any[]): Map<string, number> {
  const grown = new Map<string, number>();
  for (const { offeringId, quantity } of lines) {
    const more = Math.max(0, quantity.after - quantity.before);
    if (more > 0) grown.set(offeringId, (grown.get(offeringId) ?? 0) + more);
  }
  return grown;
}

const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);

/** A change of an order: the end of its path, and its body. */
export type Change = readonly [what: string, body: Record<string, unknown>];

export const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

/**
 * A random amendment: growth, a return, an exchange, new prices for the same, or a code that comes or goes; at once, or
 * as pending.
 */
export function anyAmendment({ items, code }: Pick<AmendedShop, 'items' | 'code'>): Change {
  const gala = anyOf([0, 1, 2, 3]);
  const ball = anyOf(gala === 0 ? [1, 2, 3] : [0, 1, 2, 3]);
  const pending = Math.random() < 0.3 ? { expiresInSeconds: 600 } : {};
  const body = { mode: anyOf(['keep', 'reprice']), items: items({ gala, ball }), ...pending };
  if (Math.random() < 0.7) return ['amendments', body];
  return ['amendments', { ...body, mode: 'reprice', coupons: anyOf([[], [code]]), chargeDifference: true }];
}

/** What else happens to an order. */
export function anyMove(): Change {
  return anyOf<Change>([
    ['cancel', {}],
    ['confirm', {}],
    ['extend', { expiresInSeconds: 900 }],
    ['reopen', {}],
    ['reopen', { expiresInSeconds: 600 }],
  ]);
}

/** What happens to a pending amendment, if the order has one. */
export function amendmentMoves({ pendingAmendment }: { pendingAmendment?: { id: string } }): Change[] {
  if (pendingAmendment === undefined) return [];
  return ['confirm', 'cancel'].map((what) => [`amendments/${pendingAmendment.id}/${what}`, {}]);
}

/** The amendments that were returned to those who made them. */
export function amendmentsTold(changes: readonly Change[], replies: readonly Reply[]): string[] {
  return replies.flatMap(({ body }, n) => (changes[n]?.[0] === 'amendments' ? (body.data?.amendment?.id ?? []) : []));
}

/**
 * Why an order may refuse such a change: it was changed by others, is over, waits for a payment, or is too small for
 * the code.
 */
const REFUSALS = [
  'VERSION_CONFLICT',
  'ORDER_STATUS_CONFLICT',
  'ADJUSTMENT_NOT_APPLICABLE',
  'AMENDMENT_PENDING',
  'AMENDMENT_STATUS_CONFLICT',
];

/** Every refusal among `replies` that an order does not explain. `others`: those that the test also expects. */
export function unexplained(replies: readonly Reply[], others: readonly string[] = []): string[] {
  return replies.flatMap(({ body }) => {
    const { code, message, details = [] } = body.error ?? {};
    const isExplained = code === undefined || [...REFUSALS, ...others].includes(code);
    return isExplained || details[0]?.path === 'expiresInSeconds' ? [] : [`${code}: ${message}`];
  });
}
