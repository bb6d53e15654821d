import { Readable } from 'node:stream';
import {
  type BusConnection,
  isInPieces,
  KEPT_OPTION,
  NONE_KEPT,
  type RawReply,
  readPieces,
  type RequestContext,
  requestTogether,
} from '@event-commerce/bus';
import { AUDIENCE, type Identity, OPERATIONS, RPC } from '@event-commerce/contracts';
import { type SignIdentity, validateRequest } from '@event-commerce/service-kit';
import { traceparentOf } from '@event-commerce/telemetry';
import type { FastifyInstance } from 'fastify';
import { identityFor } from '../auth/identity-of.ts';
import { companyKey, tenantKey } from '../auth/tenant-key.ts';
import { canBeWrapped, envelopeOf, openingOf, wrap } from '../envelope.ts';
import type { MemoryBudget } from '../limit/memory-budget.ts';
import { createKeptLists } from './kept-lists.ts';
import { sharedError } from './shared-error.ts';
import { sharedReads } from './shared-reads.ts';
import { identityRefused, invalidResponse } from './upstream-errors.ts';

const EMPTY = Buffer.alloc(0);
/** A longer response is sent part by part. */
const WHOLE_BYTES_MAX = 64 * 1024;
/** Requests up to this size share an evaluation: what all visitors of an event's page send is smaller. */
const SHARED_BYTES_MAX = 16 * 1024;

type Evaluated = Omit<RawReply, 'body'> & { parts: readonly Uint8Array[] };

/**
 * An evaluation is one request to pricing on the bus: the caller's bytes go in, the reply's bytes come back. The
 * repeated part of long replies is cached and sent from here. Concurrent identical requests with the same key share one
 * evaluation.
 */
export async function evaluateRoute(
  app: FastifyInstance,
  deps: { bus: BusConnection; signIdentity: SignIdentity; memoryBudget: MemoryBudget; keptListsBytesMax: number },
): Promise<void> {
  const { bus, signIdentity, memoryBudget } = deps;
  const lists = createKeptLists(deps.keptListsBytesMax);
  const shared = sharedReads();

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const operation = OPERATIONS.evaluateAdjustments;
  const { method, url, scope, service } = operation;
  const envelope = envelopeOf(operation);

  async function evaluate(identity: Identity, body: Uint8Array, context: RequestContext): Promise<Evaluated> {
    const tenant = tenantKey(identity);
    // The content of a list depends on the scopes.
    const about = `${tenant} ${identity.scopes.join()}`;
    const kept = lists.find(about);
    const options = { ...context.options, [KEPT_OPTION]: kept?.digest ?? NONE_KEPT };
    // By company, so that none waits for the evaluations of another.
    const raw = await requestTogether(bus, RPC.evaluate, body, { ...context, options }, tenant);
    const { body: answer, ...reply } = raw;
    if (reply.status === 401) throw identityRefused(service);
    if (!isInPieces(answer)) return { ...reply, parts: [answer] };
    try {
      const { list, parts } = readPieces(answer, kept);
      lists.keep(about, list);
      return { ...reply, parts };
    } catch (cause) {
      throw invalidResponse(service, cause);
    }
  }

  app.route({
    method,
    url,
    config: { scope, envelope, service },
    handler: async (request, reply) => {
      const identity = identityFor(request, operation);
      const company = companyKey(identity);
      memoryBudget.refuseWhenFull(company);
      const body = (request.body as Buffer | undefined) ?? EMPTY;
      const identityToken = signIdentity(identity, AUDIENCE[service]);
      const { dropped } = validateRequest(operation.query, request.query, 'query');
      const context = {
        identityToken,
        requestId: request.id,
        traceparent: traceparentOf(request.raw),
        options: { dropped },
      };
      const ask = async () => evaluate(identity, body, context);
      const { status, retryAfterSeconds, ...evaluated } =
        body.length > SHARED_BYTES_MAX
          ? await ask()
          : await shared(`${identityToken} ${dropped} ${body.toString('latin1')}`, ask);
      const parts = status < 400 ? evaluated.parts : evaluated.parts.map((part) => sharedError(part, request.id));
      const [first = EMPTY, ...rest] = parts;
      if (!canBeWrapped(first)) throw invalidResponse(service);
      const bytes = parts.reduce((sum, part) => sum + part.length, 0);
      memoryBudget.holdResponse(company, bytes, body.length, reply.raw);
      reply.code(status).type('application/json; charset=utf-8');
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
      if (bytes <= WHOLE_BYTES_MAX) {
        return wrap(rest.length === 0 ? first : Buffer.concat(parts, bytes), envelope, status);
      }
      const opening = openingOf(envelope, status);
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
