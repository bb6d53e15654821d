import { Readable } from 'node:stream';
import { type BusConnection, isInPieces, KEPT_OPTION, NONE_KEPT, readPieces, requestRaw } from '@event-commerce/bus';
import { AUDIENCE, OPERATIONS, PlatformError, RPC } from '@event-commerce/contracts';
import type { SignIdentity } from '@event-commerce/service-kit';
import { traceparentOf } from '@event-commerce/telemetry';
import type { FastifyInstance } from 'fastify';
import { canBeWrapped, envelopeOf, openingOf, wrap } from '../envelope.ts';
import type { HeldBytes } from '../limit/held-bytes.ts';
import { identityOf } from './identity-of.ts';
import { createKeptLists } from './kept-lists.ts';

const EMPTY = Buffer.alloc(0);
/** A longer response is sent part by part. */
const WHOLE_BYTES_MAX = 64 * 1024;

/**
 * An evaluation is one request to pricing on the bus: the caller's bytes go in, the reply's bytes come back. What a
 * long reply repeats is kept here, and sent from here.
 */
export async function evaluateRoute(
  app: FastifyInstance,
  options: { bus: BusConnection; signIdentity: SignIdentity; heldBytes: HeldBytes; keptListsBytesMax: number },
): Promise<void> {
  const { bus, signIdentity, heldBytes } = options;
  const lists = createKeptLists(options.keptListsBytesMax);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const operation = OPERATIONS.evaluateAdjustments;
  const { method, url, scope, service } = operation;
  const envelope = envelopeOf(operation);
  app.route<{ Querystring: { dropped?: string | string[] } }>({
    method,
    url,
    config: { scope, envelope, service },
    handler: async (request, reply) => {
      const body = (request.body as Buffer | undefined) ?? EMPTY;
      const identity = identityOf(request, operation);
      const { companyId } = identity;
      heldBytes.refuseWhenFull(companyId);
      const { dropped } = request.query;
      // What a list shows depends on the scopes.
      const about = `${companyId} ${identity.environment} ${identity.scopes.join()}`;
      const kept = lists.find(about);
      const answer = await requestRaw(bus, RPC.evaluate, body, {
        identityToken: signIdentity(identity, AUDIENCE[service]),
        requestId: request.id,
        traceparent: traceparentOf(request.raw),
        options: {
          ...(dropped === undefined ? {} : { dropped: busHeader(dropped) }),
          [KEPT_OPTION]: kept?.digest ?? NONE_KEPT,
        },
      });
      let parts = [answer.body];
      try {
        if (isInPieces(answer.body)) {
          const read = readPieces(answer.body, kept);
          lists.keep(about, read.list);
          parts = read.parts;
        }
      } catch (cause) {
        throw invalid(service, cause);
      }
      const [first = EMPTY, ...rest] = parts;
      if (!canBeWrapped(first)) throw invalid(service);
      const bytes = parts.reduce((sum, part) => sum + part.length, 0);
      heldBytes.hold(companyId, bytes, reply.raw);
      reply.code(answer.status).type('application/json; charset=utf-8');
      if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
      if (bytes <= WHOLE_BYTES_MAX)
        return wrap(rest.length === 0 ? first : Buffer.concat(parts, bytes), envelope, answer.status);
      const opening = openingOf(envelope, answer.status);
      reply.header('content-length', bytes + opening.length - 1);
      return inOrder([Buffer.from(opening), first.subarray(1), ...rest]);
    },
  });
}

/** The parts one after another, as fast as they are read, without a copy. */
function inOrder(parts: readonly Uint8Array[]): Readable {
  let next = 0;
  return new Readable({
    read() {
      this.push(parts[next++] ?? null);
    },
  });
}

function invalid(service: string, cause?: unknown): PlatformError {
  return new PlatformError('BAD_GATEWAY', `The ${service} service returned an invalid response.`, { cause });
}

/** A query value in a form that a header can carry. The service validates it. */
function busHeader(value: string | string[]): string {
  return encodeURIComponent(String(value)).slice(0, 256);
}
