import { couponNotFound } from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import {
  codeBatch,
  codeBatchListQuery,
  codeBatchNotFound,
  codeNotFound,
  issueCodesInput,
  issuedCode,
  issuedCodeDetail,
  issuedCodeListQuery,
} from './issued-codes.ts';

const COUPON = exampleId('cpn', 2);
const BATCH = exampleId('bat', 1);
const IMPORTED = exampleId('bat', 2);
/** How long a request waits for its codes to be made. */
const WAIT_MS = 3_000;

const theCoupon = ids({ id: 'The coupon.' });
const theBatch = ids({ id: 'The coupon.', batchId: 'The batch.' });
const theCode = ids({ id: 'The coupon.', code: 'The code, in any spelling.' });

/** Served by pricing, where a code is counted as every cap is. */
export const CODE_OPERATIONS = operations('pricing', 'Coupons', {
  issueCodes: {
    method: 'POST',
    path: '/coupons/{id}/codes',
    summary: 'Issue codes',
    description: [
      'Gives each buyer a code of their own. The coupon needs `uniqueCodes: true`; everything else about the discount is said by the coupon, once for all codes. `count` makes random codes, `codes` issues yours.',
      'Making many takes a while: then the response is 202, and `GET /coupons/{id}/codes/batches/{batchId}` shows its progress. Those that exist can be redeemed at once.',
      'Buyers may enter a code in lower case, and without dashes or spaces. Each counts `limitPerCode` times, and all codes of the coupon together as its `limit` says.',
    ].join('\n\n'),
    scope: 'coupons:write',
    waitsMs: WAIT_MS,
    params: theCoupon,
    body: issueCodesInput,
    grows: true,
    answer: {
      statuses: { 201: 'The codes exist.', 202: 'The codes are being made.' },
      data: codeBatch,
    },
    errors: [couponNotFound, codeBatchNotFound],
    examples: {
      generated: {
        summary: 'Twenty codes for the winners of a raffle',
        path: { id: COUPON },
        body: { count: 20, pattern: 'RAFFLE-####-####' },
        makes: { 'data.id': BATCH },
      },
      imported: {
        summary: 'The codes that a partner has printed already',
        path: { id: COUPON },
        body: { codes: ['VIP-0417', 'VIP-0418'] },
        makes: { 'data.id': IMPORTED },
      },
    },
  },
  listCodeBatches: {
    method: 'GET',
    path: '/coupons/{id}/codes/batches',
    summary: 'List batches of codes',
    description: 'Returns the batches of the coupon, newest first.',
    scope: 'coupons:read',
    params: theCoupon,
    query: codeBatchListQuery,
    answer: { statuses: { 200: 'One page of batches.' }, data: codeBatch, form: 'list' },
    errors: [couponNotFound],
    examples: { all: { summary: 'All of them', path: { id: COUPON } } },
  },
  getCodeBatch: {
    method: 'GET',
    path: '/coupons/{id}/codes/batches/{batchId}',
    summary: 'Read a batch of codes',
    scope: 'coupons:read',
    versioned: 'answers',
    params: theBatch,
    answer: { statuses: { 200: 'The batch.' }, data: codeBatch },
    errors: [couponNotFound, codeBatchNotFound],
    examples: { generated: { summary: 'How many are made', path: { id: COUPON, batchId: BATCH } } },
  },
  listCodes: {
    method: 'GET',
    path: '/coupons/{id}/codes',
    summary: 'List or export issued codes',
    description:
      'Returns the codes that match all filters. With `format` the response is a stream of all of them, without envelope and pages: `ndjson` has one code as JSON in each line, `csv` one row.',
    scope: 'coupons:read',
    params: theCoupon,
    query: issuedCodeListQuery,
    answer: {
      statuses: { 200: 'One page of codes, or all of them as a stream.' },
      data: issuedCode,
      form: 'list',
      streams: { 'application/x-ndjson': 'One code as JSON in each line.', 'text/csv': 'One code a row (RFC 4180).' },
    },
    errors: [couponNotFound],
    examples: {
      unused: {
        summary: 'Those that nobody has used',
        path: { id: COUPON },
        query: { batch: IMPORTED, status: 'unused' },
      },
    },
  },
  getCode: {
    method: 'GET',
    path: '/coupons/{id}/codes/{code}',
    summary: 'Read an issued code',
    description: 'Whether it was used, and by which orders.',
    scope: 'coupons:read',
    params: theCode,
    answer: { statuses: { 200: 'The code.' }, data: issuedCodeDetail },
    errors: [couponNotFound, codeNotFound],
    examples: { vip: { summary: 'Was it used?', path: { id: COUPON, code: 'vip0417' } } },
  },
  revokeCode: {
    method: 'DELETE',
    path: '/coupons/{id}/codes/{code}',
    summary: 'Revoke an issued code',
    description: 'No order can redeem it any more. One that has it keeps it.',
    scope: 'coupons:write',
    params: theCode,
    answer: { statuses: { 200: 'The revoked code.' }, data: issuedCodeDetail },
    errors: [couponNotFound, codeNotFound],
    examples: { vip: { summary: 'It was lost', path: { id: COUPON, code: 'VIP-0417' } } },
  },
  revokeCodeBatch: {
    method: 'DELETE',
    path: '/coupons/{id}/codes/batches/{batchId}',
    summary: 'Revoke a batch of codes',
    description:
      'No order can redeem its codes any more. Those that have one keep it. Codes that are not made yet are not made. Revoking many takes a while: then the response is 202.',
    scope: 'coupons:write',
    waitsMs: WAIT_MS,
    params: theBatch,
    answer: { statuses: { 200: 'The batch is revoked.', 202: 'It is being revoked.' }, data: codeBatch },
    errors: [couponNotFound, codeBatchNotFound],
    examples: { imported: { summary: 'The partner has printed them twice', path: { id: COUPON, batchId: IMPORTED } } },
  },
} satisfies Declarations);
