/**
 * The most prices that one request may calculate: a line counts once for each adjustment that applies to it. Limits the
 * costliest request to some tens of milliseconds, in which a replica prices nothing else.
 */
const PRICES_MAX = 500_000;

/** The most price changes in one response, and the most characters of their names and other texts: some megabytes. */
const MODIFIERS_MAX = 20_000;
const MODIFIER_CHARACTERS_MAX = 2_000_000;

/**
 * The most comparisons of lines with tags in one search for the adjustments of a cart: finding out whether an
 * adjustment applies must cost no more than applying it. Comparing with a target, and noting that an adjustment targets
 * a line, each take as long as several such comparisons.
 */
const COMPARISONS_MAX = 3_000_000;
const COMPARISONS = { tag: 1, target: 2, found: 5 };

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

/** `characters`: of the texts of all modifiers. @throws {TooManyPricesError} */
export function boundModifiers(lines: number, modifiers: number, characters: number): void {
  const listed = `${times(modifiers, 'modifier')} would be listed for ${times(lines, 'line')}`;
  if (modifiers > MODIFIERS_MAX) {
    throw new TooManyPricesError(`${listed}, and one response lists ${MODIFIERS_MAX}. ${ADVICE}`);
  }
  if (characters > MODIFIER_CHARACTERS_MAX) {
    throw new TooManyPricesError(
      `${listed}, with texts of ${characters} characters, and one response has ${MODIFIER_CHARACTERS_MAX}. ${ADVICE} Or shorten the names of adjustments.`,
    );
  }
}

/** Counts the comparisons of one search. */
export class Comparisons {
  readonly #lines: number;
  #made = 0;

  constructor(lines: number) {
    this.#lines = lines;
  }

  /** @throws {TooManyPricesError} */
  add(what: keyof typeof COMPARISONS, count: number): void {
    this.#made += count * COMPARISONS[what];
    if (this.#made <= COMPARISONS_MAX) return;
    throw new TooManyPricesError(
      `${times(this.#lines, 'line')} would have to be compared with too many targets and tags of adjustments. ${ADVICE}`,
    );
  }
}

const ADVICE = 'Price fewer lines at a time, or narrow the targets of adjustments that apply to all of them.';

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
