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

/** Not generic in what is sent, as the client below it is: so the compiler refuses a member that does not exist. */
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
  /** Where the platform answers, without a path. */
  baseUrl: string;
  /** Absent, for what needs no key. */
  apiKey?: string;
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * A typed client of the platform: `client.POST('/v1/orders', { body })` answers `{ data, error, response }` and throws only when no
 * answer came. It repeats what was refused for the moment and waits as long as `Retry-After` says; every POST carries an
 * Idempotency-Key, so that a repeat takes effect once.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, retries = 4, delayMs = 200, delayMaxMs = 30_000 } = options;
  return createFetchClient<paths>({
    baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch(options.fetch ?? ((request) => fetch(request)), { retries, delayMs, delayMaxMs }),
  }) as Client;
}
