import { currencyCode } from '@event-commerce/contracts';
import { port, readConfig, serviceSettings } from '@event-commerce/service-kit';
import { z } from 'zod';

const settings = serviceSettings.extend({
  PORT: port.default(8083),
  /** Ed25519 private key (base64 of PKCS#8 DER) that signs what this service asks commerce by itself. */
  SERVICE_PRIVATE_KEY: z.string().min(1),
  /** The currency of a cart in which nothing names one. */
  DEFAULT_CURRENCY: currencyCode.default('USD'),
  /** How long a session lives without a change. */
  CART_IDLE_DAYS: z.coerce.number().positive().max(365).default(7),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
