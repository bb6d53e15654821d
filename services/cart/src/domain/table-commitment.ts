import type { TableStatus } from '@event-commerce/contracts';

/** What decides whether a session may join a table. */
export interface JoinableTable {
  id: string;
  contextId: string;
  seats: number;
  seatsTaken: number;
  status: TableStatus;
}

/** Why a session of context `contextId` cannot take a seat at `table`, as a sentence; undefined when it can. */
export function whyNotJoinable(table: JoinableTable, contextId: string | undefined): string | undefined {
  if (contextId !== undefined && contextId !== table.contextId) {
    return `Table ${table.id} is for ${table.contextId}, and this session is for ${contextId}.`;
  }
  if (table.status === 'closed') return `Table ${table.id} is closed.`;
  if (table.seatsTaken >= table.seats) return `All ${table.seats} seats of table ${table.id} are taken.`;
  return undefined;
}
