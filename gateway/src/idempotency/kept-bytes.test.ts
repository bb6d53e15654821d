import { createLogger } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { createKeptBytes } from './kept-bytes.ts';

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;

const a = { companyId: 'a', environment: 'live' } as const;

function bounded() {
  const lines: string[] = [];
  let nowMs = 1_000_000;
  const logger = createLogger({
    service: 'test',
    level: 'warn',
    destination: { write: (line) => void lines.push(line) },
  });
  const keptBytes = createKeptBytes(60, logger, () => nowMs);
  const take = (...kept: Parameters<typeof keptBytes.take>) => keptBytes.take(...kept);
  return { take, lines, pass: (ms: number) => void (nowMs += ms) };
}

test('a company keeps no more than its share of an hour, and more as that drains', () => {
  const { take, lines, pass } = bounded();
  const kept = Array.from({ length: 70 }, () => take(a, MEGABYTE));
  expect(kept.filter(Boolean)).toHaveLength(60);
  expect(take({ companyId: 'b', environment: 'live' }, MEGABYTE)).toBe(true);
  expect(take({ companyId: 'a', environment: 'test' }, MEGABYTE)).toBe(true);
  pass(MINUTE_MS);
  expect([take(a, MEGABYTE), take(a, MEGABYTE)]).toEqual([true, false]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"companyId":"a"');
});

test('a company that keeps a little less than its share is never refused, however long', () => {
  const { take, lines, pass } = bounded();
  for (let minute = 0; minute < 1_000; minute++) {
    expect(take(a, 0.99 * MEGABYTE)).toBe(true);
    pass(MINUTE_MS);
  }
  expect(lines).toEqual([]);
});

test('a company that stays at the limit is logged once, and again after it stayed away from it', () => {
  const { take, lines, pass } = bounded();
  for (let n = 0; n < 200; n++) {
    take(a, MEGABYTE);
    pass(MINUTE_MS / 2);
  }
  expect(lines).toHaveLength(1);
  pass(3 * 60 * MINUTE_MS);
  for (let n = 0; n < 61; n++) take(a, MEGABYTE);
  expect(lines).toHaveLength(2);
});
