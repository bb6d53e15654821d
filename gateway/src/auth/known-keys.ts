import { isDeepStrictEqual } from 'node:util';
import { atMost, type Logger } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { type ApiKey, sharedLimitOf } from '../keys/api-key.ts';
import type { ApiKeyRepository } from '../keys/api-key.repository.ts';
import type { RateLimit } from '../limit/rate-limit.ts';
import type { Caller } from './caller.ts';

/** How far back changes are read: reads may fail for a while, and a write may become visible late. */
const CHANGES_OF_MS = 120_000;
/**
 * A record is as old as the last read of changes. From this age on it is reloaded in the background; a notice of a
 * change usually arrives long before.
 */
const REFRESH_AFTER_MS = 2_000;
/**
 * A record older than this is not trusted without a reload: the longest time until a revocation takes effect if its
 * notice was lost.
 */
const STALE_AFTER_MS = 4_000;
/** A record that was loaded this long ago is always reloaded: somebody may have changed it by hand. */
const RELOAD_AFTER_MS = 60_000;
/**
 * While the database is down, nothing can be revoked either, so known keys keep working this long. A longer time would
 * trust a record too much; a shorter one would turn a restart of the database into a complete outage.
 */
const STALE_ON_ERROR_MS = 30_000;
/** How long a request waits for a stale record to reload before it uses it. */
const STALE_WAIT_MS = 300;
const WAIT_AGAIN_MS = 1_000;
const UNKNOWN_MS = 1_000;
const USE_NOTED_EVERY_MS = 60_000;
const KEYS_MAX = 50_000;

export interface KnownKey {
  key: ApiKey;
  caller: Caller;
}

interface Entry extends KnownKey {
  loadedAtMs: number;
  /** Until this time stale records are used without waiting, because the database just failed to respond. */
  waitAgainAtMs: number;
  usedNotedAtMs: number;
}

export type KnownKeys = ReturnType<typeof createKnownKeys>;

