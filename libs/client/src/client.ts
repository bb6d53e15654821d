import createFetchClient, {
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { paths } from './api.generated.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';

type HttpMethod = 'get' | 'post' | 'patch' | 'delete';
type PathsWith<Method extends HttpMethod> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

type Init<Path extends keyof paths, Method extends HttpMethod> = MaybeOptionalInit<paths[Path], Method>;

/** Not generic in the request, unlike the client below it, so that the compiler rejects unknown fields. */
type Send<Method extends HttpMethod> = <Path extends PathsWith<Method>>(
  url: Path,
  ...init: undefined extends Init<Path, Method> ? [init?: Init<Path, Method>] : [init: Init<Path, Method>]
) => Promise<FetchResponse<paths[Path][Method] & object, object, `${string}/${string}`>>;

export interface Client extends Pick<FetchClient<paths>, 'use' | 'eject'> {
  GET: Send<'get'>;
  POST: Send<'post'>;
  PATCH: Send<'patch'>;
  DELETE: Send<'delete'>;
}

export interface ClientOptions extends Partial<RetryOptions> {
  /** The platform's URL, without a path. */
  baseUrl: string;
  /** Not needed for public endpoints. */
  apiKey?: string;
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * A typed client of the platform: `client.POST('/v1/orders', { body })` returns `{ data, error, response }` and throws
 * only when no response arrived. It retries requests that were refused temporarily, and waits as long as `Retry-After`
 * says. Every POST has an Idempotency-Key, so that a retry takes effect only once.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, retries = 4, delayMs = 200, delayMaxMs = 30_000 } = options;
  return createFetchClient<paths>({
    baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch(options.fetch ?? ((request) => fetch(request)), { retries, delayMs, delayMaxMs }),
  }) as Client;
}
