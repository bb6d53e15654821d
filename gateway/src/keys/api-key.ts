import type { KeyEnvironment, Scope } from '@event-commerce/contracts';
import type { RateLimit } from '../limit/rate-limit.ts';

/** The limit of the key `keyId`, which the keys that it issued share. */
export interface SharedLimit extends RateLimit {
  keyId: string;
}

/** A key as it is kept: never its text. Times are instants; null is "not". */
export interface ApiKey {
  id: string;
  companyId: string;
  name: string;
  scopes: readonly Scope[];
  environment: KeyEnvironment;
  /** The key's own limit; null for the default one. */
  rateLimit: RateLimit | null;
  /** Of the key with a limit of its own that issued it: issuing keys is no way to send more than that. */
  shared: SharedLimit | null;
  secretHash: Buffer;
  created: Date;
  /** The id of the key that issued this one, `root` for the operator's; null for keys of releases that did not note it. */
  createdBy: string | null;
  /** Correct to about a minute. */
  lastUsed: Date | null;
  expires: Date | null;
  revoked: Date | null;
  /** The id of the key that replaced this one. */
  rotatedTo: string | null;
  /** Goes up when the key is rotated or revoked. */
  version: number;
}

/** Whether `key` opens anything at `now`. */
export function isUsable(key: ApiKey, now: Date): boolean {
  return key.revoked === null && (key.expires === null || key.expires > now);
}
