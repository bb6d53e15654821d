import { getHeapStatistics } from 'node:v8';
import { port, readConfig, serviceSettings } from '@event-commerce/service-kit';
import { z } from 'zod';
import { currencyCode } from '@event-commerce/contracts';

const settings = serviceSettings.extend({
  PORT: port.default(8081),
  /** Ed25519 private key (base64 of PKCS#8 DER) that signs what this service asks commerce by itself. */
  SERVICE_PRIVATE_KEY: z.string().min(1),
  /** The currency of a price that names none. */
  DEFAULT_CURRENCY: currencyCode.default('USD'),
  /**
   * What companies' adjustments may take of the memory (in MB), all together; one company may take half of it. Half of the heap
   * by default.
   */
  ADJUSTMENT_CACHE_MB: z.coerce
    .number()
    .int()
    .min(1)
    .default(() => Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20 / 2)),
  /** How long a claim may stay unconfirmed before its order is asked for, and the claim confirmed or released. */
  CLAIM_TTL_MS: z.coerce.number().int().min(100).default(15_000),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
