import { port, processKeys, readConfig, secretKey, serviceSettings, wholeNumber } from '@event-commerce/service-kit';
import { z } from 'zod';

export const settings = serviceSettings.extend({
  PORT: port.default(8084).describe('The port that it listens on.'),
  SERVICE_PRIVATE_KEY: z
    .string()
    .min(1)
    .describe('The Ed25519 key that signs what this service asks commerce on its own behalf, base64 of PKCS#8 DER.'),
  SERVICE_PUBLIC_KEYS: processKeys(['pricing', 'activity']).describe(
    'The public keys of the services that ask on their own behalf: `pricing=KEY,activity=KEY`, base64 of SPKI DER. A name may come twice while one key replaces another.',
  ),
  CUSTOMER_KEY: secretKey.describe(
    'Hashes the ids and e-mail addresses of customers by which their tickets are counted (`maxPerCustomer`): 32 random bytes in hexadecimal. With another key, what they have does not count any more.',
  ),
  CLAIM_TTL_MS: wholeNumber(100)
    .default(15_000)
    .describe(
      'How long tickets may stay unconfirmed before events asks commerce for their order, and confirms or releases them.',
    ),
});

export type Config = z.output<typeof settings>;

export function loadConfig(env = process.env): Config {
  return readConfig(settings, env);
}
