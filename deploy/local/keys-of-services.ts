import { type DataKeys, newDataKeys, newKeyPair } from './keep-secrets.ts';
import type { ProcessName } from './process-names.ts';

export type KeysOfServices = Record<Exclude<ProcessName, 'gateway'>, Record<string, string>>;

/**
 * The keys with which services sign their own requests. No signature outlives a start, so each start gets new keys.
 * Stored data depends on the other keys, so they must be those of earlier starts.
 */
export function newKeysOfServices({ webhookKey, customerKey }: DataKeys = newDataKeys()): KeysOfServices {
  const [pricing, cart, events, activity] = [newKeyPair(), newKeyPair(), newKeyPair(), newKeyPair()];
  const ofActivity = { SERVICE_PUBLIC_KEYS: `activity=${activity.publicKey}` };
  return {
    pricing: { SERVICE_PRIVATE_KEY: pricing.privateKey, CUSTOMER_KEY: customerKey, ...ofActivity },
    cart: { SERVICE_PRIVATE_KEY: cart.privateKey, ...ofActivity },
    commerce: {
      SERVICE_PUBLIC_KEYS: `pricing=${pricing.publicKey},cart=${cart.publicKey},events=${events.publicKey},${ofActivity.SERVICE_PUBLIC_KEYS}`,
    },
    events: {
      SERVICE_PRIVATE_KEY: events.privateKey,
      CUSTOMER_KEY: customerKey,
      SERVICE_PUBLIC_KEYS: `pricing=${pricing.publicKey},${ofActivity.SERVICE_PUBLIC_KEYS}`,
    },
    activity: { SERVICE_PRIVATE_KEY: activity.privateKey, WEBHOOK_KEY: webhookKey },
  };
}
