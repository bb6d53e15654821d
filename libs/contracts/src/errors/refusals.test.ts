import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_STATUS, PlatformError } from './errors.ts';
import * as cart from '../carts/cart-refusals.ts';
import * as general from './general-refusals.ts';
import { ALL_OPERATIONS } from '../operations/index.ts';
import type { Refusal } from './refusal.ts';
import * as amendments from '../orders/amendment.ts';
import * as callOffs from '../events/call-off.ts';
import * as codes from '../coupons/issued-codes.ts';
import * as dates from '../events/dates.ts';
import * as purchase from '../orders/purchase-refusals.ts';
import * as activity from '../activity/refusals.ts';
import * as customers from '../customers/refusals.ts';
import * as rehearsals from '../rehearsals/rehearsal.ts';
import * as webhooks from '../webhooks/refusals.ts';
import * as specific from './refusals.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Codes with separate sentences for many causes. The documents show one of them, which comes from here too. */
const MANY_SENTENCES = new Set([
  'BAD_GATEWAY',
  'BAD_REQUEST',
  'FORBIDDEN',
  'MALFORMED_JSON',
  'METHOD_NOT_ALLOWED',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'UNAUTHORIZED',
  'UNSUPPORTED_VERSION',
  'UPSTREAM_TIMEOUT',
  'VALIDATION_FAILED',
]);

function isRefusal(value: unknown): value is Refusal {
  return typeof (value as Refusal | undefined)?.example === 'function';
}
const refusals = [
  specific,
  purchase,
  amendments,
  callOffs,
  codes,
  dates,
  cart,
  activity,
  rehearsals,
  webhooks,
  customers,
  general,
]
  .flatMap((kinds) => Object.values<unknown>(kinds))
  .filter(isRefusal);

it('an error with one sentence is made in one place, which the documents use too', () => {
  const elsewhere = globSync('{services,libs,gateway}/**/src/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
    .filter((file) => !file.startsWith('libs/contracts/') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(path.join(root, file), 'utf8');
      return Array.from(source.matchAll(/new PlatformError\(\s*'([A-Z_]+)'/g), ([, code = '']) => ({ file, code }));
    });
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(elsewhere.filter(({ code }) => !MANY_SENTENCES.has(code))).toEqual([]);
});

it.each(
  Object.keys(ERROR_STATUS).filter(
    (code) => !['METHOD_NOT_ALLOWED', 'NOT_FOUND', 'UNSUPPORTED_VERSION'].includes(code),
  ),
)('%s has an example that the code that throws it makes', (code) => {
  expect(refusals.map((one) => one.code)).toContain(code);
});

it.each(refusals.map((one) => [one.code, one] as const))('%s is shown as it is thrown', (code, one) => {
  const error = one.example();
  expect(error).toBeInstanceOf(PlatformError);
  expect(error.code).toBe(code);
  expect(`${one.when} ${error.message}`).not.toMatch(/undefined|\[object|NaN/);
  expect(error.message).toMatch(/[.?]$/);
});

it('an operation lists each of its errors once', () => {
  for (const { id, errors = [] } of ALL_OPERATIONS) expect([id, new Set(errors).size]).toEqual([id, errors.length]);
});
