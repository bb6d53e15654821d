import { companyIdOf, type DomainEvent, type TableCommitment } from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import type { SoldSeat, TableDocument } from './models.ts';

/** A table as the store returns it. */
export type TableRecord = Omit<TableDocument, 'outbox'>;

/** The order that holds `seat`. */
export function buyerOf(seat: SoldSeat): string {
  return seat.sessionId.slice(soldTo('').length);
}

/** Stored in an order's seat in place of a session's id. No session has such an id. */
export function soldTo(orderId: string): string {
  return `order/${orderId}`;
}

/** The table as the API shows it. */
export function toTableCommitment(table: TableRecord): TableCommitment {
  const { tableId, contextId, offeringId, seats, seatsTaken, minimumSpend, status, joined } = table;
  return {
    id: tableId,
    companyId: companyIdOf(table.companyId),
    contextId,
    ...(offeringId === undefined ? {} : { offeringId }),
    seats,
    seatsTaken,
    ...(minimumSpend === undefined ? {} : { minimumSpend }),
    status,
    joinedSessions: joined.map((seat) => ('boughtBy' in seat ? seat.boughtBy : seat.sessionId)),
    version: table.version,
    createdAt: table.createdAt.toISOString(),
  };
}

/** The domain event of a table's outbox entry. */
export function tableEvent(entry: OutboxEntry, document: TableDocument): DomainEvent {
  const about = { subject: document.tableId, tenant: document.companyId };
  const data = { ...toTableCommitment(document) };
  if (entry.type === 'table.full') return domainEvent({ ...entry, type: entry.type }, { ...about, data });
  return domainEvent(entry as OutboxEntry & { type: 'cart.table_joined' }, {
    ...about,
    data: { ...data, session: entry.extra as { id: string; createdAt: string; leaves?: number } },
  });
}
