import type { KeyEnvironment, Scope } from '@event-commerce/contracts';
import type { RateLimit } from '../limit/rate-limit.ts';

/** The limit of the key `keyId`, shared by the keys that it issued. */
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
  /** The limit of the key that issued this one, if it has its own: issuing keys must not raise it. */
  shared: SharedLimit | null;
  secretHash: Buffer;
  created: Date;
  /**
   * The id of the key that issued this one, `root` for the operator's; null for keys of earlier releases.
   *
   * @until a migration
   */
  createdBy: string | null;
  /** Accurate to about a minute. */
  lastUsed: Date | null;
  expires: Date | null;
  revoked: Date | null;
  /** The first of the keys that this one replaces, one after the other; null if it replaces none. */
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
