import { expect, it } from 'vitest';
import type { Explanation } from './explanation.ts';
import { barsOf } from './waterfall.tsx';

const free: Explanation = {
  currency: 'EUR',
  subtotal: 5_000,
  steps: [{ id: 'adj_1', label: 'Guests', note: '', amount: -5_000 }],
  total: 0,
  totalLabel: 'The buyer pays',
  clamped: true,
  dropped: [],
  codes: [],
};

it('a step back to zero is shown only where the steps go below it', () => {
  const labels = (explanation: Explanation) => barsOf(explanation).map(({ label, amount }) => `${label} ${amount}`);
  expect(labels(free)).toEqual(['List price €50.00', 'Guests -€50.00', 'The buyer pays €0.00']);
  expect(labels({ ...free, subtotal: 4_000 })).toContain('Not below zero +€10.00');
});
