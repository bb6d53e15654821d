import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PlatformError } from '@event-commerce/contracts';
import { createPlaces, type HeldPlaces } from './places.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const WAIT_MAX_MS = 8_000;

/** Takes places for requests that end on command, and records which are in flight. */
function taking(placesMax: number, inFlightMax: number) {
  const places = createPlaces({ service: 'commerce', placesMax, inFlightMax, waitMaxMs: WAIT_MAX_MS });
  const underWay: string[] = [];
  const refused: PlatformError[] = [];
  const take = (
    company: string,
    {
      response = new EventEmitter(),
      of = 1,
      answeredAfterMs,
    }: { response?: EventEmitter; of?: number | (() => number | undefined); answeredAfterMs?: number } = {},
  ) => {
    let held: HeldPlaces | null = null;
    const answered = () => held?.answered();
    places.take(
      company,
      typeof of === 'number' ? { isLarge: of > 1, wanted: () => of } : { isLarge: false, wanted: of },
      response as ServerResponse,
      (given, error) => {
        held = given;
        if (error === undefined) underWay.push(company);
        else refused.push(error);
        if (answeredAfterMs !== undefined) setTimeout(answered, answeredAfterMs);
      },
    );
    const leave = () => response.emit('close');
    const end = () => {
      answered();
      leave();
    };
    return Object.assign(end, { answered, leave, whenEnded: (then: () => void) => held?.whenEnded(then) });
  };
  return { underWay, refused, take };
}

test('a company alone gets half of the places, and its other requests wait', () => {
  const { underWay, take } = taking(8, 100);
  const [end] = Array.from({ length: 10 }, () => take('a'));
  expect(underWay).toHaveLength(4);
  end?.();
  expect(underWay).toHaveLength(5);
});

test('while others send too, a company gets an eighth of the places, and waiting companies take turns', () => {
  const { underWay, take } = taking(16, 100);
  take('b');
  const ends = Array.from({ length: 6 }, () => take('a'));
  expect(underWay).toEqual(['b', 'a', 'a']);
  take('b');
  take('b');
  expect(underWay).toEqual(['b', 'a', 'a', 'b']);
  ends[0]?.();
  expect(underWay).toEqual(['b', 'a', 'a', 'b', 'a']);
});

test('a large request takes several places, and small ones do not wait for it', () => {
  const { underWay, take } = taking(32, 100);
  const end = take('b');
  const large = take('a', { of: 4 });
  take('a', { of: 2 });
  take('a');
  expect(underWay).toEqual(['b', 'a', 'a']);
  end();
  vi.advanceTimersByTime(100);
  expect(underWay).toEqual(['b', 'a', 'a']);
  large();
  vi.advanceTimersByTime(100);
  expect(underWay).toEqual(['b', 'a', 'a', 'a']);
});

test('the largest request takes no more than the share of its company, and so none of the others', () => {
  const { underWay, take } = taking(16, 100);
  take('b');
  take('a', { of: 1_000 });
  for (const other of ['c', 'd', 'e']) take(other);
  expect(underWay).toEqual(['b', 'a', 'c', 'd', 'e']);
});

test('while others send too, a service works on the large requests of a company for half of the time at most', () => {
  const { underWay, take } = taking(1_000, 2_000);
  const beside = setInterval(() => take('b')(), 10);
  take('b')();
  for (let n = 0; n < 100; n++) take('a', { of: 2, answeredAfterMs: 20 });
  vi.advanceTimersByTime(399);
  clearInterval(beside);
  expect(underWay.filter((company) => company === 'a')).toHaveLength(10);
});

test('while others send too, large requests that end at once follow each other at a rate by their size', () => {
  const { underWay, take } = taking(1_000, 2_000);
  const beside = setInterval(() => take('b')(), 10);
  take('b')();
  for (let n = 0; n < 100; n++) take('a', { of: 8, answeredAfterMs: 0 });
  vi.advanceTimersByTime(320);
  clearInterval(beside);
  expect(underWay.filter((company) => company === 'a')).toHaveLength(10);
});

