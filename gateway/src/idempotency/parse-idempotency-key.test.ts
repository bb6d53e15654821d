import { describe, expect, it } from 'vitest';
import { parseIdempotencyKey } from './parse-idempotency-key.ts';

describe('an Idempotency-Key', () => {
  it.each([
    ['a', 'a'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e"', '8e03978e'],
    ['!~/+=.', '!~/+=.'],
    ['a"b', 'a"b'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  ])('%j is the key %j', (field, key) => {
    expect(parseIdempotencyKey(field)).toBe(key);
  });

  it.each([
    '',
    '""',
    '"',
    '"a',
    'a b',
    '"a b"',
    '"a"b"',
    String.raw`"a\"b"`,
    'a, b',
    'ä',
    'a\tb',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
  ])('%j is refused, and the refusal names the header', (field) => {
    expect(() => parseIdempotencyKey(field)).toThrow('Idempotency-Key');
  });
});
