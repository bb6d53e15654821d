import { IDENTITY_HEADER, type KeyEnvironment, type Scope, type ServiceName } from '@event-commerce/contracts';
import { createIdentitySigner, generateIdentityKeys } from '@event-commerce/service-kit';

/** Stands in for the gateway: signs who is asking. */
export interface TestIdentity {
  publicKey: string;
  privateKey: string;
  /** Headers of a request that the gateway would forward to `service` for `companyId`. */
  headers(companyId: string, service: ServiceName, environment?: KeyEnvironment): Record<string, string>;
  token(companyId: string, audience: readonly ServiceName[], environment?: KeyEnvironment): string;
}

const SCOPES: Scope[] = ['*'];

export function testIdentity(): TestIdentity {
  const { publicKey, privateKey } = generateIdentityKeys();
  const sign = createIdentitySigner(privateKey);
  const token = (companyId: string, audience: readonly ServiceName[], environment: KeyEnvironment = 'live') =>
    sign({ companyId, environment, keyId: 'key_test', scopes: SCOPES }, audience);
  return {
    publicKey,
    privateKey,
    token,
    headers: (companyId, service, environment) => ({
      [IDENTITY_HEADER]: token(companyId, [service, 'pricing', 'events'], environment),
    }),
  };
}
