import { port, readConfig, serviceSettings, wholeNumber } from '@event-commerce/service-kit';
import type { z } from 'zod';

export const settings = serviceSettings.extend({
  PORT: port.default(8085).describe('The port that it listens on.'),
  ACTIVITY_DAYS: wholeNumber(1, 3_650).default(90).describe('For how many days entries of the activity log are kept.'),
  ACTIVITY_MB: wholeNumber(1)
    .default(4_096)
    .describe('How large the log of one company may be, in megabytes. Beyond that, its oldest entries go first.'),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
