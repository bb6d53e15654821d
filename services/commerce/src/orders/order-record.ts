import {
  type AmendmentWithBefore,
  companyIdOf,
  type DomainEvent,
  type Order,
  type OrderSale,
  type OrderState,
  orderStateFrom,
  type PriceBasis,
  type RedemptionClaim,
  type TicketClaim,
} from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import { withOwnNames } from '@event-commerce/service-kit';
import type { Amended, OrderDocument, OrderEventType, PendingAmended } from '../models.ts';

/** An order as it is stored. */
export interface OrderRecord {
  id: string;
  /** What the API shows. */
  order: Order;
  state: OrderState;
  expiresAt: Date | undefined;
  /** When it last became pending, if it ever was. */
  pendingSince: Date;
  changedAt: Date;
  /** Identifies a repeat: the same order number with the same content. */
  fingerprint: string;
  /** What it claimed when it was last placed or reopened. */
  claims: readonly RedemptionClaim[];
  tickets: readonly TicketClaim[];
  revision: number;
  /** What its price was computed from, if it can be computed again. */
  basis: PriceBasis | undefined;
  amended: Omit<Amended, 'last'>;
  lastAmendment: AmendmentWithBefore | undefined;
  /** The last amendment if it waits to be confirmed, with what it writes then. */
  pendingAmendment: (PendingAmended & { amendment: AmendmentWithBefore }) | undefined;
  /** The last requests with an Idempotency-Key that moved it. */
  attempts: readonly string[];
  /** The original of the API key that placed it. */
  placedBy: string;
  tableCommitmentId: string | undefined;
  seats: number | undefined;
  sessionCreatedAt: string | undefined;
}

export function toOrderRecord(document: OrderDocument): OrderRecord {
  const { status, expiresAt, changedAt, fingerprint, claims, tickets } = document;
  return {
    id: document._id,
    order: toOrder(document),
    state: orderStateFrom(status),
    expiresAt,
    pendingSince: document.pendingSince ?? document.createdAt,
    changedAt,
    fingerprint,
    claims,
    tickets,
    revision: document.revision ?? 0,
    basis: document.basis,
    ...amendedOf(document),
    attempts: document.attempts ?? [],
    placedBy: document.placedBy,
    tableCommitmentId: document.tableCommitmentId,
    seats: document.seats,
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
    basis: _basis,
    amended,
    pendingAmendment,
    revision: _revision,
    reopenings: _reopenings,
    attempts: _attempts,
    placedBy: _placedBy,
    tableCommitmentId: _tableCommitmentId,
    seats: _seats,
    pendingSince: _pendingSince,
    sessionCreatedAt: _sessionCreatedAt,
    terms: _terms,
    outbox: _outbox,
    createdAt,
    changedAt,
    expiresAt,
    cancelledAt,
    ...shown
  } = document;
  return {
    id: _id,
    companyId: companyIdOf(tenant),
    ...withOwnNames(shown),
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(cancelledAt === undefined ? {} : { cancelledAt: cancelledAt.toISOString() }),
    ...shownPending({ amended, pendingAmendment }),
  };
}

/** What an order shows of its pending amendment. */
export function shownPending({
  amended,
  pendingAmendment,
}: {
  amended: Amended | undefined;
  pendingAmendment: PendingAmended | undefined;
}): Pick<Order, 'pendingAmendment'> {
  if (amended === undefined || pendingAmendment === undefined) return {};
  const { id, due, costs } = amended.last;
  const expiresAt = pendingAmendment.expiresAt.toISOString();
  return { pendingAmendment: { id, due, total: costs.after.total, expiresAt } };
}

/** What an order remembers of its amendments; before the first one, what it was placed with. */
function amendedOf({ amended, pendingAmendment, items, costs: { tax, total, fees } }: OrderDocument) {
  const { last, ...remembered } = amended ?? {
    bought: {},
    taxed: { tax, goods: total - fees - tax },
    linesMade: items.length,
  };
  const lastAmendment = last && withOwnNames(last);
  return {
    amended: remembered,
    lastAmendment,
    pendingAmendment: pendingAmendment &&
      lastAmendment && { ...withOwnNames(pendingAmendment), amendment: lastAmendment },
  };
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
      tickets: document.tickets,
      ...(entry.extra as { sale?: OrderSale } | undefined),
      ...(isAboutAmendment(entry) && document.amended !== undefined ? { amendment: document.amended.last } : {}),
    },
  });
}

function isAboutAmendment({ type }: OutboxEntry): boolean {
  return type === 'order.amended' || type === 'order.amendment_pending' || type === 'order.amendment_ended';
}
