import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from './network-of.ts';
import type { RateLimitStore } from './redis.ts';

const ATTEMPTS = { points: 20, duration: 60 } as const;

export type FailedAttempts = ReturnType<typeof createFailedAttempts>;

/**
 * Limits failed authentications per client address: twenty a minute, on all replicas together. While an address has no
 * attempts left, no key is looked up for it and none is compared with the operator's. Keys in use are still served.
 * Without Redis each process counts on its own. `redis` must time out, because a guess waits for it.
 */
export function createFailedAttempts({ redis, keyPrefix }: { redis: RateLimitStore; keyPrefix: string }) {
  const limiter = new RateLimiterRedis({
    ...ATTEMPTS,
    storeClient: redis,
    keyPrefix: `${keyPrefix}:failed-attempts`,
    rejectIfRedisNotReady: true,
    // Further failures of an address without attempts left cost Redis nothing.
    inMemoryBlockOnConsumed: ATTEMPTS.points,
    insuranceLimiter: new RateLimiterMemory(ATTEMPTS),
  });

  return {
    /** How many ms until the address may try again; 0 if it may now. Counts nothing. */
    async waitMs(address: string): Promise<number> {
      const counted = await limiter.get(networkOf(address));
      return counted === null || counted.remainingPoints > 0 ? 0 : counted.msBeforeNext;
    },

    /** Counts one failure. Returns how many ms until the address may try again, or 0. */
    async count(address: string): Promise<number> {
      try {
        await limiter.consume(networkOf(address));
        return 0;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return refused.msBeforeNext;
        throw refused;
      }
    },

    close: (): void => redis.disconnect(),
  };
}
