import { type Adjustment, drawnBy, modifiersOf } from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { someCart } from './adjustments.fixture.ts';
import { options } from './any-evaluation.fixture.ts';
import { BUDGET_IDS, someBudgets, someDrawing } from './budgets.fixture.ts';
import { type CartPrice, priceCart, priceForOrder } from './price.ts';

const cart = someCart(4);
const claimedBefore = fc.integer({ min: 0, max: 500 });

interface Priced {
  price: CartPrice;
  /** The same adjustments without budgets. */
  free: CartPrice;
  all: Adjustment[];
  left: ReadonlyMap<string, number>;
}

function withClaimed(claimed: number) {
  const counted = (id: string) => (id.startsWith('bud_') ? claimed : 0);
  return { ...options, claimed: counted, customerUsage: counted };
}

/** An unknown customer has nothing left of a budget per customer. */
function leftOf(all: readonly KeptBudget[], claimed: number, isKnown: boolean): Map<string, number> {
  return new Map(
    all.map(({ id, per, limit }) => [id, per === 'customer' && !isKnown ? 0 : Math.max(0, limit.amount - claimed)]),
  );
}

function forEveryBudget(check: (priced: Priced) => void): void {
  fc.assert(
    fc.property(someDrawing, someBudgets, claimedBefore, cart, (all, known, claimed, request) => {
      const price = priceCart(new CompanySnapshot(all, known), request, withClaimed(claimed));
      const free = priceCart(new CompanySnapshot(all.map(withoutBudget)), request, withClaimed(0));
      const isKnown = request.cartContext.customerId !== undefined;
      check({ price, free, all, left: leftOf(known, claimed, isKnown) });
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
    if (BUDGET_IDS.some((id) => (left.get(id) ?? 0) === 0 || (wanted.get(id) ?? 0) > (left.get(id) ?? 0))) return;
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
      someDrawing,
      someBudgets,
      claimedBefore,
      cart,
      fc.infiniteStream(fc.nat()),
      (all, known, claimed, request, at) => {
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
    fc.property(someDrawing, someBudgets, claimedBefore, cart, (all, known, claimed, request) => {
      const snapshot = new CompanySnapshot(all, known);
      const ofOrder = priceForOrder(snapshot, request, withClaimed(claimed));
      const ofCart = priceCart(snapshot, request, withClaimed(claimed));
      expect(drawnBy(modifiersOf(ofOrder))).toEqual(drawnBy(modifiersOf(ofCart)));
      expect(ofOrder.summary).toEqual(ofCart.summary);
    }),
    { numRuns: proofSize(300, 2_000) },
  );
});
