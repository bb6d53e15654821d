import {
  FORWARDED_OPERATIONS,
  IDENTITY_HEADER,
  mayAsk,
  RPC,
  type RpcEndpoint,
  type Scope,
  SCOPES,
  type ServiceName,
} from '@event-commerce/contracts';
import { newCompanyId, testIdentity } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../libs/bus/src/index.ts';
import { type Services, sharedServices } from '../harness/services.ts';

/** A caller who reaches a service directly, over HTTP or the broker, can do nothing without a token of the gateway. */

const companyId = newCompanyId();
const ALL: Scope[] = SCOPES.filter((scope) => scope !== '*');
const SERVICES: ServiceName[] = ['commerce', 'pricing', 'cart', 'events'];

let services: Services;
let identity: Services['identity'];
beforeAll(async () => {
  services = await sharedServices();
  ({ identity } = services);
});

/** All scopes without which a caller may not ask for `operation`. */
const withoutScopesOf = (operation: { scope?: Scope | 'any'; orScope?: Scope }): Scope[] =>
  ALL.filter((scope) => !mayAsk(operation, [scope]));

describe('over HTTP', () => {
  const operations = FORWARDED_OPERATIONS.filter(({ rpc }) => rpc === undefined);

  test.each(operations)(
    '$service refuses $method $path without a token, with that of another service, and without its scope',
    async (operation) => {
      const { service, method } = operation;
      const path = operation.path.replaceAll(/\{\w+\}/g, 'x');
      const ask = async (token: string | undefined) => {
        const headers = token === undefined ? {} : { [IDENTITY_HEADER]: token };
        const response = await fetch(`${services.replicas[service][0]?.url}${path}`, { method, headers });
        const { error } = (await response.json()) as { error?: { code: string } };
        return `${response.status} ${error?.code}`;
      };
      const elsewhere = SERVICES.filter((name) => name !== service);
      expect(await ask(undefined)).toBe('401 UNAUTHORIZED');
      expect(await ask(`${identity.token(companyId, [service])}x`)).toBe('401 UNAUTHORIZED');
      expect(await ask(identity.token(companyId, elsewhere))).toBe('401 UNAUTHORIZED');
      expect(await ask(identity.token(companyId, [service], 'live', withoutScopesOf(operation)))).toBe('403 FORBIDDEN');
    },
  );
});

describe('over the broker', () => {
  const endpoints: readonly RpcEndpoint[] = Object.values(RPC);
  const serviceOf = ({ subject }: RpcEndpoint) => subject.split('.')[1] as ServiceName;
  const stranger = testIdentity();
  const ask = async (endpoint: RpcEndpoint, identityToken: string | undefined) =>
    await call(services.bus, endpoint, {}, { identityToken, requestId: 'req_1' }).then(
      () => 'a reply',
      ({ code }: { code: string }) => code,
    );

  test.each(endpoints)(
    '$subject refuses a request without a token, and with that of another service',
    async (endpoint) => {
      const elsewhere = SERVICES.filter((name) => name !== serviceOf(endpoint));
      expect(await ask(endpoint, undefined)).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, `${identity.token(companyId, [serviceOf(endpoint)])}x`)).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, identity.token(companyId, elsewhere))).toBe('UNAUTHORIZED');
    },
  );

  test.each(endpoints.filter(({ scopes }) => scopes.length > 0))(
    '$subject is refused without its scopes, and validated with any one of them',
    async (endpoint) => {
      const short = ALL.filter((scope) => !endpoint.scopes.some((needed) => mayAsk({ scope: needed }, [scope])));
      const with_ = (scopes: Scope[]) => identity.token(companyId, [serviceOf(endpoint)], 'live', scopes);
      expect(await ask(endpoint, with_(short))).toBe('FORBIDDEN');
      for (const scope of endpoint.scopes) expect(await ask(endpoint, with_([scope]))).toBe('VALIDATION_FAILED');
    },
  );

  test.each(endpoints.filter(({ scopes }) => scopes.length === 0))(
    '$subject, which only processes may call, refuses every caller',
    async (endpoint) => {
      expect(await ask(endpoint, identity.token(companyId, SERVICES))).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, stranger.processToken('cart', serviceOf(endpoint)))).toBe('UNAUTHORIZED');
    },
  );
});
