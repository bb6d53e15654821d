import { expect, test } from 'vitest';
import { spansFrom } from './soonest-first.ts';

const HOUR_MS = 60 * 60 * 1000;
const LATEST = 8.64e15;

test('spans of time follow one another without gaps, grow, and are few up to the end of time', () => {
  const spans = [...spansFrom(5, 6, HOUR_MS, LATEST)];
  expect(spans.slice(0, 3)).toEqual([
    { begin: 5, until: 6 },
    { begin: 6, until: 6 + 8 * HOUR_MS },
    { begin: 6 + 8 * HOUR_MS, until: 6 + 72 * HOUR_MS },
  ]);
  expect(spans.map(({ begin }) => begin).slice(1)).toEqual(spans.map(({ until }) => until).slice(0, -1));
  expect(spans.at(-1)?.until).toBe(LATEST);
  expect(spans.length).toBeLessThan(10);
});

test('no span of time exceeds the end, and there is always at least one', () => {
  expect([...spansFrom(0, 10, 10, 10)]).toEqual([{ begin: 0, until: 10 }]);
  expect([...spansFrom(0, 10, 10, 60)]).toEqual([
    { begin: 0, until: 10 },
    { begin: 10, until: 60 },
  ]);
  expect([...spansFrom(20, 30, 10, 10)]).toEqual([{ begin: 20, until: 10 }]);
});
