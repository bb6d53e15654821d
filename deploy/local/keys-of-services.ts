import { newKeyPair, newWebhookKey } from './keep-secrets.ts';
import type { ProcessName } from './process-names.ts';

export type KeysOfServices = Record<Exclude<ProcessName, 'gateway'>, Record<string, string>>;

/**
 * The keys with which services sign their own requests. No signature outlives a start, so each start gets new keys.
 * `webhookKey` encrypts what is stored, so it has to be that of earlier starts.
 */
export function newKeysOfServices(webhookKey = newWebhookKey()): KeysOfServices {
  const [pricing, cart, events] = [newKeyPair(), newKeyPair(), newKeyPair()];
  return {
    pricing: { SERVICE_PRIVATE_KEY: pricing.privateKey },
    cart: { SERVICE_PRIVATE_KEY: cart.privateKey },
    commerce: {
      SERVICE_PUBLIC_KEYS: `pricing=${pricing.publicKey},cart=${cart.publicKey},events=${events.publicKey}`,
    },
    events: { SERVICE_PRIVATE_KEY: events.privateKey },
    activity: { WEBHOOK_KEY: webhookKey },
  };
}
