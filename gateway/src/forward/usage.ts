import {
  type Identity,
  IDENTITY_HEADER,
  type QuotaName,
  type QuotaUse,
  type ServiceName,
  SERVICES,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { atMost, type SignIdentity } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import type { KeyAdmin } from '../keys/key-admin.ts';
import type { Handlers } from '../own-operations.ts';
import { identityOf } from '../auth/identity-of.ts';
import { tenantKey } from '../auth/tenant-key.ts';
import { invalidResponse } from './upstream-errors.ts';
import type { Upstream } from './upstream.ts';

const ASKED_EVERY_MS = 1_000;
const TENANTS_MAX = 10_000;

/**
 * `GET /v1/usage`: what the company uses of each quota, counted by the process that owns it. Any key of the company
 * will do.
 */
export function usageHandlers({
  upstreams,
  signIdentity,
  keyAdmin,
  timeoutMs,
}: {
  upstreams: Readonly<Record<ServiceName, Upstream>>;
  signIdentity: SignIdentity;
  keyAdmin: Pick<KeyAdmin, 'usage'>;
  timeoutMs: number;
}): Pick<Handlers, 'getUsage'> {
  const ask = async (service: ServiceName, identity: Identity, requestId: string) =>
    new Promise<Record<string, QuotaUse>>((resolve, reject) => {
      const headers = { [IDENTITY_HEADER]: signIdentity(identity, [service]), 'x-request-id': requestId };
      const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
      upstreams[service].request({ method: 'GET', path: '/usage', headers, ...timeouts }, (error, answer) => {
        if (error !== null) return reject(error);
        try {
          const { data } = JSON.parse(String(answer?.body.head)) as { data?: Record<string, QuotaUse> };
          if (answer?.statusCode === 200 && data !== undefined) return resolve(data);
          reject(tryAgainShortly(`The ${service} service cannot count now; try again shortly.`));
        } catch (cause) {
          reject(invalidResponse(service, cause));
        }
      });
    });

  /**
   * The replies of the services, failures included: they are asked at most once a second, however often a company asks.
   */
  const asked = new LRUCache<string, Promise<Record<QuotaName, QuotaUse>>>({
    ...atMost(TENANTS_MAX),
    ttl: ASKED_EVERY_MS,
  });
  const askAll = async (identity: Identity, requestId: string): Promise<Record<QuotaName, QuotaUse>> => {
    const parts = await Promise.all(SERVICES.map(async (service) => ask(service, identity, requestId)));
    return Object.assign({}, ...parts) as Record<QuotaName, QuotaUse>;
  };

  return {
    getUsage: async (request) => {
      const identity = { ...identityOf(request), scopes: [] };
      const tenant = tenantKey(identity);
      let ofServices = asked.get(tenant);
      if (ofServices === undefined) asked.set(tenant, (ofServices = askAll(identity, request.id)));
      const [apiKeys, quotas] = await Promise.all([keyAdmin.usage(identity), ofServices]);
      return { quotas: { ...quotas, apiKeys } };
    },
  };
}
