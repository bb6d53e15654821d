import type { KeyEnvironment, Scope } from '@event-commerce/contracts';
import type { RateLimit } from '../limit/rate-limit.ts';

/** The limit of the key `keyId`, shared with the keys that it issued and those that replace it. */
export interface SharedLimit extends RateLimit {
  keyId: string;
}

/** A key as it is stored, never its text. Times are instants; null means "not". */
export interface ApiKey {
  id: string;
  companyId: string;
  name: string;
  scopes: readonly Scope[];
  environment: KeyEnvironment;
  /** The key's own limit; null for the default one. */
  rateLimit: RateLimit | null;
  /**
   * The limit of the key that issued this one, or that this one replaces, if it has its own: more keys must not raise
   * it.
   */
  shared: SharedLimit | null;
  secretHash: Buffer;
  created: Date;
  /** The id of the key that issued this one, `root` for the operator's. */
  createdBy: string;
  /** Accurate to about a minute. */
  lastUsed: Date | null;
  expires: Date | null;
  revoked: Date | null;
  /** The first key in the chain of keys that this one replaces; null if it replaces none. */
  originalId: string | null;
  /** The id of the key that replaced this one. */
  rotatedTo: string | null;
  /** Incremented when the key is rotated or revoked. */
  version: number;
}

/** Whether `key` is active at `now`. */
export function isUsable(key: ApiKey, now: Date): boolean {
  return key.revoked === null && (key.expires === null || key.expires > now);
}

/** The limit that `key` shares with the keys that it issues, and those that replace it. */
export function sharedLimitOf(key: ApiKey): SharedLimit | null {
  return key.shared ?? (key.rateLimit && { keyId: key.id, ...key.rateLimit });
}
