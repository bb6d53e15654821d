import {
  ALL_OPERATIONS,
  type InputOf,
  type OperationId,
  type ResultOf,
  type ServedBy,
} from '@event-commerce/contracts';
import { acceptJsonOnly, validateRequest } from '@event-commerce/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { envelopeOf } from './envelope.ts';

/** A request to an operation that the gateway serves itself, with what the operation's schemas made of its parts. */
export type Asked<Id extends OperationId> = FastifyRequest & InputOf<Id>;

/** One handler for each operation of the gateway. It returns what the operation declares, or the reply if it has sent that itself. */
export type Handlers = {
  readonly [Id in ServedBy<'gateway'>]: (asked: Asked<Id>, reply: FastifyReply) => Promise<ResultOf<Id> | FastifyReply>;
};

/** The operations that the gateway serves itself. */
export async function ownOperations(app: FastifyInstance, handlers: Handlers): Promise<void> {
  acceptJsonOnly(app);
  // Each is called with what its own operation declares, which a loop cannot tell the compiler.
  const byId: Readonly<Record<string, (asked: any, reply: FastifyReply) => Promise<object>>> = handlers;
  for (const operation of ALL_OPERATIONS) {
    if (operation.service !== 'gateway') continue;
    const { method, url, scope, onRepeat, params, query, body, answer } = operation;
    const handle = byId[operation.id];
    if (handle === undefined) throw new Error(`${operation.id} has no handler`);
    app.route({
      method,
      url,
      config: { scope, public: scope === undefined, envelope: envelopeOf(operation), onRepeat },
      handler: async (request, reply) => {
        if (params !== undefined) request.params = validateRequest(params, request.params, 'path');
        if (query !== undefined) request.query = validateRequest(query, request.query, 'query');
        if (body !== undefined) request.body = validateRequest(body, request.body);
        if (answer.statuses[200] === undefined) reply.code(201);
        const result = await handle(request, reply);
        if (result === reply) return reply;
        return answer.form === 'list' ? { status: 'ok', ...result } : { status: 'ok', data: result };
      },
    });
  }
}
