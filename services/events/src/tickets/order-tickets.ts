import { type Claim, createOrderClaims, type OrderClaims, type OrderClaimsDeps } from '@event-commerce/claims';
import type { TicketClaim } from '@event-commerce/contracts';
import type { TellAvailability } from './tell-availability.ts';
import { ownerOf } from './ticket-pools.ts';

export type OrderTickets = OrderClaims<TicketClaim>;

/** The tickets that orders hold. Publishes that offerings have something left again. */
export function createOrderTickets(
  deps: OrderClaimsDeps & { tellAvailability: Pick<TellAvailability, 'ofPools'> },
): OrderTickets {
  return createOrderClaims({
    ...deps,
    toClaim: ({ claimId: id, of: _of, ...ticket }: TicketClaim) => ({ ...ticket, id }),
    claimsOf: ({ ticketIds }) => ticketIds,
    released: deps.tellAvailability.ofPools,
  });
}

export function toTicket({ id, poolId, shares, quantity, revision }: Claim): TicketClaim {
  const { kind, id: ownerId } = ownerOf(poolId);
  return {
    claimId: id,
    poolId,
    of: kind === 'offering' ? { offeringId: ownerId } : { eventId: ownerId },
    ...(shares === undefined ? {} : { shares }),
    quantity,
    ...(revision === undefined ? {} : { revision }),
  };
}
