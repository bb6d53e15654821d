import { port, readConfig, serviceSettings } from '@event-commerce/service-kit';
import { z } from 'zod';
import { currencyCode } from '@event-commerce/contracts';

const settings = serviceSettings.extend({
  PORT: port.default(8081),
  /** The currency of a price that names none. */
  DEFAULT_CURRENCY: currencyCode.default('USD'),
  /** How long a claim may stay unconfirmed before its order is asked for, and the claim confirmed or released. */
  CLAIM_TTL_MS: z.coerce.number().int().min(100).default(15_000),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
