import type { ServiceName } from '@event-commerce/contracts';
import type { FastifyInstance, FastifyReply, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { identityOf, sharerOf } from '../auth/identity-of.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { HeldPlaces, Places } from './places.ts';
import { createResponseSizes } from './response-sizes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The responding service, unless the gateway itself responds. */
    service?: ServiceName;
  }

  interface FastifyRequest {
    /** The places that the request holds at the responding service. */
    places: RequestPlaces | null;
  }
}

interface RequestPlaces extends Pick<HeldPlaces, 'whenEnded'> {
  /** To be called when the service has responded, with the size of its response, or failed. Only the first call counts. */
  answered: (bytes?: number) => void;
}

/**
 * A request takes a place for each started 64 KiB of its body, or of its response, whichever is larger: to read, check
 * and write so much keeps a process busy for a millisecond or more, and other companies wait for that.
 */
const PLACE_BYTES = 64 * 1024;

/**
 * Bounds what one company may use of this process, with its live keys and with its test keys: memory before a body is
 * read, places before it is forwarded.
 */
export function shareAmongCompanies(
  app: FastifyInstance,
  { places, heldBytes }: { places: Readonly<Record<ServiceName, Places>>; heldBytes: HeldBytes },
): void {
  // Each company's use of each operation is a kind.
  const sizes = createResponseSizes();

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
    const isRead = route.method === 'GET' || (route.method === 'POST' && route.config?.onRepeat === undefined);
    // The last hook of all: a response without the service takes no place there.
    const takePlaces: preHandlerHookHandler = (request, reply, done) => {
      const sharer = sharerOf(identityOf(request));
      const bodyBytes = Buffer.isBuffer(request.body) ? request.body.length : 0;
      const kind = `${sharer} ${route.method.toString()} ${route.url}`;
      const wanted = () => {
        const expected = sizes.expected(kind);
        // What a write returns is about as large as what it was sent.
        if (expected === undefined && isRead && bodyBytes <= PLACE_BYTES) return undefined;
        return placesFor(Math.max(bodyBytes, expected ?? 0));
      };
      const isLarge = (wanted() ?? 1) > 1;
      places[service].take(sharer, { isLarge, wanted }, reply.raw, (held, error) => {
        let isAnswered = false;
        // First: what follows may fail at once, and then gives them back.
        request.places = held && {
          whenEnded: held.whenEnded,
          answered: (bytes) => {
            if (isAnswered) return;
            isAnswered = true;
            if (bytes !== undefined) sizes.note(kind, bytes);
            held.answered(bytes === undefined ? undefined : placesFor(Math.max(bodyBytes, bytes)));
          },
        };
        done(error);
      });
    };
    const noteAnswered: onSendHookHandler = (request, reply, payload, done) => {
      // An error of the gateway says nothing about the size of responses.
      request.places?.answered(reply.statusCode < 400 ? bytesOf(reply, payload) : undefined);
      done(null, payload);
    };
    route.preHandler = [route.preHandler ?? [], takePlaces].flat();
    route.onSend = [route.onSend ?? [], noteAnswered].flat();
  });
}

function placesFor(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PLACE_BYTES));
}

/** The length of a response's body; 0 if it is not known in advance, as of an export. */
function bytesOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
