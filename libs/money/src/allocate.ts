interface Share {
  index: number;
  part: number;
  remainder: number | bigint;
}

/**
 * Splits `amount` (minor units) in proportion to `weights` (whole numbers >= 0) by largest remainder, so that the parts
 * add up to the whole exactly. Of equal remainders the earlier part wins. If all weights are 0, the first part gets
 * everything.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  let heaviest = 0;
  let totalWeight = 0;
  for (const weight of weights) {
    totalWeight += weight;
    if (weight > heaviest) heaviest = weight;
  }
  if (totalWeight === 0) return weights.map((_, index) => (index === 0 ? amount : 0));

  const sign = amount < 0 ? -1 : 1;
  const magnitude = Math.abs(amount);
  // The usual case, and many times as fast as BigInt.
  const exactInDoubles = Number.isSafeInteger(magnitude * heaviest) && Number.isSafeInteger(totalWeight);
  const shares = exactInDoubles ? inDoubles(magnitude, weights, totalWeight) : inBigInts(magnitude, weights);
  let left = magnitude;
  for (const { part } of shares) left -= part;
  if (left > 0) {
    const byRemainder = shares.toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    );
    for (const share of byRemainder) {
      if (left === 0) break;
      share.part += 1;
      left -= 1;
    }
  }
  return shares.map(({ part }) => (part === 0 ? 0 : sign * part));
}

/** The floor of a quotient of safe integers is exact: the nearest double never reaches the next whole number. */
function inDoubles(magnitude: number, weights: readonly number[], totalWeight: number): Share[] {
  return weights.map((weight, index) => {
    const product = magnitude * weight;
    const part = Math.floor(product / totalWeight);
    return { index, part, remainder: product - part * totalWeight };
  });
}

function inBigInts(magnitude: number, weights: readonly number[]): Share[] {
  const totalWeight = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  return weights.map((weight, index) => {
    const product = BigInt(magnitude) * BigInt(weight);
    return { index, part: Number(product / totalWeight), remainder: product % totalWeight };
  });
}
