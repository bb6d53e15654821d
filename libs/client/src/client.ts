import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { paths } from './api.generated.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';

export type Client = FetchClient<paths>;

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
  });
}
