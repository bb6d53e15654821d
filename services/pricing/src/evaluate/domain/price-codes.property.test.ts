import { type Adjustment, codeKey } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceCart } from './price.ts';
import { IssuedAdjustments } from './issued-adjustments.ts';
import { encodeEvaluation } from './encode-evaluation.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { someAdjustments, someCart } from './adjustments.fixture.ts';
import { adjustments, ANY_STACKING, appliedIds, cart, options, sharingACode } from './any-evaluation.fixture.ts';

describe('for any adjustments and any cart', () => {
  test('codes lists every presented code once, consistent with what applied and what was dropped', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const evaluation = priceCart(new CompanySnapshot(all), request, options);
        const spellings = (request.cartContext.codes ?? []).map((code) => code.trim().toUpperCase());
        expect(evaluation.codes.map(({ code }) => code.trim().toUpperCase())).toEqual([...new Set(spellings)]);
        const applied = appliedIds(evaluation);
        for (const { code, status, adjustmentId, reason } of evaluation.codes) {
          const holders = all.filter(
            (each) => each.status !== 'paused' && each.conditions.code === code.trim().toUpperCase(),
          );
          expect(status === 'unknown').toBe(holders.length === 0);
          expect(status === 'applied').toBe(holders.some(({ id }) => applied.has(id)));
          if (status === 'dropped') {
            const dropped = evaluation.droppedAdjustments.find((each) => each.adjustmentId === adjustmentId);
            expect(reason).toBe(dropped?.reason);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a code of many adjustments has the same effect as the one it redeems has alone', () => {
    fc.assert(
      fc.property(sharingACode, cart, (all, request) => {
        const cartContext = { ...request.cartContext, codes: ['summer'] };
        const snapshot = new CompanySnapshot(all);
        const holder = snapshot.holderOf('SUMMER', new Date(options.now).getTime());
        const alone = new CompanySnapshot(all.filter(({ id }) => id === holder?.id));
        const priced = (of: CompanySnapshot) =>
          priceCart(of, { ...request, cartContext }, { ...options, dropped: 'none' });
        expect(priced(snapshot)).toEqual(priced(alone));
      }),
      { numRuns: 500 },
    );
  });

  test("an issued code has the same effect as it would have as its adjustment's own code", () => {
    let applied = 0;
    fc.assert(
      fc.property(someAdjustments(8, { stacking: ANY_STACKING, minLength: 1 }), cart, (all, request) => {
        const [redeemed, ...others] = all as [Adjustment, ...Adjustment[]];
        const { code: _code, ...conditions } = redeemed.conditions;
        const unique = { ...redeemed, conditions: { ...conditions, uniqueCodes: true as const } };
        const own = { ...redeemed, conditions: { ...conditions, code: 'MINE' } };
        const presented = { lines: request.lines, cartContext: { ...request.cartContext, codes: ['mine'] } };
        const mine = { adjustmentId: redeemed.id, code: 'MINE', limit: 1, version: 1, claimed: 0 };
        const theirs = { ...mine, code: 'THEIRS' };
        const stored = new CompanySnapshot([unique, ...others]);
        const bare = { ...options, dropped: 'candidates' } as const;
        const caps = { claimed: (pool: string) => (pool.includes('|code|') ? 0 : options.claimed(pool)) };
        const issued = priceCart(new IssuedAdjustments(stored, ['mine'], [mine]), presented, { ...bare, ...caps });
        expect(issued).toEqual(priceCart(new CompanySnapshot([own, ...others]), presented, bare));
        // Nothing depends on codes that are not presented.
        const absent = { ...presented, cartContext: { ...presented.cartContext, codes: [] } };
        expect(priceCart(stored, absent, bare)).toEqual(priceCart(new CompanySnapshot([own, ...others]), absent, bare));
        const spare = priceCart(new IssuedAdjustments(stored, ['mine', 'theirs'], [mine, theirs]), presented, {
          ...bare,
          ...caps,
        });
        expect(spare).toEqual(issued);
        if (issued.codes.some(({ status }) => status === 'applied')) applied += 1;
      }),
      { numRuns: 1000 },
    );
    expect(applied).toBeGreaterThan(50);
  });

  test('presenting the code of a discount never raises the total', () => {
    const all = someAdjustments(8, { stacking: ANY_STACKING });
    const coded = someAdjustments(1, { minLength: 1, stacking: ANY_STACKING, atListing: false });
    // The amount of a per-order adjustment is split over several lines by cost. A discount on one line shifts some of
    // it to the others, and another per-order adjustment of some lines may then deduct less, by more than the discount.
    const perUnit = all.map((each) => each.filter(({ effect }) => effect.per === 'unit'));
    const anyCart = fc.oneof(fc.tuple(all, someCart(1)), fc.tuple(perUnit, cart));
    let lowered = 0;
    fc.assert(
      fc.property(anyCart, coded, ([others, request], [discount]) => {
        fc.pre(discount !== undefined && !discount.effect.kind.endsWith('surcharge'));
        const own = { ...discount, id: 'coded', conditions: { ...discount.conditions, code: 'MINE' } };
        const snapshot = new CompanySnapshot([...others, own]);
        const totalWith = (codes: string[]) => {
          const context = { ...request.cartContext, codes: [...(request.cartContext.codes ?? []), ...codes] };
          return priceCart(snapshot, { ...request, cartContext: context }, options).summary.total;
        };
        const [without, presented] = [totalWith([]), totalWith(['mine'])];
        expect(presented).toBeLessThanOrEqual(without);
        if (presented < without) lowered += 1;
      }),
      { numRuns: 1500 },
    );
    expect(lowered).toBeGreaterThan(50);
  });

  test('with an exclusive the buyer pays no more than with everything else instead', () => {
    let applied = 0;
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const price = priceCart(new CompanySnapshot(all), request, options);
        for (const { id, stacking, conditions } of all) {
          // If an exclusive with a code is removed, the code may redeem another adjustment.
          if (stacking !== 'exclusive' || conditions.code !== undefined || !appliedIds(price).has(id)) continue;
          applied += 1;
          const others = new CompanySnapshot(all.filter((each) => each.id !== id));
          expect(price.summary.total).toBeLessThanOrEqual(priceCart(others, request, options).summary.total);
        }
      }),
      { numRuns: 1500 },
    );
    expect(applied).toBeGreaterThan(10);
  });

  test('requesting candidates leaves out only adjustments that target nothing in the cart or need another code', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const snapshot = new CompanySnapshot(all);
        const everything = priceCart(snapshot, request, options);
        const presented = request.cartContext.codes?.map(codeKey) ?? [];
        expect(priceCart(snapshot, request, { ...options, dropped: 'candidates' })).toEqual({
          ...everything,
          droppedAdjustments: everything.droppedAdjustments.filter(
            ({ reason, code }) => reason !== 'target-mismatch' && (code === undefined || presented.includes(code)),
          ),
        });
      }),
      { numRuns: 300 },
    );
  });

  test('a caller who may not see codes learns nothing about codes that were not presented', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const presented = request.cartContext.codes?.map(codeKey) ?? [];
        const otherCodes = all.map((adjustment): Adjustment => {
          const { code } = adjustment.conditions;
          if (code === undefined || presented.includes(code)) return adjustment;
          const name = `was ${adjustment.name}`;
          return { ...adjustment, name, conditions: { ...adjustment.conditions, code: `${code}-100-FREE` } };
        });
        const seen = (adjustment: readonly Adjustment[]) =>
          encodeEvaluation(priceCart(new CompanySnapshot(adjustment), request, { ...options, showCodes: false }));
        expect(seen(otherCodes)).toBe(seen(all));
      }),
      { numRuns: 500 },
    );
  });
});
