import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QUOTA_NAMES, quotaLimits, QUOTAS } from './quota.ts';

test('a setting changes the limits that it names, and no other', () => {
  const defaults = quotaLimits.parse(undefined);
  expect(defaults.coupons).toEqual({ count: QUOTAS.coupons.count, bytes: QUOTAS.coupons.megabytes * 1_000_000 });
  expect(quotaLimits.parse(' coupons=5000:10, events = 20 ')).toEqual({
    ...defaults,
    coupons: { count: 5_000, bytes: 10_000_000 },
    events: { count: 20, bytes: defaults.events.bytes },
  });
});

test.each([
  'coupons',
  'coupons=',
  'coupons=-1',
  'coupons=1:',
  'cupons=1',
  '__proto__=1',
  'toString=1',
  'coupons=1;events=2',
])('the setting %j is refused', (text) => {
  expect(quotaLimits.safeParse(text).error?.issues[0]?.message).toContain('liveAdjustments');
});

test("the operator's guide has every quota with its default", () => {
  const guide = readFileSync(new URL('../../../docs/operating/quotas.md', import.meta.url), 'utf8');
  for (const name of QUOTA_NAMES) {
    const { what, count, megabytes } = QUOTAS[name];
    const cells = [`\`${name}\``, what, count.toLocaleString('en'), `${megabytes.toLocaleString('en')} MB`];
    const row = guide.split('\n').find((line) => line.startsWith(`| ${cells[0]} `)) ?? '';
    expect(
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 5),
    ).toEqual(cells);
  }
});
