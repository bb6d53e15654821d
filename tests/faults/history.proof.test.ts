import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contradictions, type Entry, type Places } from './history.ts';

const model = { caps: { seats: 2 }, freeAfterMs: 100 };
const one = { seats: 1 };
const none = {};

const write = (order: string, beganMs: number, endedMs: number, takes: Places): Entry => ({
  what: 'write',
  order,
  beganMs,
  endedMs,
  takes,
  told: 'done',
});
const refuse = (order: string, beganMs: number, endedMs: number, takes: Places): Entry => ({
  what: 'write',
  order,
  beganMs,
  endedMs,
  takes,
  told: 'full',
});
const read = (order: string, atMs: number, told: Places | 'unknown'): Entry => ({
  what: 'read',
  order,
  beganMs: atMs,
  endedMs: atMs + 1,
  told,
});

describe('a history contradicts the caps', () => {
  test('when more is certainly taken than there is', () => {
    expect(contradictions([write('a', 0, 1, one), write('b', 0, 1, one), write('c', 2, 3, one)], model)).toEqual([
      '3 places of seats were taken at 3 ms, it has 2',
    ]);
  });

  test('when a change takes more than there is', () => {
    const history = [write('a', 0, 1, one), write('b', 0, 1, one), write('b', 2, 3, { seats: 2 })];
    expect(contradictions(history, model)).toEqual(['3 places of seats were taken at 3 ms, it has 2']);
  });

  test('when an order is refused while a place was free for long', () => {
    const history = [write('a', 0, 1, one), write('b', 0, 1, one), write('b', 2, 3, none), refuse('c', 200, 210, one)];
    expect(contradictions(history, model)).toEqual([
      'order c was refused 1 of seats with at most 1 of 2 places taken by others',
    ]);
  });

  test('when a change is refused while the places that an earlier change released were free for long', () => {
    const two = { seats: 2 };
    const history = [write('a', 0, 1, two), write('a', 2, 3, one), refuse('a', 200, 210, two)];
    expect(contradictions(history, model)).toEqual([
      'order a was refused 2 of seats with at most 0 of 2 places taken by others',
    ]);
  });
});

test.each<[string, Entry[]]>([
  ['is unknown after it was placed', [write('a', 0, 1, one), read('a', 2, 'unknown')]],
  ['stands after it was cancelled', [write('a', 0, 1, one), write('a', 2, 3, none), read('a', 4, one)]],
  ['is cancelled before any request to cancel it', [write('a', 0, 1, one), read('a', 2, none), write('a', 4, 5, none)]],
  [
    'is as before after it was changed',
    [write('a', 0, 1, { seats: 2 }), write('a', 2, 3, one), read('a', 4, { seats: 2 })],
  ],
])('a history contradicts itself when an order %s', (_what, history) => {
  expect(contradictions(history, model)).toHaveLength(1);
});

test('a history that some order of events explains contradicts nothing', () => {
  const history = [
    write('a', 0, 10, one),
    write('b', 0, 10, one),
    // Cancelled while the next one asks, which may come before or after.
    write('b', 11, 20, none),
    write('c', 12, 30, one),
    read('b', 12, one),
    read('b', 13, none),
    // Another order held the place for a moment.
    refuse('d', 12, 30, one),
    refuse('a', 40, 50, { seats: 2 }),
    read('a', 51, one),
  ];
  expect(contradictions(history, model)).toEqual([]);
});

test('no history of a platform that keeps the cap contradicts it, however slow its responses', () => {
  const step = fc.record({
    order: fc.nat(5),
    wants: fc.nat(3),
    before: fc.nat(50),
    after: fc.nat(50),
    pause: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (cap, steps) => {
      const history: Entry[] = [];
      const taken = new Map<string, { seats: number; answeredMs: number }>();
      let nowMs = 0;
      for (const { order: nth, wants, before, after, pause } of steps) {
        const order = String(nth);
        const { seats, answeredMs } = taken.get(order) ?? { seats: 0, answeredMs: 0 };
        // Takes effect now, requested before and answered after; nobody changes an order before the last response.
        nowMs = Math.max(nowMs + pause, answeredMs);
        const [beganMs, endedMs] = [Math.max(answeredMs, nowMs - before), nowMs + after];
        const others = [...taken].reduce((sum, [id, of]) => (id === order ? sum : sum + of.seats), 0);
        if (others + wants > cap && wants > seats) {
          history.push(refuse(order, beganMs, endedMs, { seats: wants }));
          taken.set(order, { seats, answeredMs: endedMs });
        } else {
          history.push(write(order, beganMs, endedMs, { seats: wants }), read(order, endedMs, { seats: wants }));
          taken.set(order, { seats: wants, answeredMs: endedMs + 1 });
        }
      }
      expect(contradictions(history, { caps: { seats: cap }, freeAfterMs: 0 })).toEqual([]);
    }),
  );
});
