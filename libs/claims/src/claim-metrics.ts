import { PlatformError } from '@event-commerce/contracts';
import { counter } from '@event-commerce/telemetry';

/** The outcome of a request that claims, and how many it counts for. */
interface ClaimOutcome {
  outcome: 'claimed' | 'repeated';
  count: number;
}

/**
 * A counter of claims by `outcome`: `claimed`, `repeated` if an earlier request had claimed the same, `refused`, or
 * `failed`. The returned function counts the outcome of `work`, and returns its result.
 */
export function claimCounter(name: string, description: string) {
  const count = counter(name, description);
  return async <T>(work: Promise<T>, outcomeOf: (result: T) => ClaimOutcome): Promise<T> => {
    try {
      const result = await work;
      const { outcome, count: claims } = outcomeOf(result);
      count(claims, { outcome });
      return result;
    } catch (error) {
      const refused = error instanceof PlatformError && error.statusCode < 500;
      count(1, { outcome: refused ? 'refused' : 'failed' });
      throw error;
    }
  };
}
