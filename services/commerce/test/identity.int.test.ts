import { call } from '@event-commerce/bus';
import {
  IDENTITY_HEADER,
  type ProcessName,
  RPC,
  type RpcEndpoint,
  type Scope,
  SCOPES,
} from '@event-commerce/contracts';
import { createCallAsProcess, generateIdentityKeys } from '@event-commerce/service-kit';
import { apiClient, newCompanyId } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const companyId = newCompanyId();
const all: Scope[] = SCOPES.filter((scope) => scope !== '*');

/** The status of `endpoint` for a caller with `identityToken`. */
async function ask(endpoint: RpcEndpoint, identityToken: string | undefined): Promise<string> {
  const outcome = call(services.bus, endpoint, {}, { identityToken, requestId: 'test' });
  return await outcome.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );
}

describe('a service called over HTTP, bypassing the gateway', () => {
  test.each([
    ['POST /coupons', 'commerce', ['events:read']],
    ['POST /coupons', 'commerce', all.filter((scope) => scope !== 'coupons:write')],
    ['GET /orders', 'commerce', all.filter((scope) => !scope.startsWith('orders:'))],
    ['GET /pricing/adjustments', 'pricing', ['carts:write', 'orders:write', 'pricing:evaluate']],
  ] as const)('refuses %s of %s with a valid token that lacks the scope', async (route, service, scopes) => {
    const token = services.identity.token(companyId, [service], 'live', [...scopes]);
    const api = apiClient(services.replicas[service][0]?.url ?? '', { [IDENTITY_HEADER]: token });
    const [method, path = ''] = route.split(' ');
    const { status, body } = method === 'POST' ? await api.post(path, {}) : await api.get(path);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a service called over the broker', () => {
  const forCallers = [
    RPC.evaluate,
    RPC.evaluateCarts,
    RPC.purchase,
    RPC.cancelClaims,
    RPC.codeHolder,
    RPC.followCoupon,
  ];
  const forProcesses = [RPC.settleOrder, RPC.ordersStanding];

  test.each(forCallers)(
    'refuses $subject without a token, for another service, and without one of its scopes',
    async (endpoint) => {
      const scopes: readonly Scope[] = endpoint.scopes;
      const short = all.filter(
        (scope) => !scopes.includes(scope) && !scopes.includes(scope.replace(':write', ':read') as Scope),
      );
      expect(await ask(endpoint, undefined)).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, services.identity.token(companyId, ['commerce'], 'live', ['*']))).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, services.identity.processToken('cart', 'commerce'))).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, services.identity.token(companyId, ['pricing'], 'live', short))).toBe('FORBIDDEN');
      for (const scope of scopes) {
        expect(await ask(endpoint, services.identity.token(companyId, ['pricing'], 'live', [scope]))).toBe(
          'VALIDATION_FAILED',
        );
      }
    },
  );

  test.each(forProcesses)(
    'refuses $subject without a token, with a caller’s, and to a service that never asks it',
    async (endpoint) => {
      const callers: readonly ProcessName[] = endpoint.callers;
      const [asks] = endpoint.callers;
      // Every service asks about the orders of its claims.
      const others = (['pricing', 'cart', 'events'] as const).filter((process) => !callers.includes(process));
      expect(await ask(endpoint, undefined)).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, services.identity.token(companyId, ['commerce'], 'live', ['*']))).toBe('UNAUTHORIZED');
      for (const another of others)
        expect(await ask(endpoint, services.identity.processToken(another, 'commerce'))).toBe('FORBIDDEN');
      // Signed with pricing's key, in the name of a service whose key commerce does not know.
      expect(await ask(endpoint, services.identity.processToken('gateway', 'commerce'))).toBe('UNAUTHORIZED');
      expect(await ask(endpoint, services.identity.processToken(asks, 'commerce'))).toBe('VALIDATION_FAILED');
    },
  );

  test('a process whose own identity is refused reports an outage: neither the event nor the client is at fault', async () => {
    const callAsProcess = createCallAsProcess(services.bus, 'cart', generateIdentityKeys().privateKey);
    await expect(callAsProcess(RPC.ordersStanding, { orderIds: [] })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: 'UNAUTHORIZED' },
    });
  });
});
