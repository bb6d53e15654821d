import type { Result } from 'ioredis';

/**
 * A script of our own, because a request is taken from up to three buckets at once: the limiters of libraries take from
 * one at a time, and a request that a later bucket refused would have used up the earlier ones.
 *
 * Generic cell rate algorithm: one number for each bucket, the theoretical arrival time of its next request. It is in
 * whole microseconds of Redis's own clock, so that replicas agree, and together admit no more than one would. Its
 * decimals say how far ahead of its writer's time it may be, because keys with different limits share a bucket. ARGV:
 * the number of requests, then burst and interval of each bucket. Each request is taken from all buckets or from none;
 * if there is not room for all requests, as many as fit are admitted. Returns four things: how many requests were
 * admitted; how many more would fit; the milliseconds until the next one would; and, for each bucket, the milliseconds
 * until it is full again.
 */
export const GCRA = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local wanted = tonumber(ARGV[1])
local room = math.huge
local arrivals = {}
for at, key in ipairs(KEYS) do
  local burst, interval = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local arrival, ahead = string.match(redis.call('GET', key) or '0', '^(%d+)%.?(%d*)')
  arrivals[at] = math.max(now, tonumber(arrival))
  -- Later than its writer could have left it: the clock was set back.
  if arrivals[at] > now + (tonumber(ahead) or interval * burst) then arrivals[at] = now end
  room = math.min(room, math.floor((now + interval * burst - arrivals[at]) / interval))
end
local taken = math.max(0, math.min(wanted, room))
local answer = {taken, math.max(0, room) - taken, 0}
for at, key in ipairs(KEYS) do
  local burst, interval = tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
  local next = arrivals[at] + interval * taken
  if taken > 0 then
    redis.call('SET', key, string.format('%.0f.%.0f', next, interval * burst), 'PX', math.ceil((next - now) / 1000))
  end
  answer[3] = math.max(answer[3], math.ceil((next - interval * (burst - 1) - now) / 1000))
  answer[3 + at] = math.ceil((next - now) / 1000)
end
return answer
`;

/** The script's result. */
export type Taken = [taken: number, remaining: number, waitMs: number, ...refillMs: number[]];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromBuckets(count: number, ...keysAndNumbers: (string | number)[]): Result<Taken, Context>;
  }
}
