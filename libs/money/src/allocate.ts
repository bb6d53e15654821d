/**
 * Splits `amount` (minor units) in proportion to `weights` (whole numbers >= 0) by largest remainder, so that the parts
 * add up to the whole exactly. Equal remainders go to the earlier part. With no weight at all, the first part takes everything.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  const totalWeight = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (totalWeight === 0n) return weights.map((_, index) => (index === 0 ? amount : 0));

  const sign = amount < 0 ? -1 : 1;
  const magnitude = BigInt(Math.abs(amount));
  const shares = weights.map((weight, index) => {
    const product = magnitude * BigInt(weight);
    return { index, part: Number(product / totalWeight), remainder: product % totalWeight };
  });
  let left = Number(magnitude) - shares.reduce((sum, share) => sum + share.part, 0);
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
  );
  for (const share of byRemainder) {
    if (left === 0) break;
    share.part += 1;
    left -= 1;
  }
  return shares.map((share) => (share.part === 0 ? 0 : sign * share.part));
}
