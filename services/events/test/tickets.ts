import { randomUUID } from 'node:crypto';
import { call } from '@event-commerce/bus';
import {
  accepted,
  type CancelTicketsRequest,
  type ClaimedTickets,
  type ClaimTicketsRequest,
  type DomainEvent,
  type DomainEventData,
  type OfferingsReply,
  RPC,
  type RpcEndpoint,
  type TicketClaim,
} from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { Company, Services } from '../../../tests/harness/services.ts';

/** The body of an offering at 50.00 EUR. */
export const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } };

export async function askOfferings({ bus }: Services, company: Company, ids: unknown): Promise<OfferingsReply> {
  return (await call(bus, RPC.offerings as RpcEndpoint, { ids }, company.context())) as OfferingsReply;
}

/**
 * Claims this many tickets of each offering for a new order, or the one in `request`, as commerce does: a refused order
 * releases what it holds.
 */
export async function claimTickets(
  { bus }: Services,
  company: Company,
  quantities: Record<string, number>,
  request: Partial<ClaimTicketsRequest> = {},
): Promise<ClaimedTickets & { orderId: string }> {
  const items = Object.entries(quantities).map(([offeringId, quantity], index) => ({ index, offeringId, quantity }));
  const whole = { orderId: newId('ord'), customer: { email: 'ada@example.com' }, items, ...request };
  const { orderId } = whole;
  const reply = await call(bus, RPC.claimTickets, whole, company.context());
  if ('refusal' in reply && reply.spare.length > 0) {
    await call(bus, RPC.cancelTickets, { orderId, claims: reply.spare, unwritten: true }, company.context());
  }
  return { orderId, ...accepted(reply) };
}

export async function cancelTickets({ bus }: Services, company: Company, request: CancelTicketsRequest): Promise<void> {
  await call(bus, RPC.cancelTickets, request, company.context());
}

/** Publishes the state of an order, as commerce does. */
export async function tellOfOrder(
  { publish }: Services,
  { companyId }: Company,
  type: Extract<DomainEvent['type'], `order.${string}`>,
  order: { id: string; tickets: TicketClaim[]; state?: DomainEventData<'order.placed'>['state'] },
): Promise<void> {
  await publish({
    specversion: '1.0',
    id: randomUUID(),
    source: '/commerce',
    type,
    subject: order.id,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    companyid: companyId,
    environment: 'live',
    schemaversion: 1,
    data: {
      companyId,
      orderNumber: order.id,
      version: 1,
      state: type === 'order.cancelled' ? 'cancelled' : 'placed',
      reopenings: 0,
      customer: {},
      claims: [],
      ...order,
    },
  });
}
