import { type Identity, type Operation, rootKeyOnly, scopesFor } from '@event-commerce/contracts';
import type { FastifyRequest } from 'fastify';

/** @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company */
export function identityOf(request: FastifyRequest): Identity {
  const identity = request.caller?.identity;
  if (identity === undefined) throw rootKeyOnly();
  return identity;
}

/**
 * The identity of the caller of `request` for a service, limited to what `operation` needs.
 *
 * @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company
 */
export function identityFor(request: FastifyRequest, operation: Operation): Identity {
  const identity = identityOf(request);
  return { ...identity, scopes: scopesFor(operation, identity.scopes) };
}
