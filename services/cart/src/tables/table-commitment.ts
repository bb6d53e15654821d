import { joinRefusals, type TableStatus } from '@event-commerce/contracts';

/** What decides whether a session may join a table. */
interface JoinableTable {
  id: string;
  contextId: string;
  seats: number;
  seatsTaken: number;
  status: TableStatus;
}

/** Why a session of context `contextId` cannot take `seats` at `table`, as a sentence; undefined if it can. */
export function whyNotJoinable(table: JoinableTable, contextId: string | undefined, seats: number): string | undefined {
  if (contextId !== undefined && contextId !== table.contextId) {
    return joinRefusals.otherContext(table.id, table.contextId, contextId);
  }
  if (table.status === 'closed') return joinRefusals.closed(table.id);
  const left = table.seats - table.seatsTaken;
  if (left <= 0) return joinRefusals.full(table.id, table.seats);
  if (left < seats) return joinRefusals.tooFewLeft(table.id, left, seats);
  return undefined;
}
