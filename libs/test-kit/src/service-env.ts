import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { natsUrlOfThisFile } from './nats-url.ts';
import type { TestIdentity } from './test-identity.ts';

/** So long that sweeps leave alone what the tests of a file leave pending. Tests of sweeps set less. */
const CLAIM_TTL_MS = 3_600_000;

/** The settings of services that trust `identity`, on the servers of the test run, with databases of their own. */
export function serviceEnv(identity: TestIdentity) {
  return {
    MONGO_URL: inject('mongoUrl'),
    MONGO_INDEXES: 'migrate',
    MONGO_DB_PREFIX: `t${randomUUID().slice(0, 8)}`,
    NATS_URL: natsUrlOfThisFile(),
    CLAIM_TTL_MS: String(CLAIM_TTL_MS),
    IDENTITY_PUBLIC_KEYS: identity.publicKey,
    ...identity.services,
    LOG_LEVEL: 'silent',
  };
}
