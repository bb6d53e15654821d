import { type LimitReason, noTicketLeft, unitsOf } from '@event-commerce/contracts';
import { sharesFor } from '../../../adjustments/domain/adjustment.ts';
import { ticketPoolOf } from '../../../adjustments/domain/pools-of.ts';
import type { CompiledAdjustment } from '../../../snapshot/domain/compiled-adjustment.ts';
import { type Refusal, tickets } from './refusal.ts';
import type { EvaluationContext } from './rule.ts';

type Context = Pick<
  EvaluationContext,
  'customerId' | 'customerEmail' | 'claimed' | 'customerUsage' | 'own' | 'granted'
>;

/** How many tickets an adjustment may count for, and why no more. */
export interface TicketAllowance {
  units: number;
  reason: LimitReason;
}

/** The least that `units` of the effect, the tickets left in all, and those left for the customer allow. */
export function ticketAllowance(adjustment: CompiledAdjustment, context: Context): TicketAllowance {
  if (!adjustment.limitsTickets) return { units: Infinity, reason: 'units' };
  const max = unitsOf(adjustment.source.effect)?.max ?? Infinity;
  const left = ticketsLeft(adjustment, context);
  return left.units < max ? left : { units: max, reason: 'units' };
}

/** Advisory in an evaluation, like every cap: under concurrency the claim decides. */
export function ticketCapRefusal(adjustment: CompiledAdjustment, context: Context): Refusal | undefined {
  const { maxTickets, maxTicketsPerCustomer: perCustomer } = adjustment.conditions;
  if (maxTickets === Infinity && perCustomer === undefined) return undefined;
  if (perCustomer !== undefined && sharesFor(adjustment.source.conditions, context).length === 0) {
    const detail = `allows ${tickets(perCustomer)} per customer, no customer was given`;
    return { reason: 'customer-missing', detail };
  }
  const { units, reason } = ticketsLeft(adjustment, context);
  if (units > 0) return undefined;
  const ofCustomer = reason === 'customer-ticket-limit-reached';
  const allowed = ofCustomer ? (perCustomer ?? 0) : maxTickets;
  return { reason, detail: noTicketLeft({ allowed, claimed: allowed, wanted: 1 }, ofCustomer) };
}

function ticketsLeft(
  { source, conditions }: CompiledAdjustment,
  context: Context,
): TicketAllowance & { reason: Exclude<LimitReason, 'units'> } {
  const { maxTickets, maxTicketsPerCustomer = Infinity } = conditions;
  const pool = ticketPoolOf(source.id);
  const own = context.own?.(source.id) ?? 0;
  const granted = context.granted?.get(source.id) ?? Infinity;
  // The order keeps what it already has, even if the limit has been lowered since.
  const leftOf = (limit: number, used: (poolId: string) => number) =>
    limit === Infinity ? Infinity : Math.max(0, limit - used(pool));
  const inAll = leftOf(maxTickets, context.claimed);
  const ofCustomer = leftOf(maxTicketsPerCustomer, context.customerUsage);
  // A claim that got less than it asked for found no more in the total pool.
  return ofCustomer < Math.min(inAll, granted)
    ? { units: own + ofCustomer, reason: 'customer-ticket-limit-reached' }
    : { units: own + Math.min(inAll, granted), reason: 'ticket-limit-reached' };
}
