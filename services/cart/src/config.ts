import { port, readConfig, serviceSettings } from '@event-commerce/service-kit';
import type { z } from 'zod';

const settings = serviceSettings.extend({ PORT: port.default(8083) });

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
