import {
  type Identity,
  keyOfTenant,
  type Operation,
  type PlatformError,
  rootKeyOnly,
  scopesFor,
  type ServiceName,
  tenantOf,
  tryAgainShortly,
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

/** Whose share of this process a request uses: the live keys and the test keys of a company have one each. */
export function sharerOf(identity: Identity): string {
  return keyOfTenant(tenantOf(identity));
}

/**
 * A service's 401, as its caller gets it: nothing is wrong with the caller's key, which the gateway has checked. The
 * service does not accept what the gateway or another service signed, by its keys or its clock.
 */
export function identityRefused(service: ServiceName): PlatformError {
  return tryAgainShortly('The platform cannot serve this request now; try again shortly.', {
    cause: new Error(
      `the ${service} service refuses signed requests: check IDENTITY_PRIVATE_KEY, its public keys and the clocks`,
    ),
  });
}
