import { compactKey } from '@event-commerce/contracts';

/** Which of an adjustment's pools it is: what they count has its own limit. */
export type PoolKind = 'redemptions' | 'tickets' | 'code';

/** The pool of the tickets that an adjustment counts for. The pool of its redemptions has its own id. */
export function ticketPoolOf(adjustmentId: string): string {
  return `${adjustmentId}${OF_TICKETS}`;
}

/** The pool of a code that was issued for an adjustment. */
export function codePoolOf(adjustmentId: string, code: string): string {
  return `${codePoolsOf(adjustmentId)}${compactKey(code)}`;
}

/** How the ids of the pools of all codes of an adjustment begin. */
export function codePoolsOf(adjustmentId: string): string {
  return `${adjustmentId}${OF_CODE}`;
}

/** The pool of a claim that an order has. */
export function poolOfClaim({
  adjustmentId,
  pool = 'redemptions',
  code = '',
}: {
  adjustmentId: string;
  pool?: PoolKind | undefined;
  code?: string | undefined;
}): string {
  if (pool === 'redemptions') return adjustmentId;
  return pool === 'code' ? codePoolOf(adjustmentId, code) : ticketPoolOf(adjustmentId);
}

/** The adjustment whose pool it is, and which one. */
export function poolNamed(poolId: string): { adjustmentId: string; pool: PoolKind } {
  const code = poolId.indexOf(OF_CODE);
  if (code !== -1) return { adjustmentId: poolId.slice(0, code), pool: 'code' };
  return poolId.endsWith(OF_TICKETS)
    ? { adjustmentId: poolId.slice(0, -OF_TICKETS.length), pool: 'tickets' }
    : { adjustmentId: poolId, pool: 'redemptions' };
}

const OF_TICKETS = '|tickets';
/** The key of the code follows. */
const OF_CODE = '|code|';

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
