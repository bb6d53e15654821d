import { currencyCode } from '@event-commerce/contracts';
import { port, readConfig, serviceSettings } from '@event-commerce/service-kit';
import { z } from 'zod';

const settings = serviceSettings.extend({
  PORT: port.default(8083),
  /** The currency of a cart in which nothing names one. */
  DEFAULT_CURRENCY: currencyCode.default('USD'),
  /** How long a session lives without a change. */
  CART_IDLE_DAYS: z.coerce.number().positive().max(365).default(7),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
