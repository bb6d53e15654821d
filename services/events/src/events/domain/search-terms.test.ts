import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchedFor, searchTerms, startTerms } from './search-terms.ts';

test('an event has each term once', () => {
  const own = {
    name: 'Jazz & jazz',
    description: 'Café, a+b',
    status: 'draft' as const,
    startsAt: new Date('2027-05-03T20:00:00Z'),
  };
  expect(searchTerms(own)).toEqual([
    'n jazz',
    'd cafe',
    'd a',
    'd b',
    't draft',
    's 2',
    's 20',
    's 202',
    's 2027',
    's 2027-05',
    's 2027-05-03',
  ]);
  expect(searchTerms({})).toEqual([]);
  expect(searchedFor('Ja JA')).toEqual([{ name: 'n ja', description: 'd ja' }]);
});

test('an event that starts in a time range has exactly one of its periods, and one that starts on another day has none', () => {
  const time = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  fc.assert(
    fc.property(time, time, time, (from, to, startsAt) => {
      const periods = new Set(startTerms(from, to));
      const matching = searchTerms({ startsAt }).filter((term) => periods.has(term));
      const isWithin = dayOf(from) <= dayOf(startsAt) && dayOf(startsAt) <= dayOf(to);
      expect(matching).toHaveLength(isWithin ? 1 : 0);
      expect(periods.size).toBeLessThan(160);
    }),
    { numRuns: 2_000 },
  );
});

test('a time range without an end has few periods', () => {
  const startsAt = new Date('2027-05-03T20:00:00Z');
  const from = startTerms(startsAt);
  expect(from.length).toBeLessThan(70);
  expect(searchTerms({ startsAt: new Date('2031-01-01') }).filter((term) => from.includes(term))).toEqual(['s 203']);
  expect(startTerms(undefined, startsAt)).toContain('s 1');
});
