import {
  type Identity,
  IDENTITY_HEADER,
  type QuotaName,
  type QuotaUse,
  type ServiceName,
  SERVICES,
  tryAgainShortly,
} from '@event-commerce/contracts';
import type { SignIdentity } from '@event-commerce/service-kit';
import type { KeyAdmin } from '../keys/key-admin.ts';
import type { Handlers } from '../own-operations.ts';
import { identityOf } from '../auth/identity-of.ts';
import { invalidResponse } from './upstream-errors.ts';
import type { Upstream } from './upstream.ts';

/**
 * `GET /v1/usage`: what the company uses of each quota, as each process counts its own. Needs any key of the company.
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

  return {
    getUsage: async (request) => {
      const identity = { ...identityOf(request), scopes: [] };
      const [apiKeys, ...parts] = await Promise.all([
        keyAdmin.usage(identity),
        ...SERVICES.map(async (service) => ask(service, identity, request.id)),
      ]);
      return { quotas: { ...(Object.assign({}, ...parts) as Record<QuotaName, QuotaUse>), apiKeys } };
    },
  };
}
