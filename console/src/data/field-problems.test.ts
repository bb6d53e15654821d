import { ApiError } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { fieldProblems } from './field-problems.ts';

const refusal = (...paths: string[]) =>
  new ApiError(400, {
    error: {
      code: 'VALIDATION_FAILED',
      message: 'The request is not valid.',
      details: paths.map((path) => ({ path, message: 'must be later' })),
    },
  });

it('shows what the platform said about a field at that field, and about parts of a list at the list', () => {
  const { fields, rest } = fieldProblems(refusal('endsAt', 'tags[3]'), { ends: 'endsAt', tags: 'tags' });
  expect(fields).toEqual({ ends: 'It must be later.', tags: 'It must be later.' });
  expect(rest).toMatch('marked fields');
});

it('shows the whole text where a part of it is about no field', () => {
  expect(fieldProblems(refusal('endsAt', 'other'), { ends: 'endsAt' }).rest).toMatch('other: must be later');
  expect(fieldProblems(new Error('It broke.'), { ends: 'endsAt' })).toEqual({ fields: {}, rest: 'It broke.' });
  expect(fieldProblems(undefined, {})).toEqual({ fields: {}, rest: undefined });
});
