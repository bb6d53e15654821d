import type { components } from '@event-commerce/client';
import type { Explanation } from '../explain/explanation.ts';

type Sample = components['schemas']['RehearsalReport']['samples'][number];

/** How the price of an order came about. */
export function explanationBefore(sample: Sample): Explanation {
  return explanationOf(sample, sample.before, 'The buyer paid');
}

/** How the price of the order would have come about. */
export function explanationAfter(sample: Sample, after: NonNullable<Sample['after']>): Explanation {
  return explanationOf(sample, after, 'The buyer would have paid');
}

function explanationOf(
  { currency, subtotal, charges }: Sample,
  { total, modifiers }: Sample['before'],
  totalLabel: string,
): Explanation {
  const steps = modifiers.map(({ adjustmentId: id, name: label, code, total: amount }) => ({
    id,
    label,
    note: code === undefined || code === label ? '' : `code ${code}`,
    amount,
  }));
  const fees = charges === 0 ? [] : [{ id: 'charges', label: 'Fees and tax', note: '', amount: charges }];
  return {
    currency,
    subtotal,
    steps: [...steps, ...fees],
    total,
    totalLabel,
    clamped: false,
    dropped: [],
    codes: [],
  };
}
