import { liveTenant, newCode, orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Services } from '../../../tests/harness/services.ts';
import { createAdjustment, EUR, PATIENT, usageOf } from './shop.ts';

const CAPACITY = 1_000;

export type AmendedShop = Awaited<ReturnType<typeof newAmendedShop>>;

/**
 * A company with two offerings, each of its own event, and a code that takes 20 % off from two tickets on, with what the
 * proofs of amendments do there.
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
  const adjustmentId = await createAdjustment(company, code, {
    stacking: 'stackable',
    conditions: { minQuantity: 2, maxRedemptions: CAPACITY },
  });

  const read = async (id: string) => (await commerce.get(`/orders/${id}`)).body.data;
  const history = async (id: string) => (await commerce.get(`/orders/${id}/amendments`)).body.data;

  /** What the orders need by what the API shows of them. */
  const needed = async (ids: readonly string[]) => {
    const none = () => ({ held: 0, sold: 0 });
    const tickets = { [gala.offeringId]: none(), [ball.offeringId]: none() };
    const redeemed = none();
    for (const { status, items } of await Promise.all(ids.map(read))) {
      if (status !== 'pending' && status !== 'placed') continue;
      const as = status === 'pending' ? 'held' : 'sold';
      for (const { offeringId, quantity } of items) tickets[offeringId]![as] += quantity;
      const isDiscounted = items.some(({ modifiers, shares }: any) =>
        [...modifiers, ...shares].some((one) => one.adjustmentId === adjustmentId),
      );
      if (isDiscounted) redeemed[as] += 1;
    }
    return { offerings: tickets, events: Object.values(tickets), redeemed };
  };

  /** What the pools count. */
  const counted = async () => {
    const pools = await services.models.events.ticketPools.find({ companyId: liveTenant(companyId) }).lean();
    const countsOf = (pool: { claimed: number; confirmed?: number } | null | undefined) => {
      const { claimed = 0, confirmed = 0 } = pool ?? {};
      return { held: claimed - confirmed, sold: confirmed };
    };
    const inPool = (id: string) => countsOf(pools.find(({ _id }) => _id.endsWith(`\n${id}`)));
    const usage = (await usageOf(services, adjustmentId)) as { claimed: number; confirmed: number } | null;
    return {
      offerings: Object.fromEntries([gala, ball].map(({ offeringId }) => [offeringId, inPool(offeringId)])),
      events: [gala, ball].map(({ eventId }) => inPool(eventId)),
      redeemed: countsOf(usage),
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
      expect(firstTotal + sumOf(amendments.map(({ due }: any) => due))).toBe(order.costs.total);
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

const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);

/** A change of an order: the end of its path, and its body. */
export type Change = readonly [what: string, body: Record<string, unknown>];

export const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

/** An amendment at random: growth, a return, an exchange, new prices for the same, or a code that comes or goes. */
export function anyAmendment({ items, code }: Pick<AmendedShop, 'items' | 'code'>): Change {
  const gala = anyOf([0, 1, 2, 3]);
  const ball = anyOf(gala === 0 ? [1, 2, 3] : [0, 1, 2, 3]);
  const body = { mode: anyOf(['keep', 'reprice']), items: items({ gala, ball }) };
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

/** Why an order may refuse such a change: it was changed by others, is over, or is too small for the code. */
export const REFUSALS = ['VERSION_CONFLICT', 'ORDER_STATUS_CONFLICT', 'ADJUSTMENT_NOT_APPLICABLE'];
