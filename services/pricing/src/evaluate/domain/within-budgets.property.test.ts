import { type Adjustment, drawnBy, modifiersOf } from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { someAdjustments, someCart } from './adjustments.fixture.ts';
import { ANY_STACKING, options } from './any-evaluation.fixture.ts';
import { aBudget } from './price.fixture.ts';
import { type CartPrice, priceCart, priceForOrder } from './price.ts';

const IDS = ['bud_1', 'bud_2'] as const;

const budgets = fc
  .record({
    amounts: fc.tuple(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 0, max: 8_000 })),
    claimed: fc.integer({ min: 0, max: 500 }),
    onExhausted: fc.tuple(fc.constantFrom('drop', 'partial'), fc.constantFrom('drop', 'partial')),
  })
  .map(({ amounts, claimed, onExhausted }) => ({
    claimed,
    all: IDS.map((id, n) =>
      aBudget({ id, limit: { amount: amounts[n] ?? 0, currency: 'EUR' }, onExhausted: onExhausted[n] ?? 'drop' }),
    ),
  }));
const drawn = fc.infiniteStream(fc.constantFrom(undefined, ...IDS));
const adjustments = fc.tuple(someAdjustments(8, { stacking: ANY_STACKING }), drawn).map(([all, ids]) =>
  all.map((one): Adjustment => {
    const budgetId = ids.next().value;
    const isSurcharge = one.effect.kind.endsWith('surcharge');
    return budgetId === undefined || isSurcharge ? one : { ...one, conditions: { ...one.conditions, budgetId } };
  }),
);
const cart = someCart(4);

interface Priced {
  price: CartPrice;
  /** The same adjustments without budgets. */
  free: CartPrice;
  all: Adjustment[];
  left: ReadonlyMap<string, number>;
}

function withClaimed(claimed: number) {
  return { ...options, claimed: (id: string) => (id.startsWith('bud_') ? claimed : 0) };
}

function leftOf(all: readonly KeptBudget[], claimed: number): Map<string, number> {
  return new Map(all.map(({ id, limit }) => [id, Math.max(0, limit.amount - claimed)]));
}

function forEveryBudget(check: (priced: Priced) => void): void {
  fc.assert(
    fc.property(adjustments, budgets, cart, (all, { all: known, claimed }, request) => {
      const price = priceCart(new CompanySnapshot(all, known), request, withClaimed(claimed));
      const free = priceCart(new CompanySnapshot(all.map(withoutBudget)), request, options);
      check({ price, free, all, left: leftOf(known, claimed) });
    }),
    { numRuns: proofSize(600, 4_000) },
  );
}

function withoutBudget({ conditions: { budgetId: _budgetId, ...conditions }, ...one }: Adjustment): Adjustment {
  return { ...one, conditions };
}

test('no evaluation draws more on a budget than is left', () => {
  let short = 0;
  forEveryBudget(({ price, left }) => {
    for (const [id, amount] of drawnBy(modifiersOf(price))) expect(amount).toBeLessThanOrEqual(left.get(id) ?? 0);
    short += price.droppedAdjustments.filter(({ reason }) => reason === 'budget-exhausted').length;
  });
  expect(short).toBeGreaterThan(0);
});

test('every amount adds up, and every adjustment applies or is dropped with a reason', () => {
  let cut = 0;
  forEveryBudget(({ price, all }) => {
    const modifiers = [...modifiersOf(price)];
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
    expect(sum(modifiers.map(({ total }) => total))).toBe(price.summary.modifiers);
    expect(price.summary.total).toBe(price.summary.subtotal + price.summary.modifiers);
    expect(price.summary.total).toBeGreaterThanOrEqual(0);
    for (const { allocations, total } of price.perOrderModifiers) {
      if (allocations !== undefined) expect(sum(allocations.map(({ amount }) => amount))).toBe(total);
    }
    cut += modifiers.filter(({ limited }) => limited?.reason === 'budget-exhausted').length;
    const live = all.filter(({ status }) => status !== 'paused').map(({ id }) => id);
    const applied = new Set(modifiers.map(({ adjustmentId }) => adjustmentId));
    const dropped = price.droppedAdjustments.map(({ adjustmentId }) => adjustmentId);
    expect([...applied, ...dropped].toSorted()).toEqual(live.toSorted());
  });
  expect(cut).toBeGreaterThan(0);
});

test('a budget that has enough left changes no price', () => {
  let enough = 0;
  forEveryBudget(({ price, free, all, left }) => {
    const budgetOf = new Map(all.map(({ id, conditions }) => [id, conditions.budgetId]));
    const wanted = drawnBy(
      Array.from(modifiersOf(free), ({ adjustmentId, total }) => {
        const budgetId = budgetOf.get(adjustmentId);
        return { total, ...(budgetId === undefined ? {} : { budgetId }) };
      }),
    );
    if (IDS.some((id) => (left.get(id) ?? 0) === 0 || (wanted.get(id) ?? 0) > (left.get(id) ?? 0))) return;
    enough += 1;
    expect([price.summary, price.lines.map(({ total }) => total)]).toEqual([
      free.summary,
      free.lines.map(({ total }) => total),
    ]);
  });
  expect(enough).toBeGreaterThan(0);
});

test('the order of the lines changes nothing', () => {
  fc.assert(
    fc.property(
      adjustments,
      budgets,
      cart,
      fc.infiniteStream(fc.nat()),
      (all, { all: known, claimed }, request, at) => {
        const lines = request.lines.map((line) => ({ ...line, key: at.next().value as number }));
        const shuffled = lines.toSorted((a, b) => a.key - b.key);
        const snapshot = new CompanySnapshot(all, known);
        const priced = (some: typeof lines) => {
          const { lines: each, ...price } = priceCart(snapshot, { ...request, lines: some }, withClaimed(claimed));
          const byKey = each.map((line, index) => JSON.stringify([some[index]?.offering.id, line])).toSorted();
          return {
            ...price,
            perOrderModifiers: price.perOrderModifiers.map(({ allocations: _allocations, ...one }) => one),
            byKey,
          };
        };
        expect(priced(shuffled)).toEqual(priced(lines));
      },
    ),
    { numRuns: proofSize(300, 2_000) },
  );
});

test('an order takes what the modifiers of its lines and their shares say', () => {
  fc.assert(
    fc.property(adjustments, budgets, cart, (all, { all: known, claimed }, request) => {
      const snapshot = new CompanySnapshot(all, known);
      const ofOrder = priceForOrder(snapshot, request, withClaimed(claimed));
      const ofCart = priceCart(snapshot, request, withClaimed(claimed));
      expect(drawnBy(modifiersOf(ofOrder))).toEqual(drawnBy(modifiersOf(ofCart)));
      expect(ofOrder.summary).toEqual(ofCart.summary);
    }),
    { numRuns: proofSize(300, 2_000) },
  );
});
