import { port, processKeys, readConfig, serviceSettings } from '@event-commerce/service-kit';
import type { z } from 'zod';

export const settings = serviceSettings.extend({
  PORT: port.default(8082).describe('The port that it listens on.'),
  SERVICE_PUBLIC_KEYS: processKeys(['pricing', 'cart', 'events', 'activity']).describe(
    'The public keys of the services that ask on their own behalf: `pricing=KEY,cart=KEY,events=KEY,activity=KEY`, base64 of SPKI DER. A name may come twice while one key replaces another.',
  ),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
