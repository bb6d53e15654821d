import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contradictions, type Entry } from './history.ts';

const model = { cap: 2, freeAfterMs: 100 };

const place = (order: string, beganMs: number, endedMs: number, told: 'placed' | 'refused' = 'placed'): Entry => ({
  what: 'place',
  order,
  beganMs,
  endedMs,
  told,
});
const cancel = (order: string, beganMs: number, endedMs: number): Entry => ({
  what: 'cancel',
  order,
  beganMs,
  endedMs,
  told: 'cancelled',
});
const read = (order: string, atMs: number, told: 'placed' | 'cancelled' | 'unknown'): Entry => ({
  what: 'read',
  order,
  beganMs: atMs,
  endedMs: atMs + 1,
  told,
});

describe('a history contradicts the cap', () => {
  test('when more orders certainly stand than the cap allows', () => {
    expect(contradictions([place('a', 0, 1), place('b', 0, 1), place('c', 2, 3)], model)).toEqual([
      '3 orders stood at 3 ms, 2 may',
    ]);
  });

  test('when an order is refused while a place was free for long', () => {
    const history = [place('a', 0, 1), place('b', 0, 1), cancel('b', 2, 3), place('c', 200, 210, 'refused')];
    expect(contradictions(history, model)).toEqual(['order c was refused with at most 1 of 2 places taken']);
  });
});

test.each<[string, Entry[]]>([
  ['is unknown after it was placed', [place('a', 0, 1), read('a', 2, 'unknown')]],
  ['stands after it was cancelled', [place('a', 0, 1), cancel('a', 2, 3), read('a', 4, 'placed')]],
  ['is cancelled before any request to cancel it', [place('a', 0, 1), read('a', 2, 'cancelled'), cancel('a', 4, 5)]],
])('a history contradicts itself when an order %s', (_what, history) => {
  expect(contradictions(history, model)).toHaveLength(1);
});

test('a possible order of events is no contradiction', () => {
  const history = [
    place('a', 0, 10),
    place('b', 0, 10),
    // Cancelled while the next one asks, which may come before or after.
    cancel('b', 11, 20),
    place('c', 12, 30),
    read('b', 12, 'placed'),
    read('b', 13, 'cancelled'),
    // Another order held the place for a moment.
    place('d', 12, 30, 'refused'),
  ];
  expect(contradictions(history, model)).toEqual([]);
});

test('no history of a platform that keeps the cap is a contradiction, however slow its responses', () => {
  const step = fc.record({ cancels: fc.boolean(), before: fc.nat(50), after: fc.nat(50), pause: fc.nat(20) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (cap, steps) => {
      const history: Entry[] = [];
      const standing: string[] = [];
      let nowMs = 0;
      for (const [n, { cancels, before, after, pause }] of steps.entries()) {
        // Takes effect now, requested before and answered after.
        nowMs += pause;
        const during = [nowMs - before, nowMs + after] as const;
        const oldest = cancels ? standing.shift() : undefined;
        if (oldest !== undefined) {
          // Nobody cancels an order whose response has not arrived.
          const { endedMs } = history.find((entry) => entry.order === oldest) as Entry;
          nowMs = Math.max(nowMs, endedMs);
          history.push(cancel(oldest, nowMs, nowMs + after), read(oldest, nowMs + after, 'cancelled'));
        } else if (standing.length < cap) {
          standing.push(String(n));
          history.push(place(String(n), ...during));
        } else {
          history.push(place(String(n), ...during, 'refused'));
        }
      }
      expect(contradictions(history, { cap, freeAfterMs: 0 })).toEqual([]);
    }),
  );
});
