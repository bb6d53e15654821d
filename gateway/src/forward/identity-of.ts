import { type Identity, PlatformError, type Route, scopesFor } from '@event-commerce/contracts';
import type { FastifyRequest } from 'fastify';

/**
 * What services are told about the caller of `request`, as far as `route` needs it.
 *
 * @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company
 */
export function identityOf(request: FastifyRequest, route: Route): Identity {
  const identity = companyOf(request);
  return { ...identity, scopes: [...scopesFor(route, identity.scopes)] };
}

/** @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company */
export function companyOf(request: FastifyRequest): Identity {
  const identity = request.caller?.identity;
  if (identity === undefined) {
    throw new PlatformError('FORBIDDEN', 'The root key only administers keys; create a key for a company with it.');
  }
  return identity;
}
