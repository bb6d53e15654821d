import { Readable } from 'node:stream';
import {
  ALL_OPERATIONS,
  type InputOf,
  type Operation,
  type OperationId,
  type OPERATIONS,
  type ResultOf,
  type ServedBy,
  type ServiceName,
  type Streamed,
} from '@event-commerce/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, isKnown } from './entity-tag.ts';
import { type Caller, callerOf, type ServiceApp } from './http-app.ts';
import { parseJson } from './json.ts';
import { type IfMatch, parseIfMatch, refuseUnusedIfMatch } from './if-match.ts';

/** What a change of a versioned record is given besides. */
type Condition<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { versioned: 'changes' }
  ? { readonly ifMatch: IfMatch }
  : unknown;

/** A handler's input: the request, with its parts as the operation's declaration says. */
type Asked<Id extends OperationId> = InputOf<Id> &
  Condition<Id> &
  Pick<FastifyRequest, 'identity' | 'headers'> & {
    readonly caller: Caller;
    /** The body as it was sent, before validation and defaults. */
    readonly sentBody: unknown;
  };

/**
 * One handler for each operation of a service: none can be missing. It returns what the operation declares, without
 * envelope.
 */
export type Handlers<Service extends ServiceName> = {
  readonly [Id in ServedBy<Service>]: (asked: Asked<Id>) => Promise<ResultOf<Id>>;
};

/** Serves the operations of `service`: path, scope, validation, status and `ETag` follow from their declarations. */
export function serveOperations<Service extends ServiceName>(
  app: ServiceApp,
  service: Service,
  handlers: Handlers<Service>,
): void {
  // Created only for handlers that read them.
  app.decorateRequest<Caller>('caller', {
    getter() {
      return callerOf(this);
    },
  });
  app.decorateRequest<IfMatch>('ifMatch', {
    getter() {
      return parseIfMatch(this.headers['if-match']);
    },
  });
  app.decorateRequest<unknown>('sentBody', {
    getter(this: FastifyRequest) {
      return this.sentBytes === undefined ? undefined : parseJson(this.sentBytes);
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
      handler: async (request, reply) => {
        refuseUnusedIfMatch(operation, request);
        return answer(request, reply, operation, await handle(request));
      },
    });
  }
}

function stream(reply: FastifyReply, { type, body }: Streamed): Readable {
  reply.type(type);
  return Readable.from(body, { objectMode: false });
}

function answer(request: FastifyRequest, reply: FastifyReply, operation: Operation, result: unknown): unknown {
  const { statuses, form } = operation.answer;
  if (form !== 'order-created' && 'body' in (result as object)) return stream(reply, result as Streamed);
  const [code = 200, ...others] = Object.keys(statuses).map(Number);
  if (others.length > 0) {
    const { status, data } = result as { status: number; data: object };
    reply.code(status);
    return { data };
  }
  reply.code(code);
  return send(request, reply, encode(operation, result));
}

/** A response as JSON. */
interface Encoded {
  text: string;
  tag: string | undefined;
}

function encode({ method, versioned, changesAlways, answer: { form } }: Operation, result: unknown): Encoded {
  const tagOf = (text: string, version?: number) =>
    method === 'GET' || version !== undefined ? entityTag(text, version) : undefined;
  if (form === 'list' || versioned === undefined) {
    const text = JSON.stringify(form === 'list' ? result : { data: result });
    return { text, tag: tagOf(text) };
  }
  const { [changesAlways ?? '']: apart, ...data } = result as Record<string, unknown>;
  const text = JSON.stringify({ data });
  return {
    // Not encoded a second time: the data ends with two braces. What always changes is not part of what the tag
    // identifies.
    text: apart === undefined ? text : `${text.slice(0, -2)},"${changesAlways}":${JSON.stringify(apart)}}}`,
    tag: tagOf(text, data['version'] as number | undefined),
  };
}

/** Sends a response with its `ETag`; only 304 to a GET whose caller has it. */
function send(request: FastifyRequest, reply: FastifyReply, { text, tag }: Encoded): FastifyReply {
  if (tag !== undefined) {
    reply.header('etag', tag);
    if (request.method === 'GET' && isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  }
  return reply.type('application/json; charset=utf-8').send(text);
}
