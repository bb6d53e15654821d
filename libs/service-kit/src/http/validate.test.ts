import { currencyCode, externalId, name, orderListQuery, type PlatformError } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validateRequest } from './validate.ts';

function refusalOf(schema: z.ZodType, input: unknown, root?: string): string {
  try {
    validateRequest(schema, input, root);
  } catch (error) {
    return (error as PlatformError).message;
  }
  return 'none';
}

test.each<[z.ZodType, unknown, string]>([
  [currencyCode, 'eur', 'must be an ISO 4217 currency code, such as EUR (got "eur")'],
  [z.enum(['draft', 'published']), 'Published', 'must be one of draft, published (got "Published")'],
  [z.int().min(1), 0, 'must be at least 1 (got 0)'],
  [z.int(), 1.5, 'must be a whole number (got 1.5)'],
  [z.int(), '2', 'must be a number (got "2")'],
  [z.string(), null, 'must be a string (got null)'],
  [z.string(), { id: 1 }, 'must be a string (got an object)'],
  [z.array(z.string()), 'SUMMER', 'must be an array (got "SUMMER")'],
  [z.string().max(3), 'long text', 'must have at most 3 characters (got 9)'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry (got 2)'],
  [z.enum(['a']), 'a\u200b\u00a0\n', 'must be a (got "a\\u200b\\u00a0\\n")'],
  [z.enum(['a']), 'x'.repeat(1_000), `must be a (got "${'x'.repeat(63)}…")`],
  [externalId, ' ', 'must not be empty (got " ")'],
  [name, '\u200b', 'must have a visible character (got "\\u200b")'],
  [z.string(), undefined, 'is required'],
])('%# a refusal shows the value that it is about', (schema, value, text) => {
  expect(refusalOf(z.object({ field: schema }), { field: value })).toBe(`field ${text}.`);
});

test('a refusal inside a list or a choice shows the value that is there', () => {
  const schema = z.object({ items: z.array(z.union([z.string(), z.object({ quantity: z.int() })])) });
  expect(refusalOf(schema, { items: ['a', { quantity: '2' }] })).toBe('items[1].quantity must be a number (got "2").');
});

test('a parameter of a query that is empty or blank is absent', () => {
  const query = z.object({ limit: z.coerce.number().min(1).default(50), status: z.enum(['open']).optional() });
  expect(validateRequest(query, { limit: '', status: ' ' }, 'query')).toEqual({ limit: 50 });
});

test('a parameter of a query that is sent twice is refused as such', () => {
  const query = z.object({ limit: z.coerce.number().optional() });
  expect(refusalOf(query, { limit: ['1', '2'] }, 'query')).toBe('limit is sent 2 times; send it once.');
});

test('an e-mail address in a query is found although its plus was not encoded', () => {
  expect(validateRequest(orderListQuery, { email: 'ada tag@example.com' }, 'query').email).toBe('ada+tag@example.com');
});
