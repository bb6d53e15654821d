import { type Adjustment, matchCode } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceCart } from './price.ts';
import { encodeEvaluation } from './encode-evaluation.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { adjustments, appliedIds, cart, options, sharingACode } from './any-evaluation.fixture.ts';

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

  test('a code that many have gives what the one that it redeems gives alone', () => {
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

  test('requesting candidates leaves out what targets nothing in the cart or needs another code, and nothing else', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const snapshot = new CompanySnapshot(all);
        const everything = priceCart(snapshot, request, options);
        const presented = request.cartContext.codes?.map(matchCode) ?? [];
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

  test('a caller who may not see codes learns nothing about those that were not presented', () => {
    fc.assert(
      fc.property(adjustments, cart, (all, request) => {
        const presented = request.cartContext.codes?.map(matchCode) ?? [];
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
