import { tenantOf } from '@event-commerce/contracts';
import { afterEach, expect, test, vi } from 'vitest';
import { inTurnIfLarge } from './large-orders.ts';
import type { Wanted } from './order-attempt.ts';

afterEach(() => vi.useRealTimers());

const [company, other] = ['company', 'other'].map((companyId) => tenantOf({ companyId, environment: 'live' })) as [
  ReturnType<typeof tenantOf>,
  ReturnType<typeof tenantOf>,
];
const withItems = (count: number): Wanted => ({
  tickets: { items: Array.from({ length: count }, (_, index) => ({ index, offeringId: `off_${index}`, quantity: 1 })) },
});
const withCodes = (count: number): Wanted => ({
  purchase: { lines: [], cartContext: {}, codes: Array(count).fill('CODE'), adjustmentIds: [], charges: 0 },
});

test('large orders of a company claim one after another; its small ones, and those of others, do not wait', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const claim = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const running = [
    inTurnIfLarge(company, withItems(41), claim('items')),
    inTurnIfLarge(company, withCodes(41), claim('codes')),
    inTurnIfLarge(company, withCodes(40), claim('small')),
    inTurnIfLarge(company, {}, claim('plain')),
    inTurnIfLarge(other, withItems(500), claim('of another')),
  ];
  await new Promise(setImmediate);
  expect(begun).toEqual(expect.arrayContaining(['items', 'small', 'plain', 'of another']));
  expect(begun).not.toContain('codes');
  ends.get('items')?.();
  await running[0];
  await new Promise(setImmediate);
  expect(begun).toContain('codes');
  for (const end of ends.values()) end();
  await Promise.all(running);
});

test('one whose turn does not come in time is refused, and claims nothing; the next is not held up by it', async () => {
  vi.useFakeTimers();
  let end = () => {};
  const first = inTurnIfLarge(company, withItems(41), async () => new Promise<void>((resolve) => (end = resolve)));
  const claim = vi.fn(async () => 'claimed');
  const second = inTurnIfLarge(company, withItems(41), claim);
  const refused = expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  await vi.advanceTimersByTimeAsync(3_000);
  end();
  await Promise.all([first, refused]);
  expect(claim).not.toHaveBeenCalled();
  expect(await inTurnIfLarge(company, withItems(41), claim)).toBe('claimed');
});
