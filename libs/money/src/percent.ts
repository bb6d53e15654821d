/** Units in one percent: percentages are stored exactly, with four decimals. */
const PERCENT_SCALE = 10_000;

const UNITS_IN_WHOLE = 100 * PERCENT_SCALE;

/** Whether `percent` has at most four decimals, and so an exact integer form. */
export function isExactPercent(percent: number): boolean {
  return Math.round(percent * PERCENT_SCALE) / PERCENT_SCALE === percent;
}

/** `percent` (12.5 means 12.5 %) in ten-thousandths of a percent. Assumes `isExactPercent`. */
export function percentUnits(percent: number): number {
  return Math.round(percent * PERCENT_SCALE);
}

/**
 * `units` ten-thousandths of a percent of `amount` (minor units), rounded half away from zero. Exact for every safe
 * integer: the product is computed in BigInt if a double could not hold it.
 */
export function percentOf(amount: number, units: number): number {
  const product = amount * units;
  if (Number.isSafeInteger(product)) {
    const magnitude = Math.abs(product);
    // Several times as fast as `%`. The floor of a quotient of safe integers is exact.
    const whole = Math.floor(magnitude / UNITS_IN_WHOLE);
    const rounded = (magnitude - whole * UNITS_IN_WHOLE) * 2 >= UNITS_IN_WHOLE ? whole + 1 : whole;
    return product < 0 ? -rounded : rounded;
  }
  const exact = BigInt(amount) * BigInt(units);
  const magnitude = exact < 0n ? -exact : exact;
  const rounded = Number((magnitude * 2n + BigInt(UNITS_IN_WHOLE)) / BigInt(2 * UNITS_IN_WHOLE));
  return exact < 0n ? -rounded : rounded;
}
