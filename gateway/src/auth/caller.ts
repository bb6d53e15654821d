import type { Identity, KeyEnvironment, Scope } from '@event-commerce/contracts';
import type { SharedLimit } from '../keys/api-key.ts';
import type { Bucket, RateLimit } from '../limit/rate-limit.ts';

/** Who presented a key that is good. */
export interface Caller {
  keyId: string;
  /** Undefined for the operator's root key, which belongs to no company. */
  companyId: string | undefined;
  /** The world whose records the key opens. Undefined for the root key, which administers the keys of both. */
  environment: KeyEnvironment | undefined;
  scopes: readonly Scope[];
  /** When the key ends; null for never. */
  expires: Date | null;
  rateLimit: RateLimit;
  /** What its requests are taken from: its own limit first, then those that it shares with other keys. */
  buckets: readonly Bucket[];
  /** The limit that keys which it issues share with it; null where that is the company's. */
  shared: SharedLimit | null;
  /** What services are told; one object for as long as nothing about the key changes. Undefined for the root key. */
  identity: Identity | undefined;
}
