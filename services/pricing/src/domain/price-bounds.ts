/**
 * The most prices that one request may calculate: a line counts once for each adjustment that applies to it. Keeps the
 * costliest request to some tens of milliseconds, in which a replica prices nothing else.
 */
const PRICES_MAX = 500_000;

/** The most price changes in one response: some megabytes. */
const MODIFIERS_MAX = 20_000;

/** Too many adjustments apply to too many lines. The message says how many, and what to do. */
export class TooManyPricesError extends RangeError {
  override readonly name = 'TooManyPricesError';
}

/** `prices`: lines times the adjustments that apply to each. @throws {TooManyPricesError} */
export function boundPrices(lines: number, prices: number): void {
  if (prices <= PRICES_MAX) return;
  throw new TooManyPricesError(
    `${times(prices, 'price')} would have to be worked out for ${times(lines, 'line')}, and one request may take ${PRICES_MAX}. ${ADVICE}`,
  );
}

/** @throws {TooManyPricesError} */
export function boundModifiers(lines: number, modifiers: number): void {
  if (modifiers <= MODIFIERS_MAX) return;
  throw new TooManyPricesError(
    `${times(modifiers, 'modifier')} would be listed for ${times(lines, 'line')}, and one response lists ${MODIFIERS_MAX}. ${ADVICE}`,
  );
}

const ADVICE = 'Price fewer lines at a time, or narrow the targets of adjustments that apply to all of them.';

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
