import { z } from 'zod';
import { memberNotes } from '../schema/member-notes.ts';
import { readOnly } from '../schema/merge-patch.ts';
import {
  ARRAY_LENGTH_MAX,
  externalId,
  listQuery,
  minorUnits,
  money,
  recordId,
  recordVersion,
  timestamp,
} from '../schema/primitives.ts';

/** The body of `POST /cart/table-commitments`. */
export const tableCommitmentInput = z
  .object({
    /** The caller's own id; one is made when it is absent. */
    id: recordId.optional(),
    contextId: externalId,
    seats: z.int().min(1).max(ARRAY_LENGTH_MAX),
    offeringId: externalId.optional(),
    /** Stored as it is sent: minor units, or money. */
    minimumSpend: z.union([minorUnits, money], 'must be whole minor units, or {amount, currency}').optional(),
  })
  .register(memberNotes, { answer: () => tableCommitment.shape })
  .meta({ id: 'TableCommitmentInput' });
export type TableCommitmentInput = z.output<typeof tableCommitmentInput>;

/** The body of `PATCH /cart/table-commitments/{id}`. */
export const tableCommitmentPatch = z
  .object({
    seats: z.int().min(1).max(ARRAY_LENGTH_MAX).optional().describe('Not below the number of seats that are taken.'),
    ...readOnly('contextId', 'offeringId', 'minimumSpend'),
  })
  .register(memberNotes, { answer: () => tableCommitment.shape, isPatch: true })
  .meta({ id: 'TableCommitmentPatch' });
export type TableCommitmentPatch = z.output<typeof tableCommitmentPatch>;

export const TABLE_STATUSES = ['open', 'full', 'closed'] as const;
export type TableStatus = (typeof TABLE_STATUSES)[number];

export const tableListQuery = listQuery(
  { contextId: externalId.optional(), status: z.enum(TABLE_STATUSES).optional() },
  () => tableCommitment,
);
export type TableListQuery = z.output<typeof tableListQuery>;

/** A table commitment as the API returns it. */
export const tableCommitment = z
  .object({
    id: z.string(),
    companyId: z.string(),
    contextId: z.string(),
    offeringId: z.string().exactOptional(),
    seats: z.int(),
    seatsTaken: z.int(),
    minimumSpend: z.union([minorUnits, money]).exactOptional(),
    spent: z
      .int()
      .describe(
        'The total of the orders that hold seats, with fees and tax, in minor units. Only orders in the currency of `minimumSpend` count; if it names none, those in the currency of the first order.',
      ),
    status: z.enum(TABLE_STATUSES),
    joinedSessions: z.array(z.string()).describe('The ids of the sessions that hold seats, in the order they joined.'),
    parties: z
      .array(
        z.object({
          sessionId: z.string(),
          seats: z.int(),
          orderId: z.string().exactOptional().describe('The order that the seats were bought with.'),
        }),
      )
      .describe('How many seats each of these sessions has.'),
    version: recordVersion,
    createdAt: timestamp,
  })
  .meta({ id: 'TableCommitment' });
export type TableCommitment = z.output<typeof tableCommitment>;
