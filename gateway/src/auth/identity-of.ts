import {
  type Identity,
  keyOfTenant,
  type Operation,
  rootKeyOnly,
  scopesFor,
  tenantOf,
} from '@event-commerce/contracts';
import type { FastifyRequest } from 'fastify';

/** @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company */
export function identityOf(request: FastifyRequest): Identity {
  const identity = request.caller?.identity;
  if (identity === undefined) throw rootKeyOnly();
  return identity;
}

/**
 * What a service is told about the caller of `request`, as far as `operation` needs it.
 *
 * @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company
 */
export function identityFor(request: FastifyRequest, operation: Operation): Identity {
  const identity = identityOf(request);
  return { ...identity, scopes: scopesFor(operation, identity.scopes) };
}

/**
 * Whose share of this process a request uses: the live keys and the test keys of a company have one each. The empty text
 * for the root key, which belongs to no company.
 */
export function sharerOf(identity: Identity | undefined): string {
  return identity === undefined ? '' : keyOfTenant(tenantOf(identity));
}
