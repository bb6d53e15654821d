import { type Identity, keyOfTenant, tenantOf } from '@event-commerce/contracts';

/** Names a company in one environment, whose records are separate; empty for the root key, which has no company. */
export function tenantKey(identity: Identity | undefined): string {
  return identity === undefined ? '' : keyOfTenant(tenantOf(identity));
}

/** Names a company, whose live and test keys share one limit; empty for the root key. */
export function companyKey(identity: Identity | undefined): string {
  return identity?.companyId ?? '';
}
