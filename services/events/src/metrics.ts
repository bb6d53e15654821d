import { claimCounter } from '@event-commerce/claims';

/** Counts orders that requested tickets. */
export const countingClaims = claimCounter(
  'ticket.claims',
  'Orders that asked for tickets: claimed, refused, or failed.',
);
