import {
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
  /** Headers of a request that the gateway would forward to `service` for `companyId`. */
  headers(companyId: string, service: ServiceName, environment?: KeyEnvironment): Record<string, string>;
  token(companyId: string, audience: readonly ServiceName[], environment?: KeyEnvironment, scopes?: Scope[]): string;
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
  ) => sign({ companyId, environment, keyId: 'key_test', scopes }, audience);
  const [pricing, cart] = [generateIdentityKeys(), generateIdentityKeys()];
  return {
    publicKey,
    privateKey,
    token,
    services: {
      SERVICE_PRIVATE_KEY: pricing.privateKey,
      // Tests start pricing and events with the same settings.
      SERVICE_PUBLIC_KEYS: `pricing=${pricing.publicKey},cart=${cart.publicKey},events=${pricing.publicKey}`,
    },
    processToken: (process, service) =>
      createProcessSigner(process, (process === 'cart' ? cart : pricing).privateKey)(service),
    headers: (companyId, service, environment) => ({
      [IDENTITY_HEADER]: token(companyId, [service, 'pricing', 'events'], environment),
    }),
  };
}
