import { isOutage } from '../http/errors.ts';

/**
 * Runs a batch so that no item fails because of another: a run that fails as a whole is split in halves, which run one
 * after the other, until only the culprits fail, each with its own error. An outage concerns all items, and nothing is
 * run again for it. Returns one result or error for each item, in order; never rejects.
 *
 * `run` must be safe to repeat: a run that failed as a whole may have taken partial effect.
 */
export async function runApart<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): Promise<readonly (Result | Error)[]> {
  try {
    return await run(items);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error('a batch failed', { cause: thrown });
    if (items.length === 1 || isOutage(error)) return items.map(() => error);
    const middle = Math.ceil(items.length / 2);
    return [...(await runApart(items.slice(0, middle), run)), ...(await runApart(items.slice(middle), run))];
  }
}
