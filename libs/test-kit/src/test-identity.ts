import {
  AUDIENCE,
  IDENTITY_HEADER,
  type KeyEnvironment,
  type ProcessName,
  type Scope,
  type ServiceName,
} from '@event-commerce/contracts';
import { createIdentitySigner, createProcessSigner, generateIdentityKeys } from '@event-commerce/service-kit';

/** Acts as the gateway: signs who is asking. */
export interface TestIdentity {
  publicKey: string;
  privateKey: string;
  /** What services need to sign and verify requests on their own behalf. */
  services: { SERVICE_PRIVATE_KEY: string; SERVICE_PUBLIC_KEYS: string };
  /** SERVICE_PRIVATE_KEY of the events service, with which it asks commerce. */
  eventsPrivateKey: string;
  /** SERVICE_PRIVATE_KEY of the cart service, with which it asks commerce. */
  cartPrivateKey: string;
  /** Headers of a request that the gateway would forward to `service` for `companyId`. */
  headers(companyId: string, service: ServiceName, environment?: KeyEnvironment): Record<string, string>;
  token(
    companyId: string,
    audience: readonly ServiceName[],
    environment?: KeyEnvironment,
    scopes?: Scope[],
    originalKeyId?: string,
  ): string;
  /** The identity of `process` when it calls `service` on its own behalf. */
  processToken(process: ProcessName, service: ServiceName): string;
}

const SCOPES: Scope[] = ['*'];

export function testIdentity(): TestIdentity {
  const { publicKey, privateKey } = generateIdentityKeys();
  const sign = createIdentitySigner(privateKey);
  const token = (
    companyId: string,
    audience: readonly ServiceName[],
    environment: KeyEnvironment = 'live',
    scopes = SCOPES,
    originalKeyId?: string,
  ) =>
    sign(
      {
        companyId,
        environment,
        keyId: 'key_test',
        ...(originalKeyId === undefined ? {} : { originalKeyId }),
        scopes,
      },
      audience,
    );
  const [pricing, cart, events] = [generateIdentityKeys(), generateIdentityKeys(), generateIdentityKeys()];
  return {
    publicKey,
    privateKey,
    token,
    services: {
      SERVICE_PRIVATE_KEY: pricing.privateKey,
      SERVICE_PUBLIC_KEYS: `pricing=${pricing.publicKey},cart=${cart.publicKey},events=${events.publicKey}`,
    },
    eventsPrivateKey: events.privateKey,
    cartPrivateKey: cart.privateKey,
    processToken: (process, service) => {
      const keys = process === 'cart' ? cart : process === 'events' ? events : pricing;
      return createProcessSigner(process, keys.privateKey)(service);
    },
    headers: (companyId, service, environment) => ({
      [IDENTITY_HEADER]: token(companyId, AUDIENCE[service], environment),
    }),
  };
}
