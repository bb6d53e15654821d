import { companyIdOf, type DomainEvent, type TableCommitment } from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import type { Seat, SoldSeat, TableDocument } from '../models.ts';

/** A table as the store returns it. */
export type TableRecord = Omit<TableDocument, 'outbox'>;

/** The id of the order that holds `seat`. */
export function orderIdOf(seat: SoldSeat): string {
  return seat.sessionId.slice(soldTo('').length);
}

/** The id of the session that joined with `seat`, even if an order holds it now. */
export function sessionIdOf(seat: Seat | SoldSeat): string {
  return 'boughtBy' in seat ? seat.boughtBy : seat.sessionId;
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
    spent: spentAt(table),
    status,
    joinedSessions: joined.map(sessionIdOf),
    parties: joined.map((seat) => ({
      sessionId: sessionIdOf(seat),
      seats: seat.seats,
      ...('boughtBy' in seat ? { orderId: orderIdOf(seat) } : {}),
    })),
    version: table.version,
    createdAt: table.createdAt.toISOString(),
  };
}

/** What the orders that hold seats cost together, in one currency. */
function spentAt({ joined, minimumSpend }: TableRecord): number {
  const totals = joined.flatMap((seat) => ('boughtBy' in seat ? [seat.spent] : []));
  const currency = typeof minimumSpend === 'object' ? minimumSpend.currency : totals[0]?.currency;
  return totals.reduce((sum, total) => (total.currency === currency ? sum + total.amount : sum), 0);
}

/** The domain event of a table's outbox entry. */
export function tableEvent(entry: OutboxEntry, document: TableDocument): DomainEvent {
  const about = { subject: document.tableId, tenant: document.companyId };
  const data = toTableCommitment(document);
  if (entry.type === 'cart.table_joined') {
    const session = entry.extra as { id: string; createdAt: string; leaves?: number; seats: number };
    return domainEvent({ ...entry, type: entry.type }, { ...about, data: { ...data, session } });
  }
  return domainEvent(entry as OutboxEntry & { type: 'table.closed' }, { ...about, data });
}
