import { type Identity, type Operation, rootKeyOnly, scopesFor } from '@event-commerce/contracts';
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
