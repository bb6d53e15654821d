/**
 * `amount` (minor units) x `part` / `whole`, rounded half away from zero: what `part` of `whole` equal units have of
 * it. Exact for all safe integers; `whole` > 0.
 */
export function prorate(amount: number, part: number, whole: number): number {
  const exact = BigInt(amount) * BigInt(part);
  const magnitude = exact < 0n ? -exact : exact;
  const divisor = BigInt(whole);
  const rounded = Number((magnitude * 2n + divisor) / (divisor * 2n));
  return exact < 0n ? -rounded : rounded;
}
