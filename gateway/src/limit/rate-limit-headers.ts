import type { RateLimit, Verdict } from './rate-limit.ts';

/** The RateLimit fields (IETF httpapi draft, September 2025): quoted policy name, whole numbers, rounded up. */
export function rateLimitHeaders(limit: RateLimit, verdict: Verdict): { policy: string; state: string } {
  return {
    policy: `"default";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`,
    state: `"default";r=${verdict.remaining};t=${wholeSeconds(verdict.resetMs)}`,
  };
}

/** `ms` in seconds, rounded up, and at least one. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
