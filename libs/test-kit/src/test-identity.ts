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
  const own = {
    pricing: generateIdentityKeys(),
    cart: generateIdentityKeys(),
    events: generateIdentityKeys(),
    activity: generateIdentityKeys(),
  };
  const SERVICE_PUBLIC_KEYS = Object.entries(own)
    .map(([name, { publicKey: key }]) => `${name}=${key}`)
    .join();
  const CUSTOMER_KEY = randomBytes(32).toString('hex');
  const keys: Record<ServiceName, Record<string, string>> = {
    pricing: { SERVICE_PRIVATE_KEY: own.pricing.privateKey, SERVICE_PUBLIC_KEYS, CUSTOMER_KEY },
    commerce: { SERVICE_PUBLIC_KEYS },
    cart: { SERVICE_PRIVATE_KEY: own.cart.privateKey, SERVICE_PUBLIC_KEYS },
    events: { SERVICE_PRIVATE_KEY: own.events.privateKey, SERVICE_PUBLIC_KEYS, CUSTOMER_KEY },
    activity: {
      SERVICE_PRIVATE_KEY: own.activity.privateKey,
      WEBHOOK_KEY: randomBytes(32).toString('hex'),
      WEBHOOK_LOCAL: 'true',
    },
  };
  return {
    publicKey,
    privateKey,
    token,
    keysOf: (service) => ({ IDENTITY_PUBLIC_KEYS: publicKey, ...keys[service] }),
    processToken: (process, service) => {
      const { privateKey: key } = own[process in own ? (process as keyof typeof own) : 'pricing'];
      return createProcessSigner(process, key)(service);
    },
    headers: (companyId, service, environment) => ({
      [IDENTITY_HEADER]: token(companyId, AUDIENCE[service], environment),
    }),
  };
}
