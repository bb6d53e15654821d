import { expect, it } from 'vitest';
import { adjustmentInput } from './adjustment.ts';
import { namedBy, targetInput, targetOf } from './target.ts';

const early = { targets: [{ eventId: 'evt_1' }], effect: { kind: 'percentage_off', percent: 10 } };
const threeForTwo = { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100 };

function refusalOf(input: object) {
  return adjustmentInput.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message]);
}

it('needs a start while it is scheduled', () => {
  const scheduled = { ...early, status: 'scheduled' };
  expect(refusalOf(scheduled)).toEqual([
    ['conditions.startsAt', 'is required while status is scheduled: it says when the adjustment starts to count'],
  ]);
  expect(refusalOf({ ...scheduled, conditions: { startsAt: '2027-01-01T00:00:00Z' } })).toBeUndefined();
});

it('counts free tickets only over the whole order', () => {
  expect(refusalOf({ ...early, effect: { ...threeForTwo, per: 'unit' } })).toEqual([
    ['effect.per', 'must be order: free tickets are counted over the whole order'],
  ]);
  expect(adjustmentInput.parse({ ...early, effect: threeForTwo }).effect.per).toBe('order');
});

it('allows at least as many tickets as its effect needs', () => {
  const needed = 'must not be below the fewest tickets with which the effect does anything';
  const tiered = {
    kind: 'tiered',
    tiers: [
      { minQuantity: 6, percent: 20 },
      { minQuantity: 3, percent: 10 },
    ],
  };
  for (const effect of [threeForTwo, tiered]) {
    const atMost = (maxQuantity: number) => refusalOf({ ...early, effect, conditions: { maxQuantity } });
    expect(atMost(2)).toEqual([['conditions.maxQuantity', needed]]);
    expect(atMost(3)).toBeUndefined();
  }
});

it('accepts a currency for a cap', () => {
  for (const effect of [early.effect, threeForTwo]) {
    const capped = { ...effect, maxAmount: 1_000, currency: 'JPY' };
    expect(adjustmentInput.parse({ ...early, effect: capped }).effect).toMatchObject(capped);
  }
});

it('accepts amounts of tiers with a currency, or without one for any currency', () => {
  for (const currency of ['EUR', undefined]) {
    const tiered = { kind: 'tiered', tiers: [{ minQuantity: 4, amount: 500 }], ...(currency && { currency }) };
    expect(adjustmentInput.parse({ ...early, effect: tiered }).effect).toMatchObject(tiered);
  }
});

it('keeps what a target names if the id of the company has colons', () => {
  for (const companyId of ['acme:eu', 'acme:events:event', ':']) {
    for (const given of [{ eventId: 'evt_1' }, { urn: `urn:v2:${companyId}:events:event/evt_1` }]) {
      const target = targetOf(companyId, targetInput.parse(given));
      expect(target).toMatchObject({ companyId, eventId: 'evt_1' });
      // What the API returned may be sent back.
      expect(targetOf(companyId, targetInput.parse(target))).toEqual(target);
      expect(namedBy(target)).toEqual({ eventId: 'evt_1', offeringId: undefined });
    }
  }
});

it('limits the length of a urn without its company, so that what the API returns may be sent back', () => {
  const urn = (length: number) => `urn:v1::${'n'.repeat(length - 'urn:v1:::event/evt_1'.length)}:event/evt_1`;
  const target = targetOf('acme-tickets-international', targetInput.parse({ urn: urn(1_024) }));
  expect(targetOf('acme-tickets-international', targetInput.parse(target))).toEqual(target);
  const tooLong = [urn(1_025), targetOf('acme', { urn: urn(1_025) }).urn, 'x'.repeat(100_000)];
  expect(tooLong.map((one) => targetInput.safeParse({ urn: one }).success)).toEqual([false, false, false]);
});
