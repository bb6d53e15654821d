import { expect, it } from 'vitest';
import { howFar } from './how-far.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const asked = { quantity: 2, orderTotal: euros(10_000), now: '2027-06-01T12:00:00Z' };

it.each([
  ['quantity-below-minimum', { minQuantity: 4 }, { text: '2 more tickets', share: 0.5 }],
  ['quantity-below-minimum', { minQuantity: 3 }, { text: '1 more ticket', share: 2 / 3 }],
  ['quantity-above-maximum', { maxQuantity: 1 }, { text: '1 ticket too many' }],
  ['order-total-below-minimum', { minOrderTotal: euros(12_500) }, { text: '€25.00 more', share: 0.8 }],
  ['order-total-above-maximum', { maxOrderTotal: euros(9_000) }, { text: '€10.00 too much' }],
  ['not-started', { startsAt: '2027-06-04T12:00:00Z' }, { text: 'starts in 3 days' }],
  ['ended', { endsAt: '2027-06-01T10:00:00Z' }, { text: 'ended 2 hours ago' }],
] as const)('%s with %j is %j away', (reason, conditions, expected) => {
  expect(howFar(reason, { conditions }, asked)).toEqual(expected);
});

it('a number of tickets that only the effect needs has no distance', () => {
  expect(howFar('quantity-below-minimum', { conditions: { minQuantity: 2 } }, asked)).toBeUndefined();
});

it('a reason without a threshold has no distance', () => {
  expect(howFar('segment-mismatch', { conditions: { customerSegments: ['member'] } }, asked)).toBeUndefined();
});
