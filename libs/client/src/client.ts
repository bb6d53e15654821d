import createFetchClient, {
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { paths } from './api.generated.ts';
import { errorAnswer, type UnknownError, unknownError } from './api-error.ts';
import type { Operations } from './operations.generated.ts';
import { operationsOf } from './operations.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';

type HttpMethod = 'get' | 'post' | 'patch' | 'delete';
type PathsWith<Method extends HttpMethod> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

type Init<Path extends keyof paths, Method extends HttpMethod> = MaybeOptionalInit<paths[Path], Method>;

/** The parts of a request that decide the type of its response. */
interface Asked<Format, Tag, As> {
  /** What `data` is instead of parsed JSON. As a stream, an export is never in memory as a whole. */
  parseAs?: As;
  params?: { query?: { format?: Format }; header?: { 'If-None-Match'?: Tag } };
}
/** The type of a request's parameter; undefined if it has no such parameter. */
type Parameter<
  Path extends keyof paths,
  Method extends HttpMethod,
  In extends 'query' | 'header',
  Name,
> = paths[Path][Method] extends { parameters: { [Place in In]?: infer Members } }
  ? Name extends keyof NonNullable<Members>
    ? NonNullable<Members>[Name]
    : undefined
  : undefined;

/** What `data` is without JSON. */
interface Unparsed {
  text: string;
  stream: ReadableStream<Uint8Array> | null;
}

/** The response of an operation, or an error of something in front of the platform. */
type Received<Reply, Format, Tag, As> =
  | (Reply extends { error: object }
      ? Omit<Reply, 'error'> & { error: Reply['error'] | UnknownError }
      : As extends keyof Unparsed
        ? Omit<Reply, 'data'> & { data: Unparsed[As] }
        : Format extends string
          ? Omit<Reply, 'data'> & { data: string }
          : Reply)
  | (Tag extends string ? NotModified : never);

/** A 304: nothing has changed since the response whose `ETag` was sent as `If-None-Match`. */
interface NotModified {
  data?: never;
  error?: never;
  response: Response;
}

/** Not generic in the rest of the request, unlike the client below it, so that the compiler rejects unknown fields. */
type Send<Method extends HttpMethod> = <
  Path extends PathsWith<Method>,
  Format extends Parameter<Path, Method, 'query', 'format'> | undefined = undefined,
  Tag extends Parameter<Path, Method, 'header', 'If-None-Match'> | undefined = undefined,
  As extends keyof Unparsed | undefined = undefined,
>(
  url: Path,
  ...init: undefined extends Init<Path, Method>
    ? [init?: Init<Path, Method> & Asked<Format, Tag, As>]
    : [init: Init<Path, Method> & Asked<Format, Tag, As>]
) => Promise<Received<FetchResponse<paths[Path][Method] & object, object, `${string}/json`>, Format, Tag, As>>;

/** A method for each operation, and methods that send any request by its path and return its whole response. */
export interface Client extends Operations, Pick<FetchClient<paths>, 'use' | 'eject'> {
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
 * A typed client of the platform. `client.orders.get(id)` resolves with the `data` of the response, and rejects with an
 * `ApiError` for any other; each operation is a method of its group. `client.GET('/v1/orders/{id}', { params })` sends
 * the same request and returns `{ data, error, response }`; it throws only when no response arrived. With `format` in
 * the query, `data` is text, or a stream with `parseAs: 'stream'`; a 304 has neither `data` nor `error`. The client
 * retries requests where that is safe, and waits as long as `Retry-After` says. Every POST has an Idempotency-Key, so
 * that a retry takes effect only once.
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, retries = 4, delayMs = 200, delayMaxMs = 30_000 } = options;
  const client = createFetchClient<paths>({
    baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch(options.fetch ?? ((request) => fetch(request)), { retries, delayMs, delayMaxMs }),
  });
  const { GET, POST, PATCH, DELETE } = client;
  const sends = { GET: readable(GET), POST: readable(POST), PATCH: readable(PATCH), DELETE: readable(DELETE) };
  return Object.assign(client, sends, operationsOf(sends));
}

type AnySend = (url: never, init: any) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** `send` that also reads what is not JSON: exports, and responses that did not come from the platform. */
function readable(send: AnySend): AnySend {
  return async (url, init?: { params?: { query?: { format?: string } }; parseAs?: keyof Unparsed }) => {
    const isJson = init?.parseAs === undefined && init?.params?.query?.format === undefined;
    const parseAs = init?.parseAs ?? 'text';
    const { data, error, response } = await send(url, { ...init, parseAs });
    if (response.status === 304) return { response };
    if (response.status >= 400) return { error: errorAnswer(response.status, error), response };
    if (isJson) return parsed(data as string | undefined, response);
    // An export without orders has no body.
    return { data: data ?? (parseAs === 'text' ? '' : null), response };
  };
}

function parsed(text: string | undefined, response: Response) {
  try {
    return { data: text ? (JSON.parse(text) as unknown) : undefined, response };
  } catch {
    // Such as the page of a proxy.
    return { error: unknownError(response.status), response };
  }
}
