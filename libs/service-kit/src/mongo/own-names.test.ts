import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withOwnNames, withStoredNames } from './own-names.ts';

test('names with dots and dollars are stored without them, and come out as they went in', () => {
  const given = { 'T-shirt size (e.g. M)?': ['M', { $budget: 1, '100%': { '%2E': true } }], at: new Date(0) };
  const stored = withStoredNames(given);
  expect(stored).toEqual({
    'T-shirt size (e%2Eg%2E M)?': ['M', { '%24budget': 1, '100%25': { '%252E': true } }],
    at: new Date(0),
  });
  expect(withOwnNames(stored)).toEqual(given);
});

test('any names come out as they went in, and are stored with neither dot nor dollar', () => {
  const key = fc.string({ unit: fc.constantFrom('%', '.', '$', '2', '4', '5', 'E', 'a') });
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(key, fc.jsonValue()), (inner, outer) => {
      const given = JSON.parse(JSON.stringify({ ...outer, inner })) as object;
      const stored = withStoredNames(given);
      expect(namesIn(stored).filter((name) => /[.$]/.test(name))).toEqual([]);
      expect(withOwnNames(stored)).toEqual(given);
    }),
  );
});

test('what has nothing to escape is not copied', () => {
  const given = { answers: { diet: ['vegan', { nuts: false }] } };
  expect(withStoredNames(given)).toBe(given);
  expect(withOwnNames(given)).toBe(given);
});

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap(namesIn)];
}
