import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QUOTA_NAMES, quotaLimits, QUOTAS } from './quota.ts';

test('a setting changes only the limits that it names', () => {
  const defaults = quotaLimits.parse(undefined);
  expect(defaults.coupons).toBe(QUOTAS.coupons.count);
  expect(quotaLimits.parse(' coupons=5000, events = 20 ')).toEqual({
    ...defaults,
    coupons: 5_000,
    events: 20,
  });
});

test.each([
  'coupons',
  'coupons=',
  'coupons=-1',
  'coupons=1:1',
  'cupons=1',
  '__proto__=1',
  'toString=1',
  'coupons=1;events=2',
])('the setting %j is refused', (text) => {
  expect(quotaLimits.safeParse(text).error?.issues[0]?.message).toContain('liveAdjustments');
});

test("the operator's guide lists every quota with its default", () => {
  const guide = readFileSync(new URL('../../../../docs/operating/quotas.md', import.meta.url), 'utf8');
  for (const name of QUOTA_NAMES) {
    const { what, count } = QUOTAS[name];
    const cells = [`\`${name}\``, what, count.toLocaleString('en')];
    const row = guide.split('\n').find((line) => line.startsWith(`| ${cells[0]} `)) ?? '';
    expect(
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 4),
    ).toEqual(cells);
  }
});
