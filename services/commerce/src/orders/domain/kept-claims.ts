import type { PricedAmendment, RedemptionClaim, TicketClaim } from '@event-commerce/contracts';

/** Tickets of an offering that an amendment adds to an order, or takes from it. */
interface MovedTickets {
  offeringId: string;
  eventId?: string | undefined;
  quantity: number;
}

/** How many tickets of each event an amendment takes from an order: added ones can use their places. */
export function ticketsByEvent(moved: readonly MovedTickets[]): Map<string, number> {
  return sumBy(moved, ({ eventId }) => eventId);
}

/**
 * The claims of an order that returns some tickets and adds others, in order of age. It gives back only the tickets of
 * an event that it does not exchange; the newest claims go first.
 */
export function keptTickets(
  claims: readonly TicketClaim[],
  { returned, added }: { returned: readonly MovedTickets[]; added: readonly MovedTickets[] },
): TicketClaim[] {
  const ofOfferings = sumBy(returned, ({ offeringId }) => offeringId);
  const ofEvents = ticketsByEvent(returned);
  for (const [eventId, quantity] of ticketsByEvent(added)) {
    ofEvents.set(eventId, Math.max(0, (ofEvents.get(eventId) ?? 0) - quantity));
  }
  return claims
    .toReversed()
    .map((claim) => {
      const [given, id] = 'offeringId' in claim.of ? [ofOfferings, claim.of.offeringId] : [ofEvents, claim.of.eventId];
      const { quantity, keeps = quantity } = claim;
      const less = Math.min(keeps, given.get(id) ?? 0);
      if (less === 0) return claim;
      given.set(id, (given.get(id) ?? 0) - less);
      return { ...claim, keeps: keeps - less };
    })
    .toReversed();
}

/**
 * The claims of an order that gives back its redemptions of the adjustments `released` with their codes, the tickets
 * that an adjustment counts for beyond `tickets` of them, and what it has of each budget beyond `budgets`; the newest
 * claims go first.
 */
export function keptRedemptions(
  claims: readonly RedemptionClaim[],
  { released, tickets, budgets }: Pick<PricedAmendment['redemptions'], 'released' | 'tickets' | 'budgets'>,
): RedemptionClaim[] {
  const over = new Set(released);
  const left = new Map([...Object.entries(tickets), ...Object.entries(budgets)]);
  return claims.map((claim) => {
    const { adjustmentId = '', budgetId, pool, quantity, keeps: kept = quantity } = claim;
    if (pool === undefined || pool === 'code') return over.has(adjustmentId) ? { ...claim, keeps: 0 } : claim;
    const limited = budgetId ?? adjustmentId;
    const rest = left.get(limited) ?? 0;
    const keeps = Math.min(kept, rest);
    left.set(limited, rest - keeps);
    return keeps === kept ? claim : { ...claim, keeps };
  });
}

/** `claims` as an order has them in addition while its amendment is pending. */
export function heldClaims<Claim extends { held?: true }>(claims: readonly Claim[]): Claim[] {
  return claims.map((claim) => ({ ...claim, held: true }));
}

/** The claims of an order that gives back what it holds for a pending amendment. */
export function withoutHeld<Claim extends { held?: true; keeps?: number }>(claims: readonly Claim[]): Claim[] {
  return claims.map((claim) => {
    const { held = false, ...rest } = claim;
    return held ? ({ ...rest, keeps: 0 } as Claim) : claim;
  });
}

/** The claims that are not given back entirely. */
export function standingClaims<Claim extends { quantity: number; keeps?: number }>(claims: readonly Claim[]): Claim[] {
  return claims.filter(({ keeps }) => keeps !== 0);
}

function sumBy(
  moved: readonly MovedTickets[],
  keyOf: (tickets: MovedTickets) => string | undefined,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const tickets of moved) {
    const key = keyOf(tickets);
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + tickets.quantity);
  }
  return sums;
}
