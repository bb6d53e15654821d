import { describe, expect, test } from 'vitest';
import { changeTo } from './change.ts';

const proposed = {
  name: 'Summer',
  targets: [{ eventId: 'evt_1' }],
  effect: { kind: 'percentage_off', percent: 20 },
} as const;
const before = { id: 'adj_1', conditions: { minQuantity: 2, code: 'SUMMER' } } as never;

describe('what is rehearsed', () => {
  test('is a new campaign, if it is not stored', () => {
    expect(changeTo({ proposed: { ...proposed }, before: undefined } as never, false)).toEqual({ create: proposed });
  });

  test('is a patch that removes the conditions that the form does not have', () => {
    const given = { ...proposed, id: 'adj_1', conditions: { code: 'WINTER' } } as never;
    expect(changeTo({ proposed: given, before }, false)).toEqual({
      patch: { ...proposed, id: 'adj_1', status: 'active', conditions: { minQuantity: null, code: 'WINTER' } },
    });
  });

  test('keeps the codes of a coupon whose buyers have codes of their own', () => {
    const given = { ...proposed, id: 'adj_1', conditions: { code: 'PREVIEW', maxRedemptions: 5 } } as never;
    const issued = { id: 'adj_1', conditions: { uniqueCodes: true } } as never;
    expect(changeTo({ proposed: given, before: issued }, false)).toMatchObject({
      patch: { conditions: { uniqueCodes: true, maxRedemptions: 5 } },
    });
  });

  test('is the removal of the campaign, even while the form is not complete', () => {
    expect(changeTo({ proposed: undefined, before }, true)).toEqual({ archive: { id: 'adj_1' } });
    expect(changeTo({ proposed: undefined, before }, false)).toBeUndefined();
  });
});
