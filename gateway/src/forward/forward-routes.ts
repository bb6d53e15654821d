import { Readable } from 'node:stream';
import { AUDIENCE, FORWARDED_OPERATIONS, type ServiceName, tryAgainShortly } from '@event-commerce/contracts';
import type { SignIdentity } from '@event-commerce/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identityFor } from '../auth/identity-of.ts';
import { canBeWrapped, type EnvelopeKind, envelopeOf, openingOf, wrap } from '../envelope.ts';
import { fromServiceHeaders, toServiceHeaders } from './service-headers.ts';
import { shareGets } from './share-gets.ts';
import { identityRefused, invalidResponse } from './upstream-errors.ts';
import { AnswerCutError, type Upstream, type UpstreamAnswer, type UpstreamBody } from './upstream.ts';

/** The framework throws on a higher status, and nothing would catch that here. */
const STATUS_MAX = 599;

/** The routes that are forwarded to a service over HTTP. */
export async function forwardRoutes(
  app: FastifyInstance,
  options: {
    upstreams: Readonly<Record<ServiceName, Upstream>>;
    signIdentity: SignIdentity;
    timeoutMs: number;
  },
): Promise<void> {
  const { signIdentity, timeoutMs } = options;
  // Bodies pass unchanged. They are read completely, so that their size is bounded and a slow client holds no
  // connection to a service.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  /** Long responses, whose callers wait or read a stream. They end when the gateway closes. */
  const lasting = new Set<FastifyReply>();
  app.addHook('preClose', async () => {
    for (const reply of lasting) {
      if (reply.raw.headersSent) reply.raw.destroy();
      else reply.send(tryAgainShortly('The gateway is restarting; send the request again.'));
    }
  });

  for (const operation of FORWARDED_OPERATIONS) {
    if (operation.rpc !== undefined) continue;
    const { url, method, scope, orScope, onRepeat, service } = operation;
    const envelope = envelopeOf(operation);
    const streams = Object.keys(operation.answer.streams ?? {});
    const lasts = operation.waitsMs !== undefined || operation.answer.form === 'stream';
    const upstream = shareGets(options.upstreams[service]);
    app.route({
      url,
      method,
      config: { scope, orScope, envelope, service, onRepeat },
      handler: (request, reply) => {
        const body = request.body as Buffer | undefined;
        const identity = signIdentity(identityFor(request, operation), AUDIENCE[service]);
        const headers = toServiceHeaders(request.raw, request.id, identity, request.heldKey?.attempt);
        if (lasts) {
          lasting.add(reply);
          reply.raw.once('close', () => lasting.delete(reply));
        }
        if (body !== undefined) headers['content-type'] ??= 'application/octet-stream';
        upstream.request(
          {
            // The framework drops the body of a HEAD once its length is known.
            method: request.method === 'HEAD' ? 'GET' : method,
            path: request.url,
            headers,
            body: body ?? null,
            headersTimeout: timeoutMs + (operation.waitsMs ?? 0),
            bodyTimeout: timeoutMs,
          },
          (error, answer) => {
            request.slot?.markAnswered();
            if (reply.sent) return answer?.body.destroy();
            if (answer === undefined) return sendFailure(reply, error);
            if (answer.statusCode > STATUS_MAX) {
              answer.body.destroy();
              return void reply.send(invalidResponse(service, new Error(`status ${answer.statusCode}`)));
            }
            reply.code(answer.statusCode).headers(fromServiceHeaders(answer.headers));
            if (isStream(answer, streams)) sendStream(request, reply, answer.body);
            else sendAnswer(reply, { envelope, service }, answer);
          },
        );
        return reply;
      },
    });
  }
}

/**
 * Whether the response is one of the operation's `streams`, by media type: it is passed on as it arrives, without an
 * envelope.
 */
function isStream({ statusCode, headers }: UpstreamAnswer, streams: readonly string[]): boolean {
  if (statusCode !== 200 || streams.length === 0) return false;
  const type = String(headers['content-type']);
  return streams.some((mediaType) => type.startsWith(mediaType));
}

function sendStream(request: FastifyRequest, reply: FastifyReply, body: UpstreamBody): void {
  const { head, rest } = body;
  if (request.method === 'HEAD') {
    body.destroy();
    // A stream, because the length is unknown: without a body, Fastify would send a length of 0.
    reply.send(Readable.from([]));
  } else if (rest === undefined) {
    reply.send(head);
  } else {
    rest.unshift(head);
    reply.send(rest);
  }
}

function sendAnswer(
  reply: FastifyReply,
  route: { envelope: EnvelopeKind; service: ServiceName },
  { statusCode, headers, body }: UpstreamAnswer,
): void {
  const { head, rest } = body;
  if (statusCode === 401) {
    body.destroy();
    reply.send(identityRefused(route.service));
    return;
  }
  if (canBeWrapped(head)) {
    if (rest === undefined) {
      reply.send(wrap(head, route.envelope, statusCode));
      return;
    }
    const opening = openingOf(route.envelope, statusCode);
    const length = headers['content-length'];
    if (length !== undefined) reply.header('content-length', Number(length) + opening.length - 1);
    rest.unshift(head.subarray(1));
    rest.unshift(Buffer.from(opening));
    reply.send(rest);
    return;
  }

  body.destroy();
  if (statusCode === 304) {
    reply.send();
  } else if (statusCode < 400 && head.length === 0) {
    reply.code(200).type('application/json; charset=utf-8');
    reply.send(route.envelope === 'order-created' ? '{"ok":true,"data":null}' : '{"status":"ok","data":null}');
  } else {
    const cause = new Error(`status ${statusCode}, content-type ${String(headers['content-type'])}`);
    const error = invalidResponse(route.service, cause);
    reply.send(statusCode === 503 ? tryAgainShortly(error.message, { cause }) : error);
  }
}

function sendFailure(reply: FastifyReply, error: Error | null): void {
  if (!(error instanceof AnswerCutError)) {
    reply.send(error);
    return;
  }
  reply.request.log.warn({ err: error.cause }, error.message);
  reply.hijack();
  reply.raw.destroy(error);
}
