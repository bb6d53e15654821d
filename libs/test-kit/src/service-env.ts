import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { natsUrlOfThisFile } from './nats-url.ts';
import type { TestIdentity } from './test-identity.ts';

/**
 * The settings of services that trust `identity`, on the servers of the test run, with databases of their own. Without
 * `claimTtlMs`, sweeps leave alone what the tests of a file leave pending.
 */
export function serviceEnv(identity: TestIdentity, claimTtlMs = 3_600_000) {
  return {
    MONGO_URL: inject('mongoUrl'),
    MONGO_INDEXES: 'migrate',
    MONGO_DB_PREFIX: `t${randomUUID().slice(0, 8)}`,
    NATS_URL: natsUrlOfThisFile(),
    CLAIM_TTL_MS: String(claimTtlMs),
    IDENTITY_PUBLIC_KEYS: identity.publicKey,
    ...identity.services,
    LOG_LEVEL: 'silent',
  };
}
