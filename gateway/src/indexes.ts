import { indexesOf, type IndexesOn } from '@event-commerce/service-kit';
import { IDEMPOTENCY_INDEXES } from './idempotency/idempotency.repository.ts';
import { apiKeyModel } from './keys/api-key.repository.ts';

/** The indexes of the gateway's database. */
export const gatewayIndexes: IndexesOn = (connection) => [
  ...indexesOf({ apiKeys: apiKeyModel(connection) }),
  IDEMPOTENCY_INDEXES,
];
