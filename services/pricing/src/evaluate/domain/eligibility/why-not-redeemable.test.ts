import { expect, test } from 'vitest';
import { anAdjustment, NOW } from '../adjustments.fixture.ts';
import { whyNotRedeemable } from './why-not-redeemable.ts';

const at = { nowMs: Date.parse(NOW), usage: { claimed: 3 }, customerUsage: 1, buyer: { customerId: 'cus_1' } };

test.each([
  [{}, {}, undefined],
  [{ minQuantity: 9, code: 'X' }, {}, undefined],
  [{ endsAt: NOW }, {}, 'ended'],
  [{ startsAt: '2030-01-01T00:00:00.000Z' }, {}, 'not-started'],
  [{ maxRedemptions: 4 }, {}, undefined],
  [{ maxRedemptions: 3 }, {}, 'redemption-limit-reached'],
  [{ maxRedemptionsPerCustomer: 2 }, {}, undefined],
  [{ maxRedemptionsPerCustomer: 1 }, {}, 'customer-redemption-limit-reached'],
  [{ maxRedemptionsPerCustomer: 2 }, { buyer: {} }, 'customer-missing'],
  [{ maxRedemptionsPerCustomer: 2 }, { buyer: { customerEmail: 'em_1' } }, 'customer-missing'],
  [{ maxRedemptionsPerCustomer: 2, perCustomerBy: 'email' as const }, { buyer: { customerEmail: 'em_1' } }, undefined],
])('%j asked for %j: %s', (conditions, asked, reason) => {
  expect(whyNotRedeemable(anAdjustment({ id: 'adj', conditions }), { ...at, ...asked })?.reason).toBe(reason);
});
