/** A response as tests see it: `body` is parsed if it is JSON, and text otherwise. */
export interface Reply<T = any> {
  status: number;
  headers: Headers;
  body: T;
}

export interface ApiClient {
  get<T = any>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
  post<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  patch<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>>;
  delete<T = any>(path: string, headers?: Record<string, string>): Promise<Reply<T>>;
}

/**
 * Calls an HTTP API at `baseUrl` like a client with these headers; a function returns those of the next request.
 * Responses of any status are returned, not thrown.
 */
export function apiClient(
  baseUrl: string,
  standing: Record<string, string> | (() => Record<string, string>),
): ApiClient {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(typeof standing === 'function' ? standing() : standing),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/(?:[\w.]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
    const { status, headers: received } = response;
    return { status, headers: received, body: text !== '' && isJson ? JSON.parse(text) : text || undefined };
  };
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
