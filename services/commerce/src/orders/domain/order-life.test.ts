import { ORDER_STATES, type OrderState } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOverdue, movedBy, ORDER_LIFE, type Transition, whyNot } from './order-life.ts';

const TRANSITIONS: readonly Transition[] = ['confirm', 'cancel', 'expire', 'reopen'];
const TO: Record<Transition, readonly OrderState[]> = {
  confirm: ['placed'],
  cancel: ['cancelled'],
  expire: ['expired'],
  reopen: ['placed', 'pending'],
};
const ENDED: readonly OrderState[] = ['cancelled', 'expired'];

describe('the life of an order', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...TRANSITIONS), fc.boolean()), { maxLength: 30 });

  test('stays within its states, and alternates between claiming and releasing', () => {
    fc.assert(
      fc.property(fc.constantFrom<OrderState>('pending', 'placed'), steps, (first, all) => {
        let state = first;
        let holds = true;
        for (const [transition, holdsOnly] of all) {
          const outcome = ORDER_LIFE[state][transition];
          if (outcome !== 'moves') continue;
          const to = TO[transition][holdsOnly ? TO[transition].length - 1 : 0] as OrderState;
          // An order holds something when it ends, and nothing when it is reopened.
          expect(holds).toBe(transition !== 'reopen');
          holds = !ENDED.includes(to);
          state = to;
        }
        expect(holds).toBe(!ENDED.includes(state));
      }),
    );
  });

  test('repeats a transition without effect, unless another one came in between', () => {
    for (const transition of TRANSITIONS) {
      for (const to of TO[transition]) {
        // An order reopened with an expiry can still be confirmed, but not reopened again.
        expect([transition, to, ORDER_LIFE[to][transition]]).toEqual([transition, to, 'stays']);
      }
    }
  });

  test('expires only from pending, and returns only by reopening', () => {
    expect(movedBy('expire')).toEqual(['pending']);
    expect(movedBy('reopen')).toEqual(['cancelled', 'expired']);
    for (const state of ENDED) {
      const moves = TRANSITIONS.filter((transition) => ORDER_LIFE[state][transition] === 'moves');
      expect(moves).toEqual(['reopen']);
    }
  });

  test('says why an order that is over cannot be confirmed', () => {
    const order = (state: OrderState) => ({ id: 'ord_1', state, changedAt: new Date(0) });
    expect(whyNot('confirm', order('expired'))?.code).toBe('ORDER_EXPIRED');
    expect(whyNot('confirm', order('cancelled'))?.message).toBe('Order ord_1 is cancelled: reopen it instead.');
    for (const state of ORDER_STATES) expect(whyNot('cancel', order(state))).toBeUndefined();
  });

  test('is overdue exactly from expiresAt on', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.integer({ min: -1000, max: 1000 }), (expiresAt, offset) => {
        const now = new Date(expiresAt.getTime() + offset);
        fc.pre(!Number.isNaN(now.getTime()));
        expect(isOverdue({ state: 'pending', expiresAt }, now)).toBe(offset >= 0);
        for (const state of ['placed', 'cancelled', 'expired'] as const) {
          expect(isOverdue({ state, expiresAt }, now)).toBe(false);
        }
        expect(isOverdue({ state: 'pending' }, now)).toBe(false);
      }),
    );
  });
});
