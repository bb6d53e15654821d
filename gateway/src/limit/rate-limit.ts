import { atMost, type Logger } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { cellClock, cellRate } from './cell-rate.ts';
import { GCRA, type Taken } from './gcra.ts';
import type { RateLimitStore } from './redis.ts';

/** `perSecond` sustained, `burst` at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** A limit that requests are taken from: a key's own, or a shared one. */
export interface Bucket {
  key: string;
  limit: RateLimit;
}

export interface Verdict {
  allowed: boolean;
  remaining: number;
  /** How long until the next request is allowed if this one was not, or until the whole burst is back if it was. */
  resetMs: number;
}

/**
 * Redis counts as hanging when a request has waited for it for this many consecutive ticks: 75 to 100 ms, whatever else
 * arrived from it meanwhile. Ticks instead of ioredis's `commandTimeout`: measured with too little CPU, its timers ran
 * out while the replies had arrived and were not read yet, and each replica gave every key a burst of its own.
 */
const WAITED_TICKS_MAX = 4;
const TICK_MS = 25;
/**
 * A tick this late means that this process got no CPU, and perhaps Redis did not either. It does not mean that Redis
 * hangs: assuming so would give every replica a burst of its own just when limiting matters most.
 */
const LATE_TICK_MS = 50;
/** Redis also counts as hanging when a request has waited for this many ticks, however late: a second or more. */
const WAITED_LATE_TICKS_MAX = 20;
/** How soon a failed Redis is probed again. */
const PROBE_MS = 125;
/** Redis is used again after this many quick probes in a row. A single one may be quick by chance. */
const QUICK_PROBES_MIN = 2;
/** The bucket of probes is full again within a second, so there is always room for a probe, and each one writes. */
const PROBE: Bucket = { key: 'probe', limit: { perSecond: 1_000, burst: 1_000 } };
/** How many keys' states each process remembers, in case Redis fails. */
const KEYS_MAX = 50_000;

