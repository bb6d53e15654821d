import { type Claim, createOrderClaims, type OrderClaims, type OrderClaimsDeps } from '@event-commerce/claims';
import type { TicketClaim } from '@event-commerce/contracts';
import type { TellAvailability } from './tell-availability.ts';

export type OrderTickets = OrderClaims<TicketClaim>;

/** The tickets that orders hold. Publishes that offerings have something left again. */
export function createOrderTickets(
  deps: OrderClaimsDeps & { tellAvailability: Pick<TellAvailability, 'ofPools'> },
): OrderTickets {
  return createOrderClaims({
    ...deps,
    toClaim: ({ claimId: id, ...ticket }: TicketClaim) => ({ ...ticket, id }),
    claimsOf: ({ ticketIds }) => ticketIds,
    released: deps.tellAvailability.ofPools,
  });
}

export function toTicket({ id, poolId, quantity }: Claim): TicketClaim {
  return { claimId: id, poolId, quantity };
}
