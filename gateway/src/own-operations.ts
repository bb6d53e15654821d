import { ALL_OPERATIONS, type InputOf, type ResultOf, type ServedBy } from '@event-commerce/contracts';
import { acceptJsonOnly, refuseUnusedIfMatch, validateRequest } from '@event-commerce/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { envelopeOf } from './envelope.ts';

/**
 * One handler for each operation that the gateway serves itself. It returns what the operation declares, or the reply
 * if it has sent it.
 */
export type Handlers = {
  readonly [Id in ServedBy<'gateway'>]: (
    request: FastifyRequest,
    input: InputOf<Id>,
    reply: FastifyReply,
  ) => Promise<ResultOf<Id> | FastifyReply>;
};

/** The operations that the gateway serves itself. */
export async function ownOperations(app: FastifyInstance, handlers: Handlers): Promise<void> {
  acceptJsonOnly(app);
  // Each handler is called with what its operation declares, which the compiler cannot infer in a loop.
  const byId: Readonly<Record<string, (request: FastifyRequest, input: any, reply: FastifyReply) => Promise<object>>> =
    handlers;
  for (const operation of ALL_OPERATIONS) {
    if (operation.service !== 'gateway') continue;
    const { method, url, service, scope, onRepeat, params, query, body, answer } = operation;
    const handle = byId[operation.id];
    if (handle === undefined) throw new Error(`${operation.id} has no handler`);
    app.route({
      method,
      url,
      config: {
        scope,
        public: scope === undefined,
        envelope: envelopeOf(operation),
        onRepeat,
        ...(scope === undefined ? {} : { service }),
      },
      handler: async (request, reply) => {
        refuseUnusedIfMatch(operation, request);
        // The handler gets a copy of the body, which it may change: an Idempotency-Key covers the body as it was sent.
        const input = {
          params: params && validateRequest(params, request.params, 'path'),
          query: query && validateRequest(query, request.query, 'query'),
          body: body && validateRequest(body, structuredClone(request.body)),
        };
        if (answer.statuses[200] === undefined) reply.code(201);
        const result = await handle(request, input, reply);
        if (result === reply) return reply;
        return answer.form === 'list' ? { status: 'ok', ...result } : { status: 'ok', data: result };
      },
    });
  }
}
