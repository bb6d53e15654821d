import type { Logger } from '@event-commerce/service-kit';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { cellRate } from './cell-rate.ts';

/** `perSecond` sustained, `burst` at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface Verdict {
  allowed: boolean;
  remaining: number;
  /** Until the next request is allowed if this one was not; until the whole burst is back if it was. */
  resetMs: number;
}

/**
 * Redis counts as hanging when requests wait for it and nothing came from it for this many ticks in a row: 75 to 100 ms.
 * Ticks rather than a timer for each command: a tick is a turn of this process's own loop, so that a process that was busy
 * itself reads the answers that arrived meanwhile instead of taking its own delay for Redis's.
 */
const SILENT_TICKS_MAX = 4;
const TICK_MS = 25;
/**
 * A tick this late says that there was no processor for this process, and perhaps none for Redis either. It is no sign of
 * a hanging Redis: taking it for one would give every replica a burst of its own just when there is the most to limit.
 */
const LATE_TICK_MS = 50;
/** What is silent for this many turns hangs, however late they are: a second and more. */
const SILENT_LATE_TICKS_MAX = 20;
/** How soon a Redis that failed is asked again, and so how late its return can be noticed. */
const PROBE_MS = 250;
/** Of one second: there is always room for a probe, which therefore always writes. */
const PROBE_BURST = 1_000;
/** Keys with a limit of their own share a limiter by its numbers; this many different ones are kept at hand. */
const LIMITERS_MAX = 1_000;
/** Keys whose state each process keeps in mind, for when Redis fails. */
const KEYS_MAX = 50_000;

/**
 * Generic cell rate algorithm: one number a key, the theoretical arrival time of the next request. Whole microseconds
 * of Redis's own clock, so that replicas agree and N at once admit exactly N. The limiter library passes
 * ARGV = points to take, (unused), burst, seconds to refill the burst; and expects {consumed, ms}. Of points for which there
 * is no room as many are taken as fit: those that are left make `consumed` exceed the burst.
 */
