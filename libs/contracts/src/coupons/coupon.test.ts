import { describe, expect, it } from 'vitest';
import { CONDITION_MEMBERS, coupon, couponInput, couponPatch } from './coupon.ts';
import { type CouponDefinition, couponProblems, couponTerms } from './coupon-terms.ts';

describe('the input of a coupon', () => {
  it('accepts the sample names for the listed ones', () => {
    expect(couponInput.parse({ discountType: 'Percentage', discountValue: 10, maxUses: 3 })).toEqual({
      type: 'percentage',
      percentOff: 10,
      limit: 3,
    });
    expect(couponInput.parse({ maxRedemptions: 5 })).toEqual({ limit: 5 });
    expect(couponInput.parse({ discountType: 'fixed', discountValue: 500 })).toEqual({ type: 'fixed', amountOff: 500 });
  });

  it('treats null as absent, even next to another name of the same field', () => {
    const absent = { code: null, currency: null, amountOff: null };
    expect(couponInput.parse({ ...absent, limit: 5, maxUses: null, maxRedemptions: null })).toEqual({ limit: 5 });
    expect(couponInput.parse({ ...absent, limit: null, maxUses: 5 })).toEqual({ limit: 5 });
    expect(couponInput.parse({ discountType: 'percent', discountValue: 10, percentOff: null })).toEqual({
      type: 'percent',
      percentOff: 10,
    });
  });

  it('keeps the type as it is sent', () => {
    for (const type of ['', ' Gala ', 'für alle', 'x'.repeat(256)])
      expect(couponInput.parse({ type })).toEqual({ type });
    expect(couponInput.safeParse({ type: 'x'.repeat(257) }).success).toBe(false);
  });

  it.each(['gift', '__proto__', 'constructor', 'toString', ''])('refuses the discountType %j', (discountType) => {
    const { error } = couponInput.safeParse({ discountType, discountValue: 10 });
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['discountType', expect.stringContaining('percentage_off, amount')],
    ]);
  });

  it('refuses a discountType that contradicts the type, if that is a word for a discount', () => {
    const typed = (type: string) =>
      couponInput.safeParse({ type, discountType: 'percentage', discountValue: 10 }).error?.issues[0]?.message;
    expect(['amount', 'FIXED'].map(typed)).toEqual(['contradicts type', 'contradicts type']);
    expect(['percent', 'gala', 'constructor'].map(typed)).toEqual([undefined, undefined, undefined]);
  });
});

const BLANK: CouponDefinition = { offeringIds: [], contextIds: [], enabled: true };
const problems = (given: object) =>
  couponInput.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

describe('a coupon says whatever an adjustment can', () => {
  it('has every condition, sent and shown', () => {
    for (const member of CONDITION_MEMBERS) {
      expect(couponInput.safeParse({ [member]: null }).success).toBe(true);
      expect(coupon.shape).toHaveProperty(member);
    }
  });

  it('with its conditions, effect and place in the cascade', () => {
    const effect = { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, per: 'order' } as const;
    const conditions = { minQuantity: 3, customerSegments: ['vip'], minOrderTotal: { amount: 5_000, currency: 'EUR' } };
    const given = couponInput.parse({
      code: 'three',
      effect: { ...effect, per: undefined },
      startsAt: '2027-01-01T00:00:00Z',
      endsAt: '2027-02-01T00:00:00Z',
      limitPerCustomer: 2,
      maxRedemptions: 5,
      ...conditions,
      stacking: 'exclusive',
      effectBase: 'current-price',
      priority: 7,
      category: 'gala',
    });
    expect(couponTerms({ ...BLANK, ...(given as object) }, false)).toEqual({
      name: 'THREE',
      type: 'coupon',
      category: 'gala',
      origin: 'coupon',
      application: 'at-checkout',
      stacking: 'exclusive',
      effectBase: 'current-price',
      priority: 7,
      targets: [{ urn: 'urn:v1::events:event/*' }],
      conditions: {
        code: 'THREE',
        startsAt: '2027-01-01T00:00:00.000Z',
        endsAt: '2027-02-01T00:00:00.000Z',
        maxRedemptions: 5,
        maxRedemptionsPerCustomer: 2,
        ...conditions,
      },
      effect,
      status: 'active',
    });
  });

  it('with a simple discount as before, capped and once for the order', () => {
    const terms = (given: object) => couponTerms({ ...BLANK, code: 'A', ...given }, false)?.effect;
    expect(terms({ percentOff: 10, currency: 'EUR' })).toEqual({ kind: 'percentage_off', percent: 10, per: 'unit' });
    expect(terms({ percentOff: 10, per: 'order', maxAmount: 500, currency: 'EUR' })).toEqual({
      kind: 'percentage_off',
      percent: 10,
      per: 'order',
      maxAmount: 500,
      currency: 'EUR',
    });
    expect(terms({ amountOff: 500 })).toEqual({ kind: 'amount_off', amount: 500, per: 'unit' });
    expect([
      couponTerms({ ...BLANK, code: 'A' }, false),
      terms({}),
      couponTerms({ ...BLANK, percentOff: 5 }, false),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['expiresAt', { endsAt: '2027-01-01T00:00:00Z' }, { expiresAt: '2027-01-01T01:00:00+01:00' }],
    ['maxRedemptionsPerCustomer', { limitPerCustomer: 1 }, { maxRedemptionsPerCustomer: 1 }],
    ['limit', { maxRedemptions: 1 }, { limit: 1 }],
  ])('with other names of %s, unless these contradict it', (field, alias, same) => {
    const [name = ''] = Object.keys(alias);
    expect(couponInput.parse(alias)).toEqual(couponInput.parse(same));
    expect(couponInput.parse({ ...alias, ...same })).toEqual(couponInput.parse(same));
    const other = field === 'expiresAt' ? '2027-01-02T00:00:00Z' : 2;
    expect(problems({ ...alias, [field]: other })).toEqual([`${name} contradicts ${field}`]);
  });

  it('but not with an effect and a simple discount at once', () => {
    const effect = { kind: 'fixed_price', amount: 500, currency: 'EUR' };
    expect(problems({ effect, percentOff: 10, per: 'order' })).toEqual([
      'percentOff cannot be combined with effect: say it in effect.percent',
      'per cannot be combined with effect: say it in effect.per',
    ]);
    expect(couponPatch.safeParse({ effect, percentOff: null }).success).toBe(true);
  });

  it.each<[Partial<CouponDefinition>, string]>([
    [{ startsAt: '2027-02-01T00:00:00.000Z', expiresAt: '2027-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ minQuantity: 3, maxQuantity: 2 }, 'maxQuantity'],
    [{ effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, per: 'order' }, maxQuantity: 2 }, 'maxQuantity'],
    [{ effect: { kind: 'fixed_price', amount: 1, currency: 'EUR', per: 'unit' }, per: 'order' }, 'per'],
  ])('by the rules of an adjustment: %j names %s', (given, path) => {
    expect(couponProblems({ ...BLANK, ...given }).map((problem) => problem.path)).toEqual([path]);
    expect(couponProblems({ ...BLANK, code: 'A', percentOff: 5 })).toEqual([]);
  });
});
