import type { EvaluateCartRequest } from '@event-commerce/contracts';
import type { CountedBuyer } from '../../adjustments/domain/adjustment.ts';
import { codePoolOf, ticketPoolOf } from '../../adjustments/domain/pools-of.ts';
import { poolAt } from '../../budgets/domain/budget.ts';
import type { CompiledAdjustment } from '../../snapshot/domain/compiled-adjustment.ts';
import { codesOf, type KnownEvents, linesOf } from './cart-lines.ts';
import type { LiveAdjustments } from '../../snapshot/domain/snapshot.ts';

/** The ids of the pools whose usage must be known before a request is priced. */
export interface CapsToRead {
  /** The pools with a limit for all customers together. Several adjustments may share that of a budget. */
  inAll: string[];
  /**
   * The pools with a limit per customer. Empty without a customer: their adjustments are then dropped, whatever the
   * usage.
   */
  perCustomer: string[];
  /** Those of them that also count by e-mail address. Empty without one. */
  perEmail: string[];
  buyer: CountedBuyer;
}

export function capsToRead(
  snapshot: LiveAdjustments,
  request: EvaluateCartRequest,
  events: KnownEvents,
  nowMs: number,
): CapsToRead {
  const { customerId, customerEmail } = request.cartContext;
  const found: CapsToRead = { inAll: [], perCustomer: [], perEmail: [], buyer: { customerId, customerEmail } };
  if (!snapshot.hasCaps) return found;
  const lines = linesOf(request, events);
  const codes = codesOf(request.cartContext);
  for (const adjustment of snapshot.cappedOn(lines, codes)) {
    const { inAll, perCustomer, perEmail } = poolsCapping(adjustment, snapshot, nowMs);
    found.inAll.push(...inAll);
    if (customerId !== undefined) found.perCustomer.push(...perCustomer);
    if (customerEmail !== undefined) found.perEmail.push(...perEmail);
  }
  return { ...found, inAll: [...new Set(found.inAll)], perCustomer: [...new Set(found.perCustomer)] };
}

/** The pools with the limits of one adjustment. */
export function poolsCapping(
  {
    source: {
      id,
      issued,
      conditions: { perCustomerBy },
    },
    conditions,
  }: Pick<CompiledAdjustment, 'source' | 'conditions'>,
  snapshot: Pick<LiveAdjustments, 'budget'>,
  nowMs: number,
): Pick<CapsToRead, 'inAll' | 'perCustomer' | 'perEmail'> {
  const { maxRedemptions, maxRedemptionsPerCustomer, maxTickets, maxTicketsPerCustomer, budgetId } = conditions;
  const budget = budgetId === undefined ? undefined : snapshot.budget(budgetId);
  const drawnOn = budget === undefined ? [] : [poolAt(budget, nowMs)];
  const isShared = budget?.per === 'customer';
  const ofCustomer = [
    ...(maxRedemptionsPerCustomer === undefined ? [] : [id]),
    ...(maxTicketsPerCustomer === undefined ? [] : [ticketPoolOf(id)]),
  ];
  return {
    inAll: [
      ...(issued === undefined ? [] : [codePoolOf(id, issued.code)]),
      ...(maxRedemptions === Infinity ? [] : [id]),
      ...(maxTickets === Infinity ? [] : [ticketPoolOf(id)]),
      ...(isShared ? [] : drawnOn),
    ],
    perCustomer: [...ofCustomer, ...(isShared ? drawnOn : [])],
    perEmail: perCustomerBy === 'email' ? ofCustomer : [],
  };
}
