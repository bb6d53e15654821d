import { currencyCode } from '@event-commerce/contracts';
import { port, processKeys, readConfig, serviceSettings, wholeNumber } from '@event-commerce/service-kit';
import { z } from 'zod';

export const settings = serviceSettings.extend({
  PORT: port.default(8083).describe('The port that it listens on.'),
  SERVICE_PRIVATE_KEY: z
    .string()
    .min(1)
    .describe('The Ed25519 key that signs what this service asks commerce on its own behalf, base64 of PKCS#8 DER.'),
  SERVICE_PUBLIC_KEYS: processKeys(['activity']).describe(
    'The public key of activity, which asks on its own behalf: `activity=KEY`, base64 of SPKI DER. A name may come twice while one key replaces another.',
  ),
  DEFAULT_CURRENCY: currencyCode.default('USD').describe('The currency of a cart in which nothing names one.'),
  CART_IDLE_DAYS: z.coerce
    .number()
    .positive()
    .max(365)
    .default(7)
    .describe('After how many days without a change a cart session expires.'),
  SEAT_HOLD_MINUTES: z.coerce
    .number()
    .positive()
    .max(365 * 24 * 60)
    .default(60)
    .describe('After how many minutes without a change a cart session without an order loses its seats at a table.'),
  PRICE_CACHE_MB: wholeNumber(1)
    .default(16)
    .describe(
      'Memory for prices of carts that are not priced again while nothing they depend on changed, in megabytes.',
    ),
  CLAIM_TTL_MS: wholeNumber(100)
    .default(15_000)
    .describe(
      'How long a session may be reserved for an order before cart asks commerce for the order, and orders or opens the session.',
    ),
});

export type Config = z.output<typeof settings>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long a session is kept without a change, and how long it keeps its seats. */
export function sessionTimes({
  CART_IDLE_DAYS,
  SEAT_HOLD_MINUTES,
}: Pick<Config, 'CART_IDLE_DAYS' | 'SEAT_HOLD_MINUTES'>) {
  return { idleMs: CART_IDLE_DAYS * DAY_MS, seatHoldMs: SEAT_HOLD_MINUTES * MINUTE_MS };
}

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
