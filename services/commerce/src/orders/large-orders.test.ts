import { tenantOf } from '@event-commerce/contracts';
import { afterEach, expect, test, vi } from 'vitest';
import { inTurnIfLarge } from './large-orders.ts';

afterEach(() => vi.useRealTimers());

const company = tenantOf({ companyId: 'company', environment: 'live' });
const other = tenantOf({ companyId: 'other', environment: 'live' });

test("a company's large orders claim one after another; its small ones and other companies' orders do not wait", async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const claim = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const running = [
    inTurnIfLarge(company, 41, claim('large')),
    inTurnIfLarge(company, 41, claim('next')),
    inTurnIfLarge(company, 40, claim('small')),
    inTurnIfLarge(other, 500, claim('of another')),
  ];
  await new Promise(setImmediate);
  expect(begun).toEqual(expect.arrayContaining(['large', 'small', 'of another']));
  expect(begun).not.toContain('next');
  ends.get('large')?.();
  await running[0];
  await new Promise(setImmediate);
  expect(begun).toContain('next');
  for (const end of ends.values()) end();
  await Promise.all(running);
});

test('a large order whose turn does not come in time is refused, claims nothing, and does not delay the next', async () => {
  vi.useFakeTimers();
  let end = () => {};
  const first = inTurnIfLarge(company, 41, async () => new Promise<void>((resolve) => (end = resolve)));
  const claim = vi.fn<() => Promise<string>>(async () => 'claimed');
  const second = inTurnIfLarge(company, 41, claim).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(3_000);
  end();
  await first;
  expect(await second).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  expect(claim).not.toHaveBeenCalled();
  expect(await inTurnIfLarge(company, 41, claim)).toBe('claimed');
});
