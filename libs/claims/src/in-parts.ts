/** Few enough that the claims of other orders, which share writes with them, do not wait long. */
const PART_MAX = 50;

/**
 * The items of a large order in parts: the items of one part are worked on together, and the parts one after another.
 */
export function partsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / PART_MAX);
  return Array.from({ length: count }, (_, n) => all.slice(n * PART_MAX, (n + 1) * PART_MAX));
}

/**
 * Does `work` for all, part by part.
 *
 * @throws the first error, once `work` has run for every item
 */
export async function forEachInParts<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (const part of partsOf(all)) outcomes.push(...(await Promise.allSettled(part.map(work))));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
