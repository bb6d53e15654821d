import type { TicketClaim } from '@event-commerce/contracts';
import { describe, expect, it } from 'vitest';
import { heldClaims, keptRedemptions, keptTickets, withoutHeld } from './kept-claims.ts';

const claim = (claimId: string, of: TicketClaim['of'], quantity: number, keeps?: number): TicketClaim => ({
  claimId,
  poolId: claimId,
  of,
  quantity,
  ...(keeps === undefined ? {} : { keeps }),
});
const [A, B, E] = [{ offeringId: 'off_a' }, { offeringId: 'off_b' }, { eventId: 'evt_1' }];
const keepsOf = (claims: readonly TicketClaim[]) =>
  Object.fromEntries(claims.map(({ claimId, quantity, keeps = quantity }) => [claimId, keeps]));

describe('the tickets that an amended order keeps', () => {
  const claims = [claim('a1', A, 3), claim('e1', E, 4), claim('b1', B, 1), claim('a2', A, 2), claim('e2', E, 2, 1)];

  it('come from the oldest claims, of the offering and of its event', () => {
    const returned = [{ offeringId: 'off_a', eventId: 'evt_1', quantity: 4 }];
    expect(keepsOf(keptTickets(claims, { returned, added: [] }))).toEqual({ a1: 1, e1: 1, b1: 1, a2: 0, e2: 0 });
  });

  it('stay at the event if they are exchanged for others of it', () => {
    const returned = [{ offeringId: 'off_a', eventId: 'evt_1', quantity: 2 }];
    const more = (quantity: number) => ({ returned, added: [{ offeringId: 'off_b', eventId: 'evt_1', quantity }] });
    expect(keepsOf(keptTickets(claims, more(1)))).toEqual({ a1: 3, e1: 4, b1: 1, a2: 0, e2: 0 });
    expect(keepsOf(keptTickets(claims, more(5)))).toEqual({ a1: 3, e1: 4, b1: 1, a2: 0, e2: 1 });
  });

  it('are untouched by tickets that the platform does not count', () => {
    const returned = [{ offeringId: 'unknown', quantity: 2 }];
    expect(keptTickets(claims, { returned, added: [] })).toEqual(claims);
  });
});

it('an amended order keeps nothing of a redemption that it gives back', () => {
  const claims = ['adj_1', 'adj_2'].map((adjustmentId) => ({
    redemptionId: `rdm_${adjustmentId}`,
    adjustmentId,
    quantity: 1,
  }));
  expect(keptRedemptions(claims, { released: ['adj_2'], tickets: {}, budgets: {} })).toEqual([
    claims[0],
    { ...claims[1], keeps: 0 },
  ]);
});

it('an order gives back what it holds for a pending amendment, and nothing else', () => {
  const [had, added] = [claim('a1', A, 2, 1), claim('a2', A, 3)];
  const pending = [had, ...heldClaims([added])];
  expect(pending[1]).toEqual({ ...added, held: true });
  expect(withoutHeld(pending)).toEqual([had, { ...added, keeps: 0 }]);
});
