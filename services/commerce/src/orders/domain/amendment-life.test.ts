import { AMENDMENT_STATES, type AmendmentState } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { AMENDMENT_LIFE, hasOverdueAmendment, whyNotAmended } from './amendment-life.ts';

const amendment = (state: AmendmentState) => ({ id: 'amd_1', state, created: '2027-05-01T18:00:00.000Z' });

describe('the life of an amendment', () => {
  test('ends once, and accepts only repeats of its end', () => {
    const moving = AMENDMENT_STATES.filter((state) => Object.values(AMENDMENT_LIFE[state]).includes('moves'));
    expect(moving).toEqual(['pending']);
    expect([AMENDMENT_LIFE.applied.confirm, AMENDMENT_LIFE.cancelled.cancel]).toEqual(['stays', 'stays']);
  });

  test('says why one that ended cannot be confirmed or cancelled', () => {
    const expired = { ...amendment('expired'), expiresAt: '2027-05-01T18:15:00.000Z' };
    expect(whyNotAmended('confirm', expired)?.message).toBe(
      'Amendment amd_1 expired at 2027-05-01T18:15:00.000Z and gave back what it held; make it again.',
    );
    expect(whyNotAmended('confirm', amendment('cancelled'))?.message).toBe(
      'Amendment amd_1 is cancelled: make it again.',
    );
    expect(whyNotAmended('cancel', amendment('applied'))?.message).toBe(
      'Amendment amd_1 is applied: amend the order back instead.',
    );
    for (const state of ['pending', 'expired', 'cancelled'] as const) {
      expect(whyNotAmended('cancel', amendment(state))).toBeUndefined();
    }
  });

  test('is overdue exactly from expiresAt on', () => {
    const pendingAmendment = { expiresAt: new Date(1_000) };
    expect([999, 1_000].map((now) => hasOverdueAmendment({ pendingAmendment }, new Date(now)))).toEqual([false, true]);
    expect(hasOverdueAmendment({ pendingAmendment: undefined }, new Date(1_000))).toBe(false);
  });
});
