import type { ZodOpenApiHeaderObject } from 'zod-openapi';

type HeaderName =
  | 'RequestId'
  | 'RateLimit'
  | 'RateLimitPolicy'
  | 'RetryAfter'
  | 'ETag'
  | 'WwwAuthenticate'
  | 'IdempotentReplayed';

/** The headers of responses, each declared once. */
export const HEADERS: Record<HeaderName, ZodOpenApiHeaderObject> = {
  RequestId: { description: 'Identifies the request in the log.', required: true, schema: { type: 'string' } },
  RateLimit: { description: 'What is left: `"default";r=<requests>;t=<seconds>`.', schema: { type: 'string' } },
  RateLimitPolicy: { description: 'The limit: `"default";q=<requests>;w=<seconds>`.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    description:
      'Identifies this version of the response, for `If-Match` and `If-None-Match`. A list of more than 64 KiB has none; a record of more than 64 KiB has one for `If-Match` only.',
    schema: { type: 'string' },
  },
  WwwAuthenticate: { description: '`Bearer`', required: true, schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` if this response was sent before for the same Idempotency-Key.',
    schema: { const: 'true' },
  },
};

/** The headers of every response; `limited`: with what is left of the key's rate limit. */
export function headersOf(limited: boolean) {
  return {
    'x-request-id': header('RequestId'),
    ...(limited ? { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') } : {}),
  };
}

export function header(name: HeaderName) {
  return { $ref: `#/components/headers/${name}` };
}
