import type { ServiceName } from '@event-commerce/contracts';
import type { FastifyInstance, FastifyReply, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { companyOf } from '../forward/identity-of.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { Places } from './places.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The responding service, unless the gateway itself responds. */
    service?: ServiceName;
  }
}

/**
 * A request takes a place for each started 64 KiB of its body, or of its response, whichever is larger: to read, check
 * and write so much keeps a process busy for a millisecond or more, and other companies wait for that.
 */
const PLACE_BYTES = 64 * 1024;
/** How many large responses are remembered: the last of each company and operation. */
const LARGE_RESPONSES_MAX = 10_000;

/** Bounds what one company may use of this process: memory before a body is read, places before it is forwarded. */
export function shareAmongCompanies(
  app: FastifyInstance,
  { places, heldBytes }: { places: Readonly<Record<ServiceName, Places>>; heldBytes: HeldBytes },
): void {
  // A response's size is known too late; the next one of its kind is likely to be as large.
  const largeResponses = new LRUCache<string, number>({ max: LARGE_RESPONSES_MAX });

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.routeOptions.config.service === undefined) {
      done(null, payload);
      return;
    }
    try {
      done(null, heldBytes.holdBody(companyOf(request).companyId, request, payload, reply.raw));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onRoute', (route) => {
    const service = route.config?.service;
    if (service === undefined) return;
    const kindOf = (companyId: string) => `${companyId} ${route.method.toString()} ${route.url}`;
    // The last hook of all: a response without the service takes no place there.
    const takePlaces: preHandlerHookHandler = (request, reply, done) => {
      const { companyId } = companyOf(request);
      const bodyBytes = Buffer.isBuffer(request.body) ? request.body.length : 0;
      const responseBytes = largeResponses.size === 0 ? 0 : (largeResponses.get(kindOf(companyId)) ?? 0);
      const bytes = Math.max(bodyBytes, responseBytes);
      const needed = Math.max(1, Math.ceil(bytes / PLACE_BYTES));
      places[service].take(companyId, needed, reply.raw, done);
    };
    const noteSize: onSendHookHandler = (request, reply, payload, done) => {
      const companyId = request.caller?.identity?.companyId;
      // An error says nothing about the next response.
      if (companyId !== undefined && reply.statusCode < 400) {
        const bytes = bytesOf(reply, payload);
        if (bytes > PLACE_BYTES) largeResponses.set(kindOf(companyId), bytes);
        else if (largeResponses.size > 0) largeResponses.delete(kindOf(companyId));
      }
      done(null, payload);
    };
    route.preHandler = [route.preHandler ?? [], takePlaces].flat();
    route.onSend = [route.onSend ?? [], noteSize].flat();
  });
}

/** The length of a response's body; 0 if it is not known in advance, as of an export. */
function bytesOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
