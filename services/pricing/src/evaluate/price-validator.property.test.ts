import type { Adjustment, EvaluateCartRequest } from '@event-commerce/contracts';
import { type Caller, fairTurns } from '@event-commerce/service-kit';
import { liveTenant, proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeptBudget } from '../budgets/domain/budget.ts';
import { CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import { aLine, anAdjustment, NOW, someCart } from './domain/adjustments.fixture.ts';
import { manyCapped, someBudgets, someDrawing } from './domain/budgets.fixture.ts';
import { aBudget } from './domain/price.fixture.ts';
import { evaluateCarts } from './evaluate-price.ts';
import type { PricingDeps } from './price-facts.ts';
import { validOf } from './price-validator.ts';

const caller = { tenant: liveTenant('company-1') } as Caller;

/** Counters that say of each pool what `claimed` says. */
function pricingOf(snapshot: CompanySnapshot, claimed: (poolId: string) => number): PricingDeps {
  return {
    events: { find: async () => ({ contexts: new Map(), unreachable: new Set() }) },
    snapshots: { get: () => snapshot },
    codes: { find: async () => expect.fail('the company issues no codes') },
    pools: {
      countsOf: async (ids) =>
        new Map(ids.map((id) => [id, { claimed: claimed(id), confirmed: 0, definitionVersion: 1 }])),
      claimedBy: async (_customerId, ids) => new Map(ids.map((id) => [id, claimed(id)])),
    },
    inFairTurn: fairTurns(),
    clock: () => new Date(NOW),
    defaultCurrency: 'EUR',
  };
}

async function priced(deps: PricingDeps, cart: EvaluateCartRequest) {
  for await (const outcome of evaluateCarts(deps, caller, [cart], { dropped: 'none', showCodes: false })) {
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }
  return expect.fail('nothing was priced');
}

/** A discount that takes nothing off replaces a surcharge, until its budget has nothing left. */
const REPLACING_AT_NO_COST: [Adjustment[], [KeptBudget, KeptBudget], EvaluateCartRequest] = [
  [
    anAdjustment({
      id: 'same-price',
      stacking: 'replace-within-category',
      conditions: { budgetId: 'bud_1' },
      effect: { kind: 'fixed_price', amount: 1_000, currency: 'EUR', per: 'unit' },
    }),
    anAdjustment({
      id: 'fee',
      stacking: 'replace-within-category',
      effect: { kind: 'amount_surcharge', amount: 100, currency: 'EUR', per: 'unit' },
    }),
  ],
  [aBudget({ id: 'bud_1' }), aBudget({ id: 'bud_2' })],
  { lines: [aLine('off_0', 1_000, 1)], cartContext: {} },
];

function always(count: number): fc.Stream<number> {
  return fc.stream(Array.from({ length: 10 }, () => count).values());
}

test('while the validator of a price holds, the cart costs the same, whatever was claimed or drawn meanwhile', async () => {
  let held = 0;
  let changed = 0;
  const counters = fc.infiniteStream(fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 6_000 })));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(someDrawing, manyCapped),
      someBudgets,
      someCart(4),
      counters,
      counters,
      async (all, known, cart, one, other) => {
        const snapshot = new CompanySnapshot(all, known);
        const remembering = (from: typeof one) => {
          const counts = new Map<string, number>();
          return (id: string) => {
            if (!counts.has(id)) counts.set(id, from.next().value as number);
            return counts.get(id) ?? 0;
          };
        };
        const before = await priced(pricingOf(snapshot, remembering(one)), cart);
        const deps = pricingOf(snapshot, remembering(other));
        const [isValid] = before.validator === undefined ? [false] : await validOf(deps, caller, [before.validator]);
        const after = await priced(deps, cart);
        if (isValid === true) expect(after.price).toEqual(before.price);
        held += Number(isValid);
        changed += Number(JSON.stringify(after.price) !== JSON.stringify(before.price));
      },
    ),
    {
      numRuns: proofSize(500, 4_000),
      examples: [[...REPLACING_AT_NO_COST, always(0), always(1_500)]],
    },
  );
  expect([held, changed].map((times) => times > 20)).toEqual([true, true]);
});
