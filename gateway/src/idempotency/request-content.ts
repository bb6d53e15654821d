import { parseJson } from '@event-commerce/service-kit';
import canonicalize from 'canonicalize';
import type { FastifyRequest } from 'fastify';

const known = new WeakMap<FastifyRequest, Buffer>();

/**
 * The content of a request: its method, its target and its body, the same for every spelling of the same JSON. Many
 * clients write the members of an object in another order when they repeat a request.
 */
export function requestContent(request: FastifyRequest): Buffer {
  let content = known.get(request);
  if (content === undefined) {
    content = Buffer.concat([Buffer.from(`${request.method} ${request.url}\n`), canonicalBody(request.body)]);
    known.set(request, content);
  }
  return content;
}

/** Key administration reads JSON; all other routes pass on the bytes that they received. */
function canonicalBody(body: unknown): Buffer {
  if (!Buffer.isBuffer(body)) return Buffer.from(canonicalize(body) ?? '');
  try {
    return Buffer.from(canonicalize(parseJson(body)) ?? '');
  } catch {
    // Not valid JSON: the service refuses it.
    return body;
  }
}
