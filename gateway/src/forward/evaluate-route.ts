import { type BusConnection, requestRaw } from '@event-commerce/bus';
import { AUDIENCE, PlatformError, ROUTES, RPC } from '@event-commerce/contracts';
import type { SignIdentity } from '@event-commerce/service-kit';
import { traceparentOf } from '@event-commerce/telemetry';
import type { FastifyInstance } from 'fastify';
import { canBeWrapped, wrap } from '../envelope.ts';
import { identityOf } from './identity-of.ts';

const EMPTY = Buffer.alloc(0);

/** Evaluation goes to the pricing service as one request on the bus: the caller's bytes there, the reply's bytes back. */
export async function evaluateRoute(
  app: FastifyInstance,
  options: { bus: BusConnection; signIdentity: SignIdentity; inFlightMax: number },
): Promise<void> {
  const { bus, signIdentity } = options;
  let inFlight = 0;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  for (const route of ROUTES) {
    if (route.how !== 'evaluate') continue;
    const audience = AUDIENCE[route.service];
    app.route<{ Querystring: { dropped?: string | string[] } }>({
      method: route.method,
      url: route.path,
      config: { scope: route.scope, envelope: route.envelope },
      handler: async (request, reply) => {
        const body = (request.body as Buffer | undefined) ?? EMPTY;
        if (inFlight >= options.inFlightMax) {
          throw new PlatformError('SERVICE_UNAVAILABLE', `The ${route.service} service is busy; try again shortly.`, {
            retryAfterSeconds: 1,
          });
        }
        const { dropped } = request.query;
        inFlight++;
        try {
          const answer = await requestRaw(bus, RPC.evaluate, body, {
            identityToken: signIdentity(identityOf(request, route), audience),
            requestId: request.id,
            traceparent: traceparentOf(request.raw),
            ...(dropped === undefined ? {} : { options: { dropped: busHeader(dropped) } }),
          });
          if (!canBeWrapped(answer.body)) {
            throw new PlatformError('BAD_GATEWAY', `The ${route.service} service gave an answer that is none.`);
          }
          reply.code(answer.status).type('application/json; charset=utf-8');
          if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
          return wrap(answer.body, route.envelope, answer.status);
        } finally {
          inFlight--;
        }
      },
    });
  }
}

/** A query value in a form that a header can carry. What the service does not know it refuses by itself. */
function busHeader(value: string | string[]): string {
  return encodeURIComponent(String(value)).slice(0, 256);
}
