import { expect, test } from 'vitest';
import { picture } from './picture.ts';

test('each ratio has a bar, none is wider than the picture, and a goal has a line', () => {
  const svg = picture([
    { label: 'orders & carts', ratio: 0.5, target: 0.35 },
    { label: 'lists', ratio: 1.8 },
  ]);
  expect(svg.match(/<rect /g)).toHaveLength(2);
  expect(svg.match(/<path /g)).toHaveLength(1);
  expect(svg).toContain('orders &amp; carts');
  const widths = Array.from(svg.matchAll(/<rect [^>]*width="([\d.]+)"/g), ([, width]) => Number(width));
  expect(Math.max(...widths)).toBeLessThanOrEqual(860 - 430 - 60);
});
