import { expect, it } from 'vitest';
import { z } from 'zod';
import { issueText } from './issue-text.ts';

z.config({ customError: issueText });

it.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.enum(['a']), undefined, 'is required'],
  [z.union([z.string(), z.number()]), undefined, 'is required'],
  [z.string(), 5, 'must be a string'],
  [z.int(), 'x', 'must be a number'],
  [z.int(), 0.5, 'must be a whole number'],
  [z.coerce.number(), 'x', 'must be a number'],
  [z.boolean(), 'x', 'must be true or false'],
  [z.object({}), null, 'must be an object'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), '', 'must have at least 2 characters'],
  [z.string().max(1), 'xx', 'must have at most 1 character'],
  [z.array(z.string()).min(1), [], 'must have at least 1 entry'],
  [z.array(z.string()).max(2), ['', '', ''], 'must have at most 2 entries'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.number().max(100), 101, 'must be at most 100'],
  [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.literal('a'), 'c', 'must be a'],
  [z.email(), 'x', 'must be an e-mail address'],
  [z.string().regex(/x/), 'y', 'has a format that is not allowed'],
  [z.strictObject({}), { a: 1 }, 'has an unknown field'],
  [z.union([z.string(), z.object({})]), 5, 'must be a string, or an object'],
  [z.union([z.string().min(2), z.object({ a: z.string() })]), {}, 'does not match any allowed form'],
  [
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
    { k: 1 },
    'must be one of a, b',
  ],
  [z.record(z.string().max(1), z.string()), { ab: '' }, 'has a name that is not allowed'],
  [z.map(z.string(), z.string()), new Map([['a', 1]]), 'must be a string'],
  [z.string().refine(() => false), 'x', 'is not valid'],
])('%# says in our words what is wrong', (schema, input, text) => {
  expect(schema.safeParse(input).error?.issues[0]?.message).toBe(text);
});
