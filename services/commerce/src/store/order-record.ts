import {
  type Claim,
  companyIdOf,
  type DomainEvent,
  type Order,
  type OrderCosts,
  type OrderState,
  orderStateFrom,
  type TicketClaim,
} from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import type { OrderDocument, OrderEventType } from './models.ts';

/** An order as it is stored. */
export interface OrderRecord {
  id: string;
  /** What the API shows. */
  order: Order;
  state: OrderState;
  expiresAt: Date | undefined;
  changedAt: Date;
  /** Identifies a repeat: the same order number with the same content. */
  fingerprint: string;
  /** What it claimed, the last time that it was placed or reopened. */
  claims: readonly Claim[];
  tickets: readonly TicketClaim[];
  reopenings: number;
  /** The requests with an Idempotency-Key that moved it last. */
  attempts: readonly string[];
  /** The id of the API key that placed it, where that is known. */
  placedBy: string | undefined;
  tableCommitmentId: string | undefined;
  sessionCreatedAt: string | undefined;
}

export function toOrderRecord(document: OrderDocument): OrderRecord {
  const { status, expiresAt, createdAt, changedAt = createdAt, fingerprint, claims, tickets, reopenings } = document;
  return {
    id: document._id,
    order: toOrder(document),
    state: orderStateFrom(status),
    expiresAt,
    changedAt,
    fingerprint,
    claims,
    tickets: tickets ?? [],
    reopenings: reopenings ?? 0,
    attempts: document.attempts ?? [],
    placedBy: document.placedBy,
    tableCommitmentId: document.tableCommitmentId,
    sessionCreatedAt: document.sessionCreatedAt,
  };
}

export function toOrder(document: OrderDocument): Order {
  const {
    _id,
    companyId: tenant,
    fingerprint: _fingerprint,
    claims: _claims,
    tickets: _tickets,
    reopenings: _reopenings,
    attempts: _attempts,
    placedBy: _placedBy,
    tableCommitmentId: _tableCommitmentId,
    sessionCreatedAt: _sessionCreatedAt,
    terms: _terms,
    outbox: _outbox,
    costs,
    createdAt,
    changedAt = createdAt,
    expiresAt,
    cancelledAt,
    ...shown
  } = document;
  return {
    id: _id,
    companyId: companyIdOf(tenant),
    ...shown,
    costs: { ...costs, modifiers: costs.modifiers ?? balanceOf(costs) },
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(cancelledAt === undefined ? {} : { cancelledAt: cancelledAt.toISOString() }),
  };
}

/**
 * The modifiers of an order of an earlier release, which did not store them: what its costs need to add up.
 *
 * @until a migration
 */
function balanceOf({ subtotal, fees, tax, total }: OrderCosts): number {
  return total - fees - tax - subtotal;
}

/** The domain event of an order's outbox entry: the order as it is, with the redemptions and tickets it claimed. */
export function orderEvent(entry: OutboxEntry, document: OrderDocument): DomainEvent {
  return domainEvent(entry as OutboxEntry & { type: OrderEventType }, {
    subject: document._id,
    tenant: document.companyId,
    data: {
      ...toOrder(document),
      state: orderStateFrom(document.status),
      reopenings: document.reopenings ?? 0,
      claims: document.claims,
      tickets: document.tickets ?? [],
    },
  });
}