const GCRA = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local wanted = tonumber(ARGV[1])
local burst = tonumber(ARGV[3])
local interval = math.floor(tonumber(ARGV[4]) * 1000000 / burst + 0.5)
local arrival = tonumber(redis.call('GET', KEYS[1]) or '0')
if arrival < now then arrival = now end
local room = math.floor((now + interval * burst - arrival) / interval)
local taken = math.max(0, math.min(wanted, room))
local next = arrival + interval * taken
if taken > 0 then
  redis.call('SET', KEYS[1], string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
end
if taken == wanted then return {burst - (room - taken), math.ceil((next - now) / 1000)} end
return {burst + wanted - taken, math.ceil((next - interval * (burst - 1) - now) / 1000)}
`;

/** Requests of one key that came in one turn of the loop: one question to Redis. */
interface Turn {
  key: string;
  limit: RateLimit;
  answer: ((verdict: Verdict) => void)[];
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Limits requests per API key across all replicas. While Redis does not answer, each process limits by itself, from
 * what Redis last said: at worst a key gets its limit once per replica, and nobody is refused for Redis's sake.
 */
export function createRateLimiter(options: { redis: Redis; keyPrefix: string; logger: Logger }) {
  const { redis, logger } = options;
  const limiters = new LRUCache<string, RateLimiterRedis>({ max: LIMITERS_MAX });
  const arrivals = new LRUCache<string, number>({ max: KEYS_MAX });
  const waiting = new Set<(error: Error) => void>();
  let answers = 0;
  let answersAtLastTick = 0;
  let silentTicks = 0;
  let silentTicksOnTime = 0;
  let tickedAtMs = performance.now();
  let degraded = false;
  let probe: NodeJS.Timeout | undefined;

  const watch = setInterval(() => {
    const now = performance.now();
    const late = now - tickedAtMs >= LATE_TICK_MS;
    tickedAtMs = now;
    const silent = waiting.size > 0 && answers === answersAtLastTick;
    answersAtLastTick = answers;
    silentTicks = silent ? silentTicks + 1 : 0;
    silentTicksOnTime = silent && !late ? silentTicksOnTime + 1 : 0;
    if (silentTicksOnTime < SILENT_TICKS_MAX && silentTicks < SILENT_LATE_TICKS_MAX) return;
    const hanging = new Error('redis hangs');
    degrade(hanging);
    for (const giveUp of waiting) giveUp(hanging);
    waiting.clear();
  }, TICK_MS);
  watch.unref();

  function limiterFor(limit: RateLimit): RateLimiterRedis {
    const numbers = `${limit.perSecond}/${limit.burst}`;
    const known = limiters.get(numbers);
    if (known) return known;
    const created = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: options.keyPrefix,
      points: limit.burst,
      duration: limit.burst / limit.perSecond,
      customIncrTtlLuaScript: GCRA,
      rejectIfRedisNotReady: true,
    });
    limiters.set(numbers, created);
    return created;
  }

  function degrade(err: unknown) {
    if (degraded) return;
    degraded = true;
    logger.warn({ err }, 'redis does not answer; limiting per process');
    let asking = false;
    probe = setInterval(() => {
      if (asking || redis.status !== 'ready') return;
      asking = true;
      // With what requests need: a primary that was demoted still answers a ping.
      redis
        .eval(GCRA, 1, `${options.keyPrefix}:probe`, 1, '', PROBE_BURST, 1)
        .then(() => {
          degraded = false;
          clearInterval(probe);
          logger.info('redis is back; limiting across replicas');
        })
        .catch(() => {})
        .finally(() => {
          asking = false;
        });
    }, PROBE_MS);
  }

  let turns = new Map<string, Turn>();

  function takeShared(key: string, limit: RateLimit): Promise<Verdict> {
    return new Promise((resolve) => {
      const name = `${limit.perSecond}/${limit.burst} ${key}`;
      const turn = turns.get(name);
      if (turn !== undefined) {
        turn.answer.push(resolve);
        return;
      }
      if (turns.size === 0) setImmediate(askAll);
      turns.set(name, { key, limit, answer: [resolve] });
    });
  }

  function askAll() {
    const asked = turns;
    turns = new Map();
    // In one write: the system call costs more than all else about them.
    const { stream } = redis;
    stream?.cork();
    for (const turn of asked.values()) void ask(turn);
    stream?.uncork();
  }

  async function ask({ key, limit, answer }: Turn): Promise<void> {
    let verdicts: Verdict[];
    try {
      verdicts = learn(key, limit, await consume(key, limit, answer.length), answer.length);
    } catch (error) {
      degrade(error);
      verdicts = answer.map(() => takeOwn(key, limit));
    }
    for (const [index, resolve] of answer.entries()) resolve(verdicts[index] as Verdict);
  }

  /** What Redis says to `count` requests at once; rejects when it fails or hangs. */
  function consume(key: string, limit: RateLimit, count: number): Promise<RateLimiterRes> {
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      const settle = (result: RateLimiterRes | Error) => {
        answers++;
        waiting.delete(reject);
        if (result instanceof RateLimiterRes) resolve(result);
        else reject(result);
      };
      // A duration below one second would send the library down a path without the script.
      limiterFor(limit).consume(key, count, { customDuration: 1 }).then(settle, settle);
    });
  }

  /** What becomes of `count` requests; keeps in mind what Redis decided: if it fails next, nobody gets a second burst for that. */
  function learn(key: string, limit: RateLimit, result: RateLimiterRes, count: number): Verdict[] {
    const admitted = count - Math.max(0, result.consumedPoints - limit.burst);
    const waitMs = admitted === count ? 0 : ((limit.burst - 1) * 1000) / limit.perSecond;
    const refillMs = result.msBeforeNext + waitMs;
    arrivals.set(key, Date.now() + refillMs);
    return Array.from({ length: count }, (_, index) =>
      index < admitted
        ? { allowed: true, remaining: result.remainingPoints + admitted - 1 - index, resetMs: refillMs }
        : { allowed: false, remaining: 0, resetMs: result.msBeforeNext },
    );
  }

  function takeOwn(key: string, limit: RateLimit): Verdict {
    const now = Date.now();
    const intervalMs = 1000 / limit.perSecond;
    const { arrivalMs, earlyMs } = cellRate(arrivals.get(key) ?? 0, now, limit.burst, intervalMs);
    arrivals.set(key, arrivalMs);
    if (earlyMs > 0) return { allowed: false, remaining: 0, resetMs: earlyMs };
    return { allowed: true, remaining: Math.floor(-earlyMs / intervalMs), resetMs: arrivalMs - now };
  }

  return {
    /** Takes one request of `key` from its limit. */
    async take(key: string, limit: RateLimit): Promise<Verdict> {
      return degraded ? takeOwn(key, limit) : await takeShared(key, limit);
    },

    isDegraded: () => degraded || redis.status !== 'ready',

    close(): void {
      clearInterval(watch);
      clearInterval(probe);
      redis.disconnect();
    },
  };
}
