import { tenantOf } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { createEventBytes } from './event-bytes.ts';
import { createLogger } from './logger.ts';

const MEGABYTE = 1_000_000;
const MINUTE_MS = 60_000;

const a = tenantOf({ companyId: 'a', environment: 'live' });
const b = tenantOf({ companyId: 'b', environment: 'live' });
const testsOfA = tenantOf({ companyId: 'a', environment: 'test' });

function bounded() {
  const lines: string[] = [];
  let nowMs = 0;
  const logger = createLogger({
    service: 'test',
    level: 'warn',
    destination: { write: (line) => void lines.push(line) },
  });
  const eventBytes = createEventBytes(60, logger, () => nowMs);
  return { ...eventBytes, lines, pass: (ms: number) => void (nowMs += ms) };
}

test('a company that publishes more than its share in an hour cannot write until the excess has drained', () => {
  const { note, refuseBeyond, lines, pass } = bounded();
  for (let n = 0; n < 60; n++) note(a, MEGABYTE);
  expect(() => refuseBeyond(a)).not.toThrow();
  note(a, MEGABYTE / 2);
  expect(() => refuseBeyond(a)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 30, message: expect.stringContaining('60 MB') }),
  );
  expect(() => refuseBeyond(b)).not.toThrow();
  expect(() => refuseBeyond(testsOfA)).not.toThrow();
  pass(MINUTE_MS / 2);
  expect(() => refuseBeyond(a)).not.toThrow();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"companyId":"a"');
});

test('a company that publishes a little less than its share is never refused, however long', () => {
  const { note, refuseBeyond, lines, pass } = bounded();
  for (let minute = 0; minute < 1_000; minute++) {
    note(a, 0.99 * MEGABYTE);
    expect(() => refuseBeyond(a)).not.toThrow();
    pass(MINUTE_MS);
  }
  expect(lines).toEqual([]);
});

test('a company that stays at the limit is logged once, and again after it stayed away from it', () => {
  const { note, lines, pass } = bounded();
  for (let n = 0; n < 200; n++) {
    note(a, MEGABYTE);
    pass(MINUTE_MS / 2);
  }
  expect(lines).toHaveLength(1);
  pass(3 * 60 * MINUTE_MS);
  note(a, 61 * MEGABYTE);
  expect(lines).toHaveLength(2);
});
