import { describe, expect, test } from 'vitest';
import { become, type ClaimStatus, takesPlace, TRANSITIONS } from './claim.ts';

const statuses = Object.keys(TRANSITIONS) as ClaimStatus[];

describe('a claim', () => {
  test('is pending first, and never again', () => {
    for (const from of statuses) expect(TRANSITIONS[from]).not.toContain('pending');
  });

  test('that ended otherwise is never confirmed', () => {
    for (const from of ['cancelled', 'lapsed', 'released'] as const) {
      for (const to of statuses) expect(become(from, to)).toBe(from);
    }
  });

  test('that is confirmed neither lapses nor is cancelled, and can be released', () => {
    expect(statuses.map((to) => become('confirmed', to))).toEqual(
      statuses.map((to) => (to === 'released' ? 'released' : 'confirmed')),
    );
  });

  test('gives its place back once: no status without a place leads to one with a place', () => {
    for (const from of statuses) {
      for (const to of TRANSITIONS[from]) expect(takesPlace(from) || !takesPlace(to)).toBe(true);
    }
  });
});