/** The records of the keys in use, in memory, so that a request costs no look-up. */
export function createKnownKeys(options: {
  repository: Pick<ApiKeyRepository, 'findById' | 'changedWithin' | 'touch'>;
  defaultRateLimit: RateLimit;
  /**
   * The limit of all keys of a company together. A higher limit that the operator gives one key also raises it for that
   * key.
   */
  companyRateLimit: RateLimit;
  clock: () => number;
  logger: Logger;
}) {
  const { repository, clock, logger } = options;
  const known = new LRUCache<string, Entry>(atMost(KEYS_MAX));
  const unknown = new LRUCache<string, true>({ ...atMost(KEYS_MAX), ttl: UNKNOWN_MS });
  const loading = new Map<string, Promise<Entry | undefined>>();
  let changesSeen: ReadonlyMap<string, number> = new Map();
  let changesReadAtMs = clock();

  /** Loads the record once, for any number of waiting requests. */
  function load(keyId: string): Promise<Entry | undefined> {
    const underWay = loading.get(keyId);
    if (underWay) return underWay;
    const startedAtMs = clock();
    const reading: Promise<Entry | undefined> = repository
      .findById(keyId)
      .then((key) => {
        const entry = key && toEntry(key, startedAtMs, known.peek(keyId));
        // A record that was invalidated while it loaded may be older than the change, so it is not cached.
        if (loading.get(keyId) !== reading) return entry;
        if (entry) known.set(keyId, entry);
        else {
          known.delete(keyId);
          unknown.set(keyId, true);
        }
        return entry;
      })
      .finally(() => {
        if (loading.get(keyId) === reading) loading.delete(keyId);
      });
    loading.set(keyId, reading);
    return reading;
  }

  function toEntry(key: ApiKey, loadedAtMs: number, before: Entry | undefined): Entry {
    const usedNotedAtMs = Math.max(before?.usedNotedAtMs ?? 0, key.lastUsed?.getTime() ?? 0);
    const same = before && isDeepStrictEqual({ ...before.key, lastUsed: null }, { ...key, lastUsed: null });
    return { key, caller: same ? before.caller : toCaller(key), loadedAtMs, waitAgainAtMs: 0, usedNotedAtMs };
  }

  function toCaller(key: ApiKey): Caller {
    const rateLimit = key.rateLimit ?? options.defaultRateLimit;
    const company = `company:${key.environment}:${key.companyId}`;
    return {
      keyId: key.id,
      scopes: key.scopes,
      expires: key.expires,
      rateLimit,
      buckets: [
        { key: key.id, limit: rateLimit },
        ...(key.shared === null ? [] : [{ key: key.shared.keyId, limit: key.shared }]),
        { key: company, limit: larger(options.companyRateLimit, key.shared ?? rateLimit) },
      ],
      shared: sharedLimitOf(key),
      identity: {
        companyId: key.companyId,
        environment: key.environment,
        keyId: key.id,
        keyName: key.name,
        ...(key.originalId === null ? {} : { originalKeyId: key.originalId }),
        scopes: [...key.scopes],
      },
    };
  }

  async function loadUnlessSlow(keyId: string, stale: Entry): Promise<Entry | undefined> {
    const goOn = () => {
      stale.waitAgainAtMs = clock() + WAIT_AGAIN_MS;
      return stale;
    };
    let timer: NodeJS.Timeout | undefined;
    const slow = new Promise<Entry>((resolve) => {
      timer = setTimeout(() => resolve(goOn()), STALE_WAIT_MS);
    });
    try {
      return await Promise.race([load(keyId), slow]);
    } catch (err) {
      logger.warn({ err }, 'reloading an API key failed, using the cached record');
      return goOn();
    } finally {
      clearTimeout(timer);
    }
  }

  function forget(keyId: string): void {
    known.delete(keyId);
    unknown.delete(keyId);
    loading.delete(keyId);
  }

  function forgetAll(): void {
    known.clear();
    unknown.clear();
    loading.clear();
  }

  function reload(keyId: string): void {
    load(keyId).catch((err: unknown) => logger.debug({ err }, 'reloading an API key failed'));
  }

  return {
    /** Drops the records of keys that changed, with one query for any number of cached keys. Call this every second. */
    async readChanges(): Promise<void> {
      const beganAtMs = clock();
      try {
        const changed = await repository.changedWithin(CHANGES_OF_MS);
        // This read may miss the oldest changes since the last one.
        if (beganAtMs - changesReadAtMs > CHANGES_OF_MS) forgetAll();
        for (const [keyId, at] of changed) if (changesSeen.get(keyId) !== at) forget(keyId);
        changesSeen = changed;
        changesReadAtMs = beganAtMs;
      } catch (err) {
        logger.debug({ err }, 'reading the changes of API keys failed');
      }
    },

    /** Whether `keyId` is cached, and so costs no look-up. */
    holds(keyId: string): boolean {
      return known.has(keyId) || unknown.has(keyId);
    },

    /**
     * The key `keyId`, synchronously if cached; undefined if there is none. Rejects when the database does not respond.
     */
    find(keyId: string): KnownKey | undefined | Promise<KnownKey | undefined> {
      const entry = known.get(keyId);
      if (entry === undefined) return unknown.has(keyId) ? undefined : load(keyId);
      const now = clock();
      const ageMs = now - Math.max(entry.loadedAtMs, changesReadAtMs);
      if (ageMs < REFRESH_AFTER_MS) {
        if (now - entry.loadedAtMs > RELOAD_AFTER_MS) reload(keyId);
        return entry;
      }
      if (ageMs < STALE_AFTER_MS || (ageMs < STALE_ON_ERROR_MS && now < entry.waitAgainAtMs)) {
        reload(keyId);
        return entry;
      }
      return ageMs < STALE_ON_ERROR_MS ? loadUnlessSlow(keyId, entry) : load(keyId);
    },

    /** Drops the cached record of a key that changed. */
    forget,

    /** Records that the key was used, at most once a minute and without delaying a request. */
    noteUse(keyId: string): void {
      const entry = known.peek(keyId);
      const now = clock();
      if (entry === undefined || now - entry.usedNotedAtMs < USE_NOTED_EVERY_MS) return;
      entry.usedNotedAtMs = now;
      repository.touch(keyId).catch((err: unknown) => logger.debug({ err }, 'recording the use of an API key failed'));
    },
  };
}

function larger(one: RateLimit, other: RateLimit): RateLimit {
  return {
    perSecond: Math.max(one.perSecond, other.perSecond),
    burst: Math.max(one.burst, other.burst),
  };
}
