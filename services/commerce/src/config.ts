import { port, processKeys, readConfig, serviceSettings } from '@event-commerce/service-kit';
import type { z } from 'zod';

const settings = serviceSettings.extend({
  PORT: port.default(8082),
  /** The public keys (base64 of SPKI DER) of the services that ask this one by themselves: `pricing=KEY,cart=KEY`. */
  SERVICE_PUBLIC_KEYS: processKeys(['pricing', 'cart']),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