test('while others send too, a service works on one large request of a company at a time, read or not', () => {
  const { underWay, take } = taking(64, 100);
  take('b');
  const first = take('a', { of: 2 });
  const second = take('a', { of: 2 });
  vi.advanceTimersByTime(100);
  expect(underWay).toEqual(['b', 'a']);
  first.answered();
  vi.advanceTimersByTime(100);
  expect(underWay).toEqual(['b', 'a', 'a']);
  second.answered();
  second.answered();
  first();
  take('a', { of: 2 });
  take('a', { of: 2 });
  vi.advanceTimersByTime(100);
  expect(underWay).toEqual(['b', 'a', 'a', 'a']);
});

test('a large request that takes long does not hold up those behind it', () => {
  const { underWay, refused, take } = taking(64, 100);
  take('b');
  for (let n = 0; n < 4; n++) take('a', { of: 2 });
  const beside = setInterval(() => take('b')(), 100);
  vi.advanceTimersByTime(1_000);
  clearInterval(beside);
  expect([underWay.filter((company) => company === 'a'), refused]).toEqual([['a', 'a', 'a', 'a'], []]);
});

test('a request takes as many places as it is known to need when it starts', () => {
  const { underWay, take } = taking(64, 100);
  let of = 2;
  take('b');
  const ends = Array.from({ length: 6 }, () => take('a', { of: () => of }));
  expect(underWay).toEqual(['b', 'a', 'a', 'a', 'a']);
  of = 5;
  ends[0]?.();
  ends[1]?.();
  expect(underWay).toEqual(['b', 'a', 'a', 'a', 'a']);
  ends[2]?.();
  expect(underWay).toEqual(['b', 'a', 'a', 'a', 'a', 'a']);
});

test('two requests of which nothing is known start at once while others send too: they may all be large', () => {
  const { underWay, take } = taking(512, 1_000);
  take('b');
  for (let n = 0; n < 20; n++) take('a', { of: () => undefined });
  expect(underWay.filter((company) => company === 'a')).toHaveLength(2);
});

test('when the others have finished, waiting requests start, even if none of the company ends', () => {
  const { underWay, take } = taking(16, 100);
  take('b')();
  for (let n = 0; n < 5; n++) take('a');
  expect(underWay).toEqual(['b', 'a', 'a']);
  vi.advanceTimersByTime(1_000);
  expect(underWay).toEqual(['b', 'a', 'a', 'a', 'a', 'a']);
});

test('a request that is abandoned while it waits never starts, and takes no place', () => {
  const { underWay, take } = taking(2, 100);
  const end = take('a');
  const giveUp = take('a');
  take('a');
  giveUp.leave();
  expect(underWay).toHaveLength(1);
  end();
  expect(underWay).toHaveLength(2);
});

test('one company is refused more than half of all requests in flight, while others are served', () => {
  const { refused, take } = taking(2, 8);
  for (let n = 0; n < 4; n++) take('a');
  expect(refused).toEqual([]);
  take('a');
  expect(refused).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 }]);
  for (let n = 0; n < 4; n++) take('b');
  expect(refused).toHaveLength(1);
  take('c');
  expect(refused).toHaveLength(2);
});

test('a request whose client has disconnected is not forwarded, and takes no place', () => {
  const { underWay, refused, take } = taking(2, 100);
  const left = Object.assign(new EventEmitter(), { closed: true });
  take('a', { response: left });
  expect([underWay, refused]).toMatchObject([[], [{ code: 'BAD_REQUEST' }]]);
  take('a');
  expect(underWay).toHaveLength(1);
});

test('a request whose client leaves while the service works on it keeps its place until the service has answered', () => {
  const { underWay, take } = taking(2, 100);
  const first = take('a');
  const ended = vi.fn<() => void>();
  first.whenEnded(ended);
  take('a');
  first.leave();
  expect([underWay.length, ended.mock.calls.length]).toEqual([1, 0]);
  first.answered();
  first.answered();
  expect([underWay.length, ended.mock.calls.length]).toEqual([2, 1]);
  first.whenEnded(ended);
  expect(ended).toHaveBeenCalledTimes(2);
});

test('a request that has waited too long is refused, and leaves its place in the queue to others', () => {
  const { underWay, refused, take } = taking(2, 100);
  const end = take('a');
  take('a');
  vi.advanceTimersByTime(WAIT_MAX_MS);
  expect(refused).toMatchObject([{ code: 'SERVICE_UNAVAILABLE' }]);
  take('a');
  end();
  expect(underWay).toHaveLength(2);
});
