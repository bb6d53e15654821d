import type { AmendRequest, PricedAmendment } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adjustments, cart } from '../../evaluate/domain/any-evaluation.fixture.ts';
import { someCart } from '../../evaluate/domain/adjustments.fixture.ts';
import { sum } from '../../evaluate/domain/priced-order.ts';
import { amend, amended, placed, requestOf, type StandingOrder } from './amend.fixture.ts';

const charges = fc.record({ fees: fc.nat(500), tax: fc.nat(2_000) });

/** An order of random lines under random adjustments, and the adjustments. */
const order = fc.tuple(adjustments, cart, charges).map(([all, { lines, cartContext }, charged]) => {
  const { codes = [], customerId, customerSegment, channelId } = cartContext;
  const context = {
    ...(customerId === undefined ? {} : { customerId }),
    ...(customerSegment === undefined ? {} : { customerSegment }),
    ...(channelId === undefined ? {} : { channelId }),
  };
  const sold = lines.filter(({ quantity }) => quantity > 0);
  const cartOf = sold.length > 0 ? sold : lines.slice(0, 1).map((line) => ({ ...line, quantity: 1 }));
  return {
    all,
    context,
    lines: cartOf,
    order: placed(all, cartOf, { codes: known(codes), cartContext: context, charges: charged }),
  };
});
const known = (codes: readonly string[]) => codes.filter((code) => code !== 'OTHER');

/** Which part of its tickets each line keeps, by its place. */
const keeping = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });

function returning({ lines }: StandingOrder, parts: readonly number[]): Record<string, number> {
  return Object.fromEntries(
    lines.map(({ lineId, quantity }, index) => [lineId, Math.floor(quantity * (parts[index] ?? 1))]),
  );
}

const leavesAny = ({ order: { lines } }: AmendRequest) => lines.some(({ remaining }) => remaining > 0);

function expectToAddUp({ costs, lines, due, order: after, redemptions }: PricedAmendment): void {
  for (const side of ['before', 'after'] as const) {
    const { fees, tax, total } = costs[side];
    expect(sum(lines.map(({ charged }) => charged[side])) + fees + tax).toBe(total);
  }
  expect(due).toBe(costs.after.total - costs.before.total);
  expect(costs.after.total).toBeGreaterThanOrEqual(0);
  for (const { total, shares, charged, withheld } of after.lines) {
    expect(charged).toBeGreaterThanOrEqual(0);
    expect(total + sum(shares.map((share) => share.total)) + withheld).toBe(charged);
  }
  const on = new Set(
    after.lines.flatMap(({ modifiers, shares }) => [...modifiers, ...shares].map(({ adjustmentId }) => adjustmentId)),
  );
  expect(new Set([...redemptions.kept, ...redemptions.claimed])).toEqual(on);
  for (const [adjustmentId, tickets] of Object.entries(redemptions.tickets)) {
    // An order-wide adjustment does not say for which tickets of a line it counts, nor name a line without a share.
    let [most, isExact] = [0, true];
    for (const { quantity, modifiers, shares } of after.lines) {
      const share = shares.find((one) => one.adjustmentId === adjustmentId);
      if (modifiers.some((one) => one.adjustmentId === adjustmentId)) most += quantity;
      else if (share !== undefined) most += share.units ?? quantity;
      isExact &&= share === undefined || share.units !== undefined;
    }
    if (isExact) expect(tickets).toBe(most);
    else expect(tickets).toBeLessThanOrEqual(sum(after.lines.map(({ quantity }) => quantity)));
  }
  for (const { adjustmentId, total } of after.modifiers) {
    const shares = after.lines.flatMap((line) => line.shares.filter((share) => share.adjustmentId === adjustmentId));
    expect(sum(shares.map((share) => share.total))).toBe(total);
  }
}

describe('for any order under any adjustments', () => {
  test('returns at kept prices add up, in any steps, and never cost money', () => {
    fc.assert(
      fc.property(order, keeping, keeping, ({ all, order: before }, first, second) => {
        const one = requestOf(before, { quantities: returning(before, first) });
        if (before.lines.length === 0 || !leavesAny(one)) return;
        const half = amend('keep', one, all);
        expectToAddUp(half);
        expect(half.due).toBeLessThanOrEqual(0);
        const between = amended(one, half);
        const two = requestOf(between, { quantities: returning(between, second) });
        if (!leavesAny(two)) return;
        const rest = amend('keep', two, all);
        expectToAddUp(rest);
        expect(rest.due).toBeLessThanOrEqual(0);
        const { lines } = two.order;
        const left = Object.fromEntries(before.lines.map(({ lineId }) => [lineId, 0]));
        for (const { lineId, remaining } of lines) left[lineId] = remaining;
        const atOnce = amend('keep', requestOf(before, { quantities: left }), all);
        expect(half.due + rest.due).toBe(atOnce.due);
        expect(rest.order.lines).toEqual(atOnce.order.lines);
      }),
      { numRuns: 500 },
    );
  });

  test('an unchanged order that is priced again costs the same to the cent, whatever the adjustments are by then', () => {
    fc.assert(
      fc.property(order, fc.boolean(), ({ all, context, order: before }, areGone) => {
        if (before.lines.length === 0) return;
        const again = amend('reprice', requestOf(before, {}, context), all, areGone ? [] : all);
        expectToAddUp(again);
        expect(again.due).toBe(0);
        expect(again.order.lines.map(({ bought }) => bought)).toEqual(before.lines.map(({ bought }) => bought));
        expect(again.order.basis).toEqual({ ...before.basis, at: again.order.basis?.at });
      }),
      { numRuns: 500 },
    );
  });

  test('an order that is priced again refunds no more than was paid, and costs no more than before plus what is added', () => {
    const more = someCart(2).map(({ lines }) => lines.filter(({ quantity }) => quantity > 0));
    fc.assert(
      fc.property(order, keeping, more, fc.boolean(), (sold, parts, added, chargeDifference) => {
        const { all, context, order: before } = sold;
        if (before.lines.length === 0) return;
        const change = { quantities: returning(before, parts), added, costs: { tax: before.tax }, chargeDifference };
        const request = requestOf(before, change, context);
        if (!leavesAny(request) && added.length === 0) return;
        const again = amend('reprice', request, all);
        expectToAddUp(again);
        const listed = sum(added.map(({ offering, quantity }) => offering.price.amount * quantity));
        if (!chargeDifference) expect(again.due).toBeLessThanOrEqual(listed);
        const kept = amend('keep', request, all);
        expectToAddUp(kept);
        // The order of the lines in the request changes nothing.
        const { lines } = request.order;
        const turned = { ...request, order: { ...request.order, lines: lines.toReversed() } };
        expect([amend('reprice', turned, all), amend('keep', turned, all)]).toEqual([again, kept]);
        // And what results can be amended again.
        const next = requestOf(amended(request, again), {}, context);
        expect(amend('reprice', next, all).due).toBeLessThanOrEqual(0);
        expect(amend('keep', next, all).due).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});
