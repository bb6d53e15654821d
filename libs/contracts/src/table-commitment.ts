import { z } from 'zod';
import { ARRAY_LENGTH_MAX, externalId, minorUnits, money } from './primitives.ts';

/** The body of `POST /cart/table-commitments`. */
export const tableCommitmentInput = z.object({
  /** The caller's own id; one is made when it is absent. */
  id: externalId.optional(),
  contextId: externalId,
  seats: z.int().min(1).max(ARRAY_LENGTH_MAX),
  offeringId: externalId.optional(),
  /** Kept as it is sent: minor units, or money. */
  minimumSpend: z.union([minorUnits, money], 'must be whole minor units, or {amount, currency}').optional(),
});
export type TableCommitmentInput = z.output<typeof tableCommitmentInput>;

export const TABLE_STATUSES = ['open', 'full', 'closed'] as const;
export type TableStatus = (typeof TABLE_STATUSES)[number];

/** A table commitment as the API answers it. */
export interface TableCommitment extends Omit<TableCommitmentInput, 'id'> {
  id: string;
  companyId: string;
  seatsTaken: number;
  status: TableStatus;
  /** The ids of the sessions that hold a seat, in the order they joined. */
  joinedSessions: string[];
  version: number;
  createdAt: string;
}
