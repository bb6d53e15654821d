import { port, readConfig, serviceSettings } from '@event-commerce/service-kit';
import type { z } from 'zod';

export const settings = serviceSettings.extend({ PORT: port.default(8084).describe('The port that it listens on.') });

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
