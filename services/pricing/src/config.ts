import { getHeapStatistics } from 'node:v8';
import { port, processKeys, readConfig, secretKey, serviceSettings, wholeNumber } from '@event-commerce/service-kit';
import { z } from 'zod';
import { currencyCode } from '@event-commerce/contracts';

export const settings = serviceSettings.extend({
  PORT: port.default(8081).describe('The port that it listens on.'),
  SERVICE_PRIVATE_KEY: z
    .string()
    .min(1)
    .describe('The Ed25519 key that signs what this service asks commerce on its own behalf, base64 of PKCS#8 DER.'),
  SERVICE_PUBLIC_KEYS: processKeys(['activity']).describe(
    'The public key of activity, which asks on its own behalf: `activity=KEY`, base64 of SPKI DER. A name may come twice while one key replaces another.',
  ),
  CUSTOMER_KEY: secretKey.describe(
    'Hashes the e-mail addresses by which limits per customer are counted (`perCustomerBy`): 32 random bytes in hexadecimal, the same as that of events. With another key, what customers have does not count any more.',
  ),
  DEFAULT_CURRENCY: currencyCode.default('USD').describe('The currency of a price that names none.'),
  ADJUSTMENT_CACHE_MB: wholeNumber(1)
    .default(() => Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20 / 2))
    .meta({
      description: 'Memory for the adjustments of all companies, in megabytes. One company may take half of it.',
      // What the documentation shows: the number depends on the machine.
      default: 'half of the heap',
    }),
  CLAIM_TTL_MS: wholeNumber(100)
    .default(15_000)
    .describe(
      'How long a claim may stay unconfirmed before pricing asks commerce for its order, and confirms or releases it.',
    ),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
