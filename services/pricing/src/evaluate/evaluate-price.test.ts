import type { Adjustment, EvaluateCartRequest } from '@event-commerce/contracts';
import { type Caller, fairTurns } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { aLine, anAdjustment, NOW } from './domain/adjustments.fixture.ts';
import { CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import { evaluateCarts, evaluatePrice } from './evaluate-price.ts';
import type { PricingDeps } from './price-facts.ts';
import { validOf } from './price-validator.ts';

const caller = { tenant: liveTenant('company-1') } as Caller;
const cart: EvaluateCartRequest = { lines: [aLine('off_1', 1_000, 1)], cartContext: {} };
const half = (changes: Partial<Adjustment> = {}) =>
  anAdjustment({ id: 'adj_1', effect: { kind: 'percentage_off', percent: 50, per: 'unit' }, ...changes });

/** 12 claims of `adj_1` in total. `onCount`: runs while the counters are read. */
function pricingOf(snapshot: CompanySnapshot, onCount: () => void = () => {}): PricingDeps {
  const countsOf = async (ids: readonly string[]) => {
    onCount();
    return await Promise.resolve(new Map(ids.map((id) => [id, { claimed: 12, confirmed: 12, definitionVersion: 1 }])));
  };
  return {
    events: { find: async () => expect.fail('no adjustment asks for events') },
    snapshots: { get: () => snapshot },
    codes: { find: async () => expect.fail('the company issues no codes') },
    pools: { countsOf, claimedBy: async () => await Promise.resolve(new Map()) },
    inFairTurn: fairTurns(),
    clock: () => new Date(NOW),
    defaultCurrency: 'EUR',
  };
}

test.each([
  ['no cap', half()],
  ['no effect', half({ status: 'paused' })],
])(
  'a cap set while carts are priced counts for the remaining ones, whose prices may be kept: before, it had %s',
  async (_what, before) => {
    const snapshot = new CompanySnapshot([before]);
    const deps = pricingOf(snapshot);
    const priced = [];
    for await (const outcome of evaluateCarts(deps, caller, [cart, cart, cart], {
      dropped: 'none',
      showCodes: false,
    })) {
      if (outcome instanceof Error) throw outcome;
      priced.push(outcome);
      snapshot.apply([half({ conditions: { maxRedemptions: 10 }, version: 2 })]);
    }
    expect(priced.map(({ price }) => price.summary.total)).toEqual([
      before.status === 'active' ? 500 : 1_000,
      1_000,
      1_000,
    ]);
    const validators = priced.map(({ validator }) => validator ?? 'none');
    expect(await validOf(deps, caller, validators)).toEqual([false, true, true]);
  },
);

test('a price without the counters of a cap is not reused, however often adjustments change while they are read', async () => {
  const snapshot = new CompanySnapshot([half(), anAdjustment({ id: 'adj_2', conditions: { maxRedemptions: 20 } })]);
  let version = 1;
  const deps = pricingOf(snapshot, () => {
    version += 1;
    snapshot.apply([half({ conditions: { maxRedemptions: 10 }, version })]);
  });
  for await (const outcome of evaluateCarts(deps, caller, [cart, cart], { dropped: 'none', showCodes: false })) {
    if (outcome instanceof Error) throw outcome;
    expect([outcome.price.summary.total, outcome.validator]).toEqual([900, undefined]);
  }
  // Three reads for each.
  expect(version).toBe(1 + 6);
});

test('an evaluation knows the counters of a cap that is set while it reads other counters', async () => {
  const snapshot = new CompanySnapshot([half(), anAdjustment({ id: 'adj_2', conditions: { maxRedemptions: 20 } })]);
  let reads = 0;
  const deps = pricingOf(snapshot, () => {
    reads += 1;
    if (reads === 1) snapshot.apply([half({ conditions: { maxRedemptions: 10 }, version: 2 })]);
  });
  const request = { offering: aLine('off_1', 1_000, 1).offering, cartContext: { quantity: 1 } };
  const view = { dropped: 'all', showCodes: false } as const;
  const adjustments = {
    readAll: async () => expect.fail(),
    findHolder: async () => expect.fail(),
    describeHolder: async () => expect.fail(),
  };
  const budgets = { find: async () => expect.fail() };
  const timeZones = async () => expect.fail('no time is local');
  const { evaluation } = await evaluatePrice(
    { ...deps, adjustments, budgets, timeZones },
    caller,
    request,
    view,
    false,
  );
  expect(evaluation.droppedAdjustments).toMatchObject([{ adjustmentId: 'adj_1', reason: 'redemption-limit-reached' }]);
  expect([evaluation.summary.total, reads]).toEqual([900, 2]);
});
