import { Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import {
  AUDIENCE,
  FORWARDED_OPERATIONS,
  type ForwardedOperation,
  type ServiceName,
  tryAgainShortly,
} from '@event-commerce/contracts';
import type { SignIdentity } from '@event-commerce/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identityFor } from '../auth/identity-of.ts';
import { canBeWrapped, type EnvelopeKind, envelopeOf, openingOf, wrap } from '../envelope.ts';
import { fromServiceHeaders, type Headers, toServiceHeaders } from './service-headers.ts';
import { shareGets } from './share-gets.ts';
import { identityRefused, invalidResponse } from './upstream-errors.ts';
import { AnswerCutError, type Upstream, type UpstreamBody } from './upstream.ts';

type ProxyOptions = httpProxy.FastifyHttpProxyOptions;

/** The routes that are forwarded to a service over HTTP. */
export async function proxyRoutes(
  app: FastifyInstance,
  options: {
    upstreams: Readonly<Record<ServiceName, Upstream>>;
    signIdentity: SignIdentity;
    timeoutMs: number;
  },
): Promise<void> {
  // Bodies pass unchanged. They are read completely, so that their size is bounded and a slow client holds no
  // connection to a service.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  for (const operation of FORWARDED_OPERATIONS) {
    if (operation.rpc === undefined) await app.register(httpProxy, proxyOptions(operation, options));
  }
}

function proxyOptions(operation: ForwardedOperation, options: Parameters<typeof proxyRoutes>[1]): ProxyOptions {
  const { url, method, scope, orScope, onRepeat, service } = operation;
  const envelope = envelopeOf(operation);
  const streams = Object.keys(operation.answer.streams ?? {});
  const audience = AUDIENCE[service];
  const upstream = options.upstreams[service];
  return {
    upstream: upstream.url,
    routes: [url],
    httpMethods: [method],
    config: { scope, orScope, envelope, service, onRepeat },
    proxyPayloads: false,
    internalRewriteLocationHeader: false,
    disableCache: true,
    disableRequestLogging: true,
    handler: (request, reply, path, replyOptions) => {
      // The framework drops the body of a HEAD once its length is known.
      if (request.method === 'HEAD') return reply.from(path, { ...replyOptions, method: 'GET' });
      const body = request.body as Buffer | undefined;
      if (body === undefined) return reply.from(path, replyOptions);
      // Set explicitly, or the proxy would encode the bytes as JSON once more.
      const contentType = request.headers['content-type'] ?? 'application/octet-stream';
      return reply.from(path, { ...replyOptions, body, contentType });
    },
    ...toProxy({
      undici: shareGets(upstream),
      replyOptions: {
        timeout: options.timeoutMs,
        // By default a GET is retried ten times on 503; what may be retried is the upstream's decision.
        retryDelay: () => null,
        rewriteRequestHeaders: (request) =>
          toServiceHeaders(
            request.raw,
            request.id,
            options.signIdentity(identityFor(request, operation), audience),
            request.heldKey?.attempt,
          ),
        rewriteHeaders: (headers, request) => {
          // Here: if the client has disconnected, the proxy may call nothing after this.
          request.slot?.markAnswered();
          return fromServiceHeaders(headers);
        },
        onResponse: (request, reply, answer) =>
          isStream(answer, streams)
            ? sendStream(request, reply, answer)
            : sendAnswer(reply, { envelope, service }, answer),
        onError: (reply, { error }) => sendFailure(reply, error),
      },
    }),
  };
}

/**
 * What the proxy uses and calls: it passes on what our upstream returns, where its types only know undici's responses.
 */
interface Forwarding {
  undici: Pick<Upstream, 'request'>;
  replyOptions: {
    timeout: number;
    retryDelay: () => null;
    rewriteRequestHeaders: (request: FastifyRequest) => ReturnType<typeof toServiceHeaders>;
    rewriteHeaders: (headers: Parameters<typeof fromServiceHeaders>[0], request: FastifyRequest) => Headers;
    onResponse: (request: FastifyRequest, reply: FastifyReply, answer: Answer) => void;
    onError: (reply: FastifyReply, failure: { error: Error }) => void;
  };
}

function toProxy(forwarding: Forwarding): Pick<ProxyOptions, 'undici' | 'replyOptions'> {
  return forwarding as unknown as Pick<ProxyOptions, 'undici' | 'replyOptions'>;
}

/** What the proxy passes on of a response: `stream` is the body from the upstream. */
interface Answer {
  statusCode: number;
  headers: Headers;
  stream: UpstreamBody;
}

/**
 * Whether the response is one of the operation's `streams`, by media type: it is passed on as it comes, without an
 * envelope.
 */
function isStream({ statusCode, headers }: Answer, streams: readonly string[]): boolean {
  if (statusCode !== 200 || streams.length === 0) return false;
  const type = String(headers['content-type']);
  return streams.some((mediaType) => type.startsWith(mediaType));
}

function sendStream(request: FastifyRequest, reply: FastifyReply, { stream }: Answer): void {
  const { head, rest } = stream;
  if (request.method === 'HEAD') {
    stream.destroy();
    // A stream, because the length is not known: of no body Fastify would say that it is 0.
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
  { statusCode, headers, stream: body }: Answer,
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

function sendFailure(reply: FastifyReply, error: Error): void {
  // The proxy wraps the upstream's error in one of its own, which names addresses.
  const cause = error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AnswerCutError) {
    reply.request.slot?.markAnswered();
    reply.hijack();
    reply.raw.destroy(cause);
    return;
  }
  reply.send(cause);
}
