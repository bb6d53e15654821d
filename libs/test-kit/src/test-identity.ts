import { randomBytes } from 'node:crypto';
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
  /** The settings with which a service signs what it asks on its own behalf, or verifies what it is asked. */
  keysOf: (service: ServiceName) => Record<string, string>;
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
        keyName: 'The test key',
        ...(originalKeyId === undefined ? {} : { originalKeyId }),
        scopes,
      },
      audience,
    );
  const [pricing, cart, events] = [generateIdentityKeys(), generateIdentityKeys(), generateIdentityKeys()];
  const SERVICE_PUBLIC_KEYS = `pricing=${pricing.publicKey},cart=${cart.publicKey},events=${events.publicKey}`;
  const keys: Record<ServiceName, Record<string, string>> = {
    pricing: { SERVICE_PRIVATE_KEY: pricing.privateKey },
    commerce: { SERVICE_PUBLIC_KEYS },
    cart: { SERVICE_PRIVATE_KEY: cart.privateKey },
    events: { SERVICE_PRIVATE_KEY: events.privateKey },
    activity: { WEBHOOK_KEY: randomBytes(32).toString('hex'), WEBHOOK_LOCAL: 'true' },
  };
  return {
    publicKey,
    privateKey,
    token,
    keysOf: (service) => ({ IDENTITY_PUBLIC_KEYS: publicKey, ...keys[service] }),
    processToken: (process, service) => {
      const own = process === 'cart' ? cart : process === 'events' ? events : pricing;
      return createProcessSigner(process, own.privateKey)(service);
    },
    headers: (companyId, service, environment) => ({
      [IDENTITY_HEADER]: token(companyId, AUDIENCE[service], environment),
    }),
  };
}
