import { type Identity, PlatformError } from '@event-commerce/contracts';
import type { FastifyRequest } from 'fastify';

/**
 * What services are told about the caller of `request`.
 *
 * @throws {PlatformError} FORBIDDEN for the root key, which belongs to no company
 */
export function identityOf(request: FastifyRequest): Identity {
  const identity = request.caller?.identity;
  if (identity === undefined) {
    throw new PlatformError('FORBIDDEN', 'The root key only administers keys; create a key for a company with it.');
  }
  return identity;
}
