/** The pool of the tickets that an adjustment counts for. The pool of its redemptions has its own id. */
export function ticketPoolOf(adjustmentId: string): string {
  return `${adjustmentId}${OF_TICKETS}`;
}

/** The adjustment whose pool it is, and which one. */
export function poolNamed(poolId: string): { adjustmentId: string; pool: 'redemptions' | 'tickets' } {
  return poolId.endsWith(OF_TICKETS)
    ? { adjustmentId: poolId.slice(0, -OF_TICKETS.length), pool: 'tickets' }
    : { adjustmentId: poolId, pool: 'redemptions' };
}

const OF_TICKETS = '|tickets';

/** Whether the tickets that an adjustment counts for are limited. */
export function hasTicketCap({
  maxTickets,
  maxTicketsPerCustomer,
}: {
  maxTickets?: number | undefined;
  maxTicketsPerCustomer?: number | undefined;
}): boolean {
  return (maxTickets ?? Infinity) !== Infinity || maxTicketsPerCustomer !== undefined;
}
