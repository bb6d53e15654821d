import { expect, test } from 'vitest';
import { capRefusal } from './redemption-caps.ts';

test('several redemptions are accepted together or not at all, and the refusal says how many are left', () => {
  const caps = { maxRedemptions: 4, maxRedemptionsPerCustomer: undefined };
  const redeemed = { claimed: 3, isKnown: false, claimedByCustomer: () => 0 };
  expect(capRefusal(caps, { ...redeemed, quantity: 1 })).toBeUndefined();
  expect(capRefusal(caps, { ...redeemed, quantity: 2 })).toEqual({
    reason: 'redemption-limit-reached',
    detail: 'allows 4 redemptions in all, 1 is left and 2 asked for',
  });
});
