import {
  type Adjustment,
  type EvaluateCartRequest,
  type Modifier,
  modifiersOf,
  unitsOf,
} from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aLine, anAdjustment, someAdjustments, targeting } from './adjustments.fixture.ts';
import { ANY_STACKING, options } from './any-evaluation.fixture.ts';
import { type CartPrice, priceCart, priceForOrder } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

type Lines = EvaluateCartRequest['lines'];
type Ticket = Lines[number]['offering'];

const price = (adjustments: readonly Adjustment[], lines: Lines): CartPrice =>
  priceCart(
    new CompanySnapshot(adjustments),
    { lines, cartContext: { customerId: 'cus_1', codes: ['SUMMER'] } },
    options,
  );

/** Up to six tickets of up to four offerings. */
const offerings = fc.array(
  fc.record({
    amount: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(999, 1000)),
    eventId: fc.constantFrom('evt_1', 'evt_2'),
    tags: fc.subarray(['seated', 'standing']),
    quantity: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const cart = offerings.map((all): Lines => {
  const lines = all.map(({ amount, eventId, tags, quantity }, n) => ({
    offering: { id: `off_${n}`, eventId, tags, price: { amount, currency: 'EUR' } },
    quantity,
  }));
  let left = 6;
  return lines.flatMap((line) => {
    const quantity = Math.min(left, line.quantity);
    left -= quantity;
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });
});

/** Counts for one ticket of each cart that has two or more. */
const limited = anAdjustment({
  id: 'limited',
  effect: { kind: 'amount_off', amount: 1, per: 'unit', units: { max: 1, pick: 'dearest' } },
});
const anyLimited = someAdjustments(8, { stacking: ANY_STACKING }).map((all) => [...all, limited]);

/** What each adjustment does to the cart, whichever lines have the tickets. */
function effects(of: CartPrice) {
  const sums = new Map<string, { total: number; units: number; limited: Modifier['limited'] }>();
  for (const { adjustmentId, total, units, limited: limit } of modifiersOf(of)) {
    const before = sums.get(adjustmentId) ?? { total: 0, units: 0 };
    sums.set(adjustmentId, { total: before.total + total, units: before.units + units, limited: limit });
  }
  return { summary: of.summary, dropped: of.droppedAdjustments, codes: of.codes, sums: Object.fromEntries(sums) };
}

function compositionsOf(quantity: number): number[][] {
  if (quantity === 0) return [[]];
  return Array.from({ length: quantity }, (_, n) => n + 1).flatMap((first) =>
    compositionsOf(quantity - first).map((rest) => [first, ...rest]),
  );
}

/** Every way to have the tickets in lines, in both directions. */
function* waysToOrder(lines: Lines): Generator<Lines> {
  let ways: Lines[] = [[]];
  for (const { offering, quantity } of lines) {
    const parts = compositionsOf(quantity).map((sizes) => sizes.map((size) => ({ offering, quantity: size })));
    ways = ways.flatMap((way) => parts.map((part) => [...way, ...part]));
  }
  for (const way of ways) yield* [way, way.toReversed()];
}

describe('adjustments that count for some tickets', () => {
  test('cost the same however the lines of up to six tickets are split, merged and ordered', () => {
    fc.assert(
      fc.property(anyLimited, cart, (all, lines) => {
        fc.pre(lines.reduce((sum, { quantity }) => sum + quantity, 0) > 1);
        const whole = effects(price(all, lines));
        for (const way of waysToOrder(lines)) expect(effects(price(all, way))).toEqual(whole);
      }),
      { numRuns: proofSize(60, 400) },
    );
  });

  test('cost what they would if each named its tickets one by one', () => {
    const plain = someAdjustments(6, { stacking: ANY_STACKING, conditions: 'none' }).map((all) => {
      const some = all.filter(({ effect }) => effect.kind !== 'tiered' && effect.kind !== 'buy_x_get_y');
      // With several order-wide ones, a cent of the first may fall on a ticket that the second does not name.
      const [first, ...others] = some.filter(({ effect }) => effect.per === 'order');
      return some.filter((one) => one === first || !others.includes(one));
    });
    // What competes for the ticket in the middle changes nothing about which two come first.
    const cheapestTwo = anAdjustment({
      id: 'cheapest-two',
      application: 'at-listing',
      effect: { kind: 'percentage_off', percent: 10, per: 'unit', units: { max: 2, pick: 'cheapest' } },
    });
    const lastMinute = anAdjustment({
      id: 'last-minute',
      targets: [targeting('offering/off_1')],
      effect: { kind: 'fixed_price', amount: 1, currency: 'EUR', per: 'unit' },
    });
    const caps = fc.infiniteStream(fc.integer({ min: 1, max: 6 }));
    fc.assert(
      fc.property(plain, cart, caps, (all, lines, each) => {
        const capped = all.map((one) => ({ ...one, conditions: { maxTickets: each.next().value as number } }));
        const tickets = lines
          .flatMap(({ offering, quantity }) => Array.from({ length: quantity }, () => offering))
          .map((offering, n): Ticket & { of: string } => ({ ...offering, of: offering.id, id: `ticket_${n}` }));
        const named = [...capped, limited].map((one): Adjustment => {
          const chosen = chosenBy(one, tickets);
          const { units: _units, ...effect } = one.effect as Adjustment['effect'] & { units?: unknown };
          return {
            ...one,
            conditions: {},
            effect,
            targets:
              chosen.length === 0 ? [targeting('event/none')] : chosen.map(({ id }) => targeting(`offering/${id}`)),
          };
        });
        const oracle = price(
          named,
          tickets.map(({ of: _of, ...offering }) => ({ offering, quantity: 1 })),
        );
        expect(price([...capped, limited], lines).summary).toEqual(oracle.summary);
      }),
      {
        numRuns: proofSize(500, 3_000),
        examples: [
          [[cheapestTwo, lastMinute], [0, 1, 2].map((n) => aLine(`off_${n}`, 1000, 1)), fc.stream([4, 1].values())],
        ],
      },
    );

    function chosenBy(
      { targets, effect, conditions: { maxTickets = Infinity } }: Adjustment,
      tickets: (Ticket & { of: string })[],
    ) {
      const paths = new Set(targets.map(({ urn }) => urn.split(':events:')[1] ?? ''));
      const applies = ({ eventId = '', of }: Ticket & { of: string }) =>
        paths.has('event/*') || paths.has(`event/${eventId}`) || paths.has(`offering/${of}`);
      const { max = Infinity, pick = 'cheapest' } = unitsOf(effect) ?? {};
      const content = ({ eventId, tags, of }: Ticket & { of: string }) =>
        [JSON.stringify([[`event/${eventId}`, `series/${eventId}`], tags]), of].join(' ');
      return tickets
        .filter(applies)
        .toSorted(
          (a, b) =>
            (pick === 'cheapest' ? a.price.amount - b.price.amount : b.price.amount - a.price.amount) ||
            (content(a) < content(b) ? -1 : content(a) > content(b) ? 1 : 0),
        )
        .slice(0, Math.min(max, maxTickets));
    }
  });

  test('count for no more than are allowed, and say so', () => {
    fc.assert(
      fc.property(anyLimited, cart, fc.integer({ min: 0, max: 4 }), (all, lines, claimed) => {
        const snapshot = new CompanySnapshot(all);
        const request = { lines, cartContext: { customerId: 'cus_1' } };
        const known = { ...options, claimed: () => claimed, customerUsage: () => 1 };
        const evaluated = priceCart(snapshot, request, known);
        for (const [id, { units, limited: limit }] of Object.entries(effects(evaluated).sums)) {
          const { conditions, effect } = all.find((one) => one.id === id) as Adjustment;
          const { maxTickets = Infinity, maxTicketsPerCustomer = Infinity } = conditions;
          const allowed = Math.min(unitsOf(effect)?.max ?? Infinity, maxTickets - claimed, maxTicketsPerCustomer - 1);
          expect(units).toBeLessThanOrEqual(allowed);
          if (limit !== undefined) expect([limit.units, limit.wanted > allowed]).toEqual([allowed, true]);
        }
        const order = priceForOrder(snapshot, request, known);
        const charged =
          order.lines.reduce((sum, { total }) => sum + total, 0) + order.shares.flat().reduce((a, b) => a + b, 0);
        expect([charged, order.summary]).toEqual([evaluated.summary.total, evaluated.summary]);
      }),
      { numRuns: proofSize(500, 3_000) },
    );
  });

  test('act as if they had no limit while there is room for all', () => {
    fc.assert(
      fc.property(someAdjustments(8, { stacking: ANY_STACKING }), cart, (all, lines) => {
        const [unlimited, roomy] = [{}, { maxTickets: 100, maxTicketsPerCustomer: 100 }].map((caps) =>
          all.map((one) => {
            const { maxTickets: _in, maxTicketsPerCustomer: _per, ...conditions } = one.conditions;
            return { ...one, conditions: { ...conditions, ...caps } };
          }),
        );
        expect(price(roomy ?? [], lines)).toEqual(price(unlimited ?? [], lines));
      }),
      { numRuns: proofSize(200, 1_000) },
    );
  });
});

test('the first three tickets at a fixed price leave two at the list price', () => {
  const early = anAdjustment({
    id: 'early',
    conditions: { maxTickets: 3 },
    effect: { kind: 'fixed_price', amount: 2000, currency: 'EUR', per: 'unit' },
  });
  const { lines, summary } = price([early], [aLine('off_a', 5000, 5)]);
  expect(summary).toMatchObject({ total: 16_000, modifiers: -9_000 });
  const modifier = {
    amount: -3000,
    units: 3,
    total: -9000,
    limited: { wanted: 5, units: 3, reason: 'ticket-limit-reached' },
  };
  expect(lines).toMatchObject([
    {
      quantity: 5,
      effectivePrice: { amount: 5000 },
      total: 16_000,
      perUnitModifiers: [modifier],
      groups: [
        { quantity: 3, effectivePrice: { amount: 2000 }, perUnitModifiers: [modifier] },
        { quantity: 2, effectivePrice: { amount: 5000 }, perUnitModifiers: [] },
      ],
    },
  ]);
  const order = priceForOrder(
    new CompanySnapshot([early]),
    { lines: [aLine('off_a', 5000, 5)], cartContext: {} },
    options,
  );
  expect(order).toMatchObject({
    lines: [{ effectivePrice: { amount: 5000 }, total: 25_000, perUnitModifiers: [] }],
    perOrderModifiers: [{ adjustmentId: 'early', amount: -9000, total: -9000, units: 3 }],
    shares: [[-9000]],
  });
});

test.each([
  { lines: [aLine('a', 3000, 2), aLine('b', 5000, 1)] },
  { lines: [aLine('a', 3000, 1), aLine('b', 5000, 1), aLine('c', 3000, 1)] },
])('the dearest ticket at half price ($lines.length lines)', ({ lines }) => {
  const half = anAdjustment({
    id: 'half',
    effect: { kind: 'percentage_off', percent: 50, per: 'unit', units: { max: 1, pick: 'dearest' } },
  });
  expect(price([half], lines).summary.total).toBe(8500);
});
