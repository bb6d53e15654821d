import { PlatformError, type ServiceName, tryAgainShortly } from '@event-commerce/contracts';

/**
 * What a caller gets instead of a service's 401: nothing is wrong with the caller's key, which the gateway has checked.
 * The service rejects what the gateway or another service signed, because of its keys or its clock.
 */
export function identityRefused(service: ServiceName): PlatformError {
  return tryAgainShortly('The platform cannot serve this request now; try again shortly.', {
    cause: new Error(
      `the ${service} service refuses signed requests: check IDENTITY_PRIVATE_KEY, its public keys and the clocks`,
    ),
  });
}

export function invalidResponse(service: ServiceName, cause?: unknown): PlatformError {
  return new PlatformError('BAD_GATEWAY', `The ${service} service returned an invalid response.`, { cause });
}
