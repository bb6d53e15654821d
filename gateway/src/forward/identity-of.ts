import { type Identity, type Operation, rootKeyOnly, scopesFor } from '@event-commerce/contracts';
import type { FastifyRequest } from 'fastify';

/**
 * What services are told about the caller of `request`, as far as `operation` needs it.
 *
 * @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company
 */
export function identityOf(request: FastifyRequest, operation: Operation): Identity {
  const identity = companyOf(request);
  return { ...identity, scopes: scopesFor(operation, identity.scopes) };
}

/** @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company */
export function companyOf(request: FastifyRequest): Identity {
  const identity = request.caller?.identity;
  if (identity === undefined) {
    throw rootKeyOnly();
  }
  return identity;
}
