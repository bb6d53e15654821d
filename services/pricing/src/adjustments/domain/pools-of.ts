import { compactKey } from '@event-commerce/contracts';

/** Which of an adjustment's pools it is. Each counts something that has its own limit. */
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

/** The pool of a budget, or of one day of it. Customers have shares of it. */
export function poolOfBudget(budgetId: string, day?: string): string {
  return day === undefined ? budgetId : `${budgetId}|${day}`;
}

/** Whether an id is that of a budget, and not that of an adjustment. */
export function isBudgetId(id: string): boolean {
  return id.startsWith('bud_');
}

/** The pool of a claim that an order has. */
export function poolOfClaim({
  adjustmentId = '',
  budgetId,
  day,
  pool = 'redemptions',
  code = '',
}: {
  adjustmentId?: string | undefined;
  budgetId?: string | undefined;
  day?: string | undefined;
  pool?: PoolKind | 'budget' | undefined;
  code?: string | undefined;
}): string {
  if (budgetId !== undefined) return poolOfBudget(budgetId, day);
  if (pool === 'redemptions') return adjustmentId;
  return pool === 'code' ? codePoolOf(adjustmentId, code) : ticketPoolOf(adjustmentId);
}

type NamedPool =
  | { adjustmentId: string; pool: PoolKind; budgetId?: undefined; day?: undefined }
  | { adjustmentId?: undefined; pool: 'budget'; budgetId: string; day?: string };

/** Whose pool it is, and which one. */
export function poolNamed(poolId: string): NamedPool {
  if (isBudgetId(poolId)) {
    const [budgetId = '', day] = poolId.split('|');
    return { pool: 'budget', budgetId, ...(day === undefined ? {} : { day }) };
  }
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
