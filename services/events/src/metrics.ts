import { claimCounter } from '@event-commerce/claims';

/** Counts orders that asked for tickets. */
export const countingClaims = claimCounter(
  'ticket.claims',
  'Orders that asked for tickets: claimed, repeated (those of a copy were answered), refused, or failed.',
);
