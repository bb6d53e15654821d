import { z } from 'zod';
import { refusal } from '../errors/refusal.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { couponCode, storedCode } from '../schema/codes.ts';
import { externalId, listQuery, QUANTITY_MAX, recordVersion, timestamp } from '../schema/primitives.ts';

/** The most codes that one request makes. */
const GENERATED_MAX = 1_000_000;
/** The most codes that one request brings along. */
const IMPORTED_MAX = 500;
export const DEFAULT_PATTERN = '####-####-####';

const limitPerCode = z.int().min(1).max(QUANTITY_MAX);

/** The body of `POST /v1/coupons/{id}/codes`. */
export const issueCodesInput = z
  .object({
    count: z.int().min(1).max(GENERATED_MAX).optional().describe('Makes so many random codes.'),
    pattern: couponCode
      .transform(storedCode)
      .refine((pattern) => pattern.includes('#'), 'must have a # for each random character')
      .optional()
      .describe(
        `How they look: each \`#\` becomes a random letter or digit that is not mistaken for another one. Without it, \`${DEFAULT_PATTERN}\`.`,
      ),
    codes: z
      .array(z.string().max(QUANTITY_MAX))
      .min(1)
      .max(IMPORTED_MAX)
      .optional()
      .describe('Issues these codes instead, such as those of a partner. The response lists those that are refused.'),
    batchId: externalId
      .optional()
      .describe('Adds `codes` to the batch that an earlier request made, where they are more than one request takes.'),
    limitPerCode: limitPerCode.optional().describe('How many orders may redeem each code. Without it, 1.'),
  })
  .register(memberNotes, { answer: () => codeBatch.shape })
  .refine(({ count, codes }) => (count === undefined) !== (codes === undefined), {
    path: ['count'],
    message: 'is required, or codes: send how many to make, or the codes themselves, not both',
  })
  .refine(({ pattern, codes }) => pattern === undefined || codes === undefined, {
    path: ['pattern'],
    message: 'belongs to count: codes are issued as they are',
  })
  .refine(({ batchId, count }) => batchId === undefined || count === undefined, {
    path: ['batchId'],
    message: 'belongs to codes: send another request without it to make more',
  })
  .meta({ id: 'IssueCodesInput' });
export type IssueCodesInput = z.output<typeof issueCodesInput>;

/** Why a code that a company brings along is refused. */
const REJECTED = ['duplicate', 'held', 'invalid'] as const;

export const codeBatch = z
  .object({
    id: z.string(),
    couponId: z.string(),
    kind: z.enum(['generated', 'imported']),
    pattern: z.string().exactOptional(),
    limitPerCode: z.int().describe('How many orders may redeem each code.'),
    count: z.int().describe('How many codes it has, once all are made.'),
    made: z.int().describe('How many of them exist.'),
    status: z
      .enum(['running', 'done', 'revoking', 'revoked'])
      .describe('`running`: codes are being made; those that exist can be redeemed.'),
    created: timestamp,
    finished: timestamp.exactOptional(),
    version: recordVersion,
    rejected: z
      .array(z.object({ index: z.int(), reason: z.enum(REJECTED) }))
      .exactOptional()
      .describe(
        'The `codes` of the request that were not issued: `duplicate` is issued already, `held` belongs to another coupon or adjustment, `invalid` cannot be a code.',
      ),
  })
  .meta({ id: 'CodeBatch' });
export type CodeBatch = z.output<typeof codeBatch>;
export type RejectedCode = NonNullable<CodeBatch['rejected']>[number];

export const codeBatchListQuery = listQuery({}, () => codeBatch);

const CODE_STATUSES = ['unused', 'held', 'used', 'revoked'] as const;
export type CodeStatus = (typeof CODE_STATUSES)[number];

export const issuedCode = z
  .object({
    code: z.string(),
    batchId: z.string(),
    limit: z.int().describe('How many orders may redeem it; 0 once it is revoked.'),
    redeemed: z.int().describe('How many orders have redeemed it.'),
    claimed: z.int().describe('The same with orders that are not confirmed yet.'),
    status: z
      .enum(CODE_STATUSES)
      .describe(
        '`used` by an order at least, `held` by one that is not confirmed, `revoked` before it was used, or `unused`.',
      ),
  })
  .meta({ id: 'IssuedCode' });
export type ShownCode = z.output<typeof issuedCode>;

export const issuedCodeDetail = issuedCode
  .extend({ orderIds: z.array(z.string()).describe('The orders that have it, or had it, newest first: 100 at most.') })
  .meta({ id: 'IssuedCodeDetail' });
export type ShownCodeDetail = z.output<typeof issuedCodeDetail>;

export const issuedCodeListQuery = listQuery(
  {
    batch: externalId.optional().describe('Only those of this batch.'),
    status: z.enum(CODE_STATUSES).optional(),
    format: z
      .enum(['ndjson', 'csv'])
      .optional()
      .describe('Streams everything that matches, whatever `limit` and `cursor` say: one code a line.'),
  },
  () => issuedCode,
);
export type IssuedCodeListQuery = z.output<typeof issuedCodeListQuery>;

/** The batch of an event: codes are secrets, so it has none. */
export const codeBatchData = codeBatch.omit({ rejected: true, created: true, finished: true, pattern: true });

export const codeNotFound = refusal(
  'CODE_NOT_FOUND',
  'No such code was issued for the coupon.',
  (couponId: string) => ({
    message: `No such code was issued for coupon ${couponId}. Check its spelling: GET /v1/coupons/${couponId}/codes lists them.`,
  }),
  'cpn_1',
);
export const codeBatchNotFound = refusal(
  'BATCH_NOT_FOUND',
  'The coupon has no batch of codes with this id.',
  (couponId: string, id: string) => ({
    message: `Coupon ${couponId} has no batch ${id}. Check the id: GET /v1/coupons/${couponId}/codes/batches lists them.`,
  }),
  'cpn_1',
  'bat_unknown',
);
