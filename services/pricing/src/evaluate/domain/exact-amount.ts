/** Prices or surcharges exceeded exact integers: any result would be wrong. */
export class AmountTooLargeError extends RangeError {
  override readonly name = 'AmountTooLargeError';
}

/** `amount` (minor units), if it is exact. */
export function exactAmount(amount: number): number {
  if (!Number.isSafeInteger(amount)) throw new AmountTooLargeError('the price is too large to be exact');
  return amount;
}
