import type { ServiceName } from '@event-commerce/contracts';
import type { FastifyInstance, FastifyReply, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { identityOf, sharerOf } from '../auth/identity-of.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { HeldPlaces, Places } from './places.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The responding service, unless the gateway itself responds. */
    service?: ServiceName;
  }

  interface FastifyRequest {
    /** The places that the request holds at the responding service. */
    places: HeldPlaces | null;
  }
}

/**
 * A request takes a place for each started 64 KiB of its body, or of its response, whichever is larger: to read, check
 * and write so much keeps a process busy for a millisecond or more, and other companies wait for that.
 */
const PLACE_BYTES = 64 * 1024;
/**
 * For how many kinds of requests the size of the response is remembered: each company's use of each operation is one.
 */
const KINDS_MAX = 20_000;

/**
 * Bounds what one company may use of this process, with its live keys and with its test keys: memory before a body is
 * read, places before it is forwarded.
 */
export function shareAmongCompanies(
  app: FastifyInstance,
  { places, heldBytes }: { places: Readonly<Record<ServiceName, Places>>; heldBytes: HeldBytes },
): void {
  // A response's size is known too late; the next one of its kind may be as large.
  const responseBytes = new LRUCache<string, number>({ max: KINDS_MAX });

  app.decorateRequest('places', null);
  app.addHook('preParsing', (request, reply, payload, done) => {
    // What needs no key has no body.
    if (request.caller === null) {
      done(null, payload);
      return;
    }
    try {
      done(null, heldBytes.holdBody(sharerOf(request.caller.identity), request, payload, reply.raw));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onRoute', (route) => {
    const service = route.config?.service;
    if (service === undefined) return;
    const kindOf = (sharer: string) => `${sharer} ${route.method.toString()} ${route.url}`;
    // The last hook of all: a response without the service takes no place there.
    const takePlaces: preHandlerHookHandler = (request, reply, done) => {
      const sharer = sharerOf(identityOf(request));
      const bodyBytes = Buffer.isBuffer(request.body) ? request.body.length : 0;
      const kind = kindOf(sharer);
      const wanted = () => {
        const known = responseBytes.get(kind);
        const bytes = Math.max(bodyBytes, known ?? 0);
        return known === undefined && bytes <= PLACE_BYTES ? undefined : Math.max(1, Math.ceil(bytes / PLACE_BYTES));
      };
      const isLarge = (wanted() ?? 1) > 1;
      places[service].take(sharer, { isLarge, wanted }, reply.raw, (held, error) => {
        // First: what follows may fail at once, and then gives them back.
        request.places = held;
        done(error);
      });
    };
    const noteResponse: onSendHookHandler = (request, reply, payload, done) => {
      request.places?.answered();
      const identity = request.caller?.identity;
      if (identity !== undefined) {
        const kind = kindOf(sharerOf(identity));
        const known = responseBytes.get(kind) ?? 0;
        // Small responses in between make a large one less likely, not impossible; errors say nothing about it.
        const expected = reply.statusCode < 400 ? known / 2 : known;
        responseBytes.set(kind, Math.max(bytesOf(reply, payload), expected));
      }
      done(null, payload);
    };
    route.preHandler = [route.preHandler ?? [], takePlaces].flat();
    route.onSend = [route.onSend ?? [], noteResponse].flat();
  });
}

/** The length of a response's body; 0 if it is not known in advance, as of an export. */
function bytesOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
