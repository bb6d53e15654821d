import type { Identity, Scope } from '@event-commerce/contracts';
import type { SharedLimit } from '../keys/api-key.ts';
import type { Bucket, RateLimit } from '../limit/rate-limit.ts';

/** The owner of a valid key. */
export interface Caller {
  keyId: string;
  scopes: readonly Scope[];
  /** When the key expires; null for never. */
  expires: Date | null;
  rateLimit: RateLimit;
  /** The buckets its requests are taken from: its own limit first, then those shared with other keys. */
  buckets: readonly Bucket[];
  /** The limit shared with the keys that it issues; null if that is the company's. */
  shared: SharedLimit | null;
  /**
   * The identity that services get: its company, and the environment whose records it opens. The same object as long as
   * the key does not change. Undefined for the operator's root key, which belongs to no company and manages the keys of
   * every one.
   */
  identity: Identity | undefined;
}
