import { describe, expect, it } from 'vitest';
import { couponInput } from './coupon.ts';

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