/** Requests with one key from the same turn of the loop: one call to Redis. */
interface Turn {
  buckets: readonly Bucket[];
  answer: ((verdict: Verdict) => void)[];
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Limits requests per API key, and by the limits that several keys share, across all replicas. While Redis is down,
 * each process limits on its own, starting from Redis's last state: at worst a key gets its limit once per replica, and
 * no request is refused because of Redis.
 */
export function createRateLimiter(options: { redis: RateLimitStore; keyPrefix: string; logger: Logger }) {
  const { redis, logger } = options;
  redis.defineCommand('takeFromBuckets', { lua: GCRA });
  const arrivals = new LRUCache<string, number>(atMost(KEYS_MAX));
  /** Requests to Redis in flight, oldest first: the function that rejects each, and the tick at which it began. */
  const waiting = new Map<(error: Error) => void, number>();
  let tick = 0;
  let lateTick = 0;
  let tickedAtMs = 0;
  let degraded = false;
  let probe: NodeJS.Timeout | undefined;

  let watching: NodeJS.Timeout | undefined;
  /** Ticks while requests wait. */
  const watch = (): void => {
    if (watching !== undefined) return;
    tickedAtMs = performance.now();
    watching = setInterval(onTick, TICK_MS).unref();
  };
  const onTick = (): void => {
    const now = performance.now();
    tick += 1;
    if (now - tickedAtMs >= LATE_TICK_MS) lateTick = tick;
    tickedAtMs = now;
    const [oldest] = waiting.values();
    if (oldest === undefined) {
      clearInterval(watching);
      watching = undefined;
      return;
    }
    if (tick - Math.max(oldest, lateTick) < WAITED_TICKS_MAX && tick - oldest < WAITED_LATE_TICKS_MAX) return;
    const hanging = new Error('redis hangs');
    degrade(hanging);
    for (const giveUp of waiting.keys()) giveUp(hanging);
    waiting.clear();
  };

  function degrade(err: unknown) {
    if (degraded) return;
    degraded = true;
    logger.warn({ err }, 'redis does not respond in time; limiting per process');
    let asking = false;
    let quickProbes = 0;
    probe = setInterval(() => {
      if (asking) return;
      asking = true;
      // Probes with what requests need: a demoted primary still responds to a ping.
      consume([PROBE], 1)
        .then(() => {
          quickProbes += 1;
          if (quickProbes < QUICK_PROBES_MIN) return;
          degraded = false;
          clearInterval(probe);
          logger.info('redis is back; limiting across replicas');
        })
        .catch(() => {
          quickProbes = 0;
        })
        .finally(() => {
          asking = false;
        });
    }, PROBE_MS);
  }

  let turns = new Map<readonly Bucket[], Turn>();

  function takeShared(buckets: readonly Bucket[]): Promise<Verdict> {
    return new Promise((resolve) => {
      const turn = turns.get(buckets);
      if (turn !== undefined) {
        turn.answer.push(resolve);
        return;
      }
      if (turns.size === 0) setImmediate(askAll);
      turns.set(buckets, { buckets, answer: [resolve] });
    });
  }

  function askAll() {
    const asked = turns;
    turns = new Map();
    // In one write: the system call costs more than everything else together.
    const stream = 'stream' in redis ? redis.stream : undefined;
    stream?.cork();
    for (const turn of asked.values()) void ask(turn);
    stream?.uncork();
  }

  async function ask({ buckets, answer }: Turn): Promise<void> {
    let verdicts: Verdict[];
    try {
      verdicts = learn(buckets, await consume(buckets, answer.length), answer.length);
    } catch (error) {
      degrade(error);
      verdicts = answer.map(() => takeOwn(buckets));
    }
    for (const [index, resolve] of answer.entries()) resolve(verdicts[index] as Verdict);
  }

  /** Redis's decision about `count` requests at once; rejects when it fails or hangs. */
  function consume(buckets: readonly Bucket[], count: number): Promise<Taken> {
    return new Promise((resolve, reject) => {
      if (redis.status !== 'ready') {
        reject(new Error('redis is not connected'));
        return;
      }
      waiting.set(reject, tick);
      watch();
      const settled = () => waiting.delete(reject);
      // The keys of one script must be on one server of a cluster: those of a company are, by what is in braces.
      const company = buckets.at(-1)?.key;
      const keys = buckets.map(({ key }) => `${options.keyPrefix}:{${company}}:${key}`);
      const numbers = buckets.flatMap(({ limit }) => [limit.burst, Math.round(1e6 / limit.perSecond)]);
      redis.takeFromBuckets(keys.length, ...keys, count, ...numbers).then(
        (taken) => {
          settled();
          resolve(taken);
        },
        (error: Error) => {
          settled();
          reject(error);
        },
      );
    });
  }

  /**
   * Decides about `count` requests. Remembers Redis's decision, so that no key gets a second burst if Redis fails next.
   */
  function learn(buckets: readonly Bucket[], [taken, remaining, waitMs, ...refillMs]: Taken, count: number): Verdict[] {
    const now = cellClock();
    for (const [at, { key }] of buckets.entries()) arrivals.set(key, now + (refillMs[at] ?? 0));
    return Array.from({ length: count }, (_, index) =>
      index < taken
        ? { allowed: true, remaining: remaining + taken - 1 - index, resetMs: refillMs[0] ?? 0 }
        : { allowed: false, remaining: 0, resetMs: waitMs },
    );
  }

  function takeOwn(buckets: readonly Bucket[]): Verdict {
    const now = cellClock();
    const all = buckets.map(({ key, limit }) => {
      const intervalMs = 1000 / limit.perSecond;
      return { key, intervalMs, ...cellRate(arrivals.get(key) ?? 0, now, limit.burst, intervalMs) };
    });
    const earlyMs = Math.max(...all.map((one) => one.earlyMs));
    if (earlyMs > 0) return { allowed: false, remaining: 0, resetMs: earlyMs };
    for (const { key, arrivalMs } of all) arrivals.set(key, arrivalMs);
    const remaining = Math.min(...all.map((one) => Math.floor(-one.earlyMs / one.intervalMs)));
    return { allowed: true, remaining, resetMs: (all[0]?.arrivalMs ?? now) - now };
  }

  return {
    /**
     * Takes one request from all of `buckets`, or from none. All requests with one key pass the same list, its own
     * limit first.
     */
    async take(buckets: readonly Bucket[]): Promise<Verdict> {
      return degraded ? takeOwn(buckets) : await takeShared(buckets);
    },

    isDegraded: () => degraded || redis.status !== 'ready',

    close(): void {
      clearInterval(watching);
      clearInterval(probe);
      redis.disconnect();
    },
  };
}
