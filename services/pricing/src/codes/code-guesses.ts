import { createHash } from 'node:crypto';
import { BROADCAST, broadcast, type BusConnection, onBroadcast } from '@event-commerce/bus';
import { codeKey, type CodeResult, keyOfTenant, PlatformError } from '@event-commerce/contracts';
import { atMost, type Caller, collectionOf, type Logger } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { PricingModels } from '../models.ts';

/** How many unknown codes a client may enter in a minute, and all clients of an API key together. */
const PER_CLIENT = 10;
const PER_KEY = 300;
const MINUTE_MS = 60_000;
const THROTTLED_MAX = 10_000;
const HASH_LENGTH = 16;

const notice = z.object({ guesser: z.string(), untilMs: z.number() });

export type CodeGuesses = ReturnType<typeof codeGuesses>;

/**
 * Whoever tries out codes learns nothing more for the rest of the minute: even known codes are neither confirmed nor
 * denied. Counts different codes, so a misspelt one that stays in a cart counts once. Every replica hears who is
 * throttled; a notice that is lost lets a client try its next code there, which counts again.
 */
export function codeGuesses(
  { codeGuesses: model }: Pick<PricingModels, 'codeGuesses'>,
  bus: BusConnection,
  clock: () => Date,
  logger: Logger,
) {
  const guesses = collectionOf(model);
  /** When the throttling of each ends, epoch milliseconds. */
  const throttled = new LRUCache<string, number>(atMost(THROTTLED_MAX));
  onBroadcast(bus, BROADCAST.codesThrottled, (payload) => {
    const { data } = notice.safeParse(JSON.parse(payload));
    if (data !== undefined) throttled.set(data.guesser, data.untilMs);
  });

  const count = async (guesser: string, most: number, codes: readonly string[]): Promise<void> => {
    const nowMs = clock().getTime();
    const untilMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    const counted = await guesses.findOneAndUpdate(
      { _id: `${guesser} ${untilMs}` },
      {
        $addToSet: { codes: { $each: codes.map(hashOf) } },
        $setOnInsert: { purgeAt: new Date(untilMs + MINUTE_MS) },
      },
      { upsert: true, returnDocument: 'after' },
    );
    if ((counted?.codes.length ?? 0) <= most) return;
    throttled.set(guesser, untilMs);
    broadcast(bus, BROADCAST.codesThrottled, JSON.stringify({ guesser, untilMs }));
  };

  return {
    /** `clientRef`: the client of the company that enters codes; without one, whoever has the API key. */
    areThrottled(caller: Caller, clientRef: string | undefined): boolean {
      return (throttled.get(guesserOf(caller, clientRef)) ?? 0) > clock().getTime();
    },

    /** Counts codes that do not exist. In the background: no response waits for it. */
    note(caller: Caller, clientRef: string | undefined, unknown: readonly string[]): void {
      if (unknown.length === 0) return;
      const most = clientRef === undefined ? PER_KEY : PER_CLIENT;
      count(guesserOf(caller, clientRef), most, unknown).catch((err: unknown) =>
        logger.warn({ err }, 'unknown codes could not be counted'),
      );
    },
  };
}

/** The results of codes while they are throttled. */
export function throttledResults(codes: readonly string[] = []): CodeResult[] {
  return [...new Set(codes)].map((code) => ({ code, status: 'throttled', detail: TOO_MANY }));
}

const TOO_MANY = 'too many unknown codes were entered; try again in a minute';

/** For an order with codes from somebody who is throttled. */
export function codesThrottled(): PlatformError {
  return new PlatformError('RATE_LIMITED', `The codes of this order are not looked up: ${TOO_MANY}.`, {
    details: [{ path: 'order.coupons', message: TOO_MANY }],
    retryAfterSeconds: 60,
  });
}

/** The codes that do not exist, according to `results`. */
export function unknownAmong(results: readonly CodeResult[]): string[] {
  return results.flatMap(({ code, status }) => (status === 'unknown' ? [code] : []));
}

function guesserOf({ tenant, keyId }: Caller, clientRef: string | undefined): string {
  return JSON.stringify([keyOfTenant(tenant), clientRef === undefined ? { keyId } : clientRef]);
}

/** Codes that were tried out are not kept: one may be somebody else's, misspelt. */
function hashOf(code: string): string {
  return createHash('sha256').update(codeKey(code)).digest('base64url').slice(0, HASH_LENGTH);
}
