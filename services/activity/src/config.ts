import { port, readConfig, secretKey, serviceSettings, wholeNumber } from '@event-commerce/service-kit';
import { z } from 'zod';

export const settings = serviceSettings.extend({
  PORT: port.default(8085).describe('The port that it listens on.'),
  SERVICE_PRIVATE_KEY: z
    .string()
    .min(1)
    .describe('The Ed25519 key that signs what this service asks others on its own behalf, base64 of PKCS#8 DER.'),
  ACTIVITY_DAYS: wholeNumber(1, 3_650).default(90).describe('For how many days entries of the activity log are kept.'),
  ACTIVITY_MB: wholeNumber(1)
    .default(4_096)
    .describe('How large the log of one company may be, in megabytes. Beyond that, its oldest entries go first.'),
  WEBHOOK_KEY: secretKey.describe(
    'Encrypts the secrets of webhooks, and who is being erased: 32 random bytes in hexadecimal. With another key, no webhook can be delivered, and running erasures do not end.',
  ),
  WEBHOOK_LOCAL: z
    .stringbool()
    .default(false)
    .describe('Whether webhooks may lead to this machine, and without TLS. For development only.'),
  WEBHOOK_REFUSED_PORTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean).map(Number))
    .describe(
      'With `WEBHOOK_LOCAL`, the ports of this machine that webhooks are never sent to. Separate several with commas.',
    ),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
