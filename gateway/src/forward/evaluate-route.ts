import { type BusConnection, requestRaw } from '@event-commerce/bus';
import { AUDIENCE, OPERATIONS, PlatformError, RPC } from '@event-commerce/contracts';
import type { SignIdentity } from '@event-commerce/service-kit';
import { traceparentOf } from '@event-commerce/telemetry';
import type { FastifyInstance } from 'fastify';
import { canBeWrapped, envelopeOf, wrap } from '../envelope.ts';
import type { HeldBytes } from '../limit/held-bytes.ts';
import { identityOf } from './identity-of.ts';

const EMPTY = Buffer.alloc(0);

/** An evaluation is one request to pricing on the bus: the caller's bytes go in, the reply's bytes come back. */
export async function evaluateRoute(
  app: FastifyInstance,
  options: { bus: BusConnection; signIdentity: SignIdentity; heldBytes: HeldBytes },
): Promise<void> {
  const { bus, signIdentity, heldBytes } = options;

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
      const { companyId, ...identity } = identityOf(request, operation);
      heldBytes.refuseWhenFull(companyId);
      const { dropped } = request.query;
      const answer = await requestRaw(bus, RPC.evaluate, body, {
        identityToken: signIdentity({ companyId, ...identity }, AUDIENCE[service]),
        requestId: request.id,
        traceparent: traceparentOf(request.raw),
        ...(dropped === undefined ? {} : { options: { dropped: busHeader(dropped) } }),
      });
      heldBytes.hold(companyId, answer.body.length, reply.raw);
      if (!canBeWrapped(answer.body)) {
        throw new PlatformError('BAD_GATEWAY', `The ${service} service returned an invalid response.`);
      }
      reply.code(answer.status).type('application/json; charset=utf-8');
      if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
      return wrap(answer.body, envelope, answer.status);
    },
  });
}

/** A query value in a form that a header can carry. The service validates it. */
function busHeader(value: string | string[]): string {
  return encodeURIComponent(String(value)).slice(0, 256);
}
