import { Readable } from 'node:stream';
import {
  ALL_OPERATIONS,
  type InputOf,
  type Operation,
  type OperationId,
  type ResultOf,
  type ServedBy,
  type ServiceName,
  type Streamed,
} from '@event-commerce/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, callerOf, type ServiceApp } from './http-app.ts';

/** A handler's input: the request, with its parts as the operation's schemas parsed them. */
export type Asked<Id extends OperationId> = InputOf<Id> &
  Pick<FastifyRequest, 'headers' | 'identity'> & { readonly caller: Caller };

/**
 * One handler for each operation of a service: none can be missing. It returns what the operation declares, without
 * envelope.
 */
export type Handlers<Service extends ServiceName> = {
  readonly [Id in ServedBy<Service>]: (asked: Asked<Id>) => Promise<ResultOf<Id>>;
};

/** Serves the operations of `service`: path, scope, validation, status and `ETag` are those of their declarations. */
export function serveOperations<Service extends ServiceName>(
  app: ServiceApp,
  service: Service,
  handlers: Handlers<Service>,
): void {
  // Created only for handlers that read it.
  app.decorateRequest<Caller>('caller', {
    getter() {
      return callerOf(this);
    },
  });
  // Each is called with what its own operation declares, which the compiler cannot infer in a loop.
  const byId: Readonly<Record<string, (asked: any) => Promise<unknown>>> = handlers;
  for (const operation of ALL_OPERATIONS) {
    if (operation.service !== service || operation.rpc !== undefined) continue;
    const { method, url, scope, orScope, params, query, body } = operation;
    const handle = byId[operation.id];
    if (handle === undefined) throw new Error(`${operation.id} has no handler`);
    app.route({
      method,
      url,
      config: { scope, orScope },
      schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) },
      handler: async (request, reply) => answer(reply, operation, await handle(request)),
    });
  }
}

function stream(reply: FastifyReply, { type, body }: Streamed): Readable {
  reply.type(type);
  return Readable.from(body, { objectMode: false });
}

function answer(reply: FastifyReply, { answer: { statuses, form }, versioned }: Operation, result: unknown): unknown {
  if (form === 'list') return 'body' in (result as object) ? stream(reply, result as Streamed) : result;
  if (versioned !== undefined) reply.header('etag', `"${(result as { version: number }).version}"`);
  if (statuses[200] === undefined) reply.code(201);
  else if (statuses[201] !== undefined) {
    const { status, data } = result as { status: number; data: object };
    reply.code(status);
    return { data };
  }
  return { data: result };
}
