import { type ErrorBody, errorBody, errorFromBody, IDENTITY_HEADER, PlatformError } from '@event-commerce/contracts';
import { headers, type Msg, NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import { traceIdOf } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';
import { handlingBy, measured, requestOn } from './operations.ts';

/** A request-reply subject and how long its caller waits. */
export interface Endpoint {
  subject: string;
  timeoutMs: number;
}

/** What travels beside the body of a request. */
export interface RequestContext {
  /** Whose request this is part of; absent where no caller waits any more. */
  identityToken?: string | undefined;
  requestId: string;
  traceparent?: string | undefined;
  /** Small options of the endpoint itself, by name. */
  options?: Record<string, string>;
}

export interface RawReply {
  /** The status the same answer has in HTTP. */
  status: number;
  body: Uint8Array;
  retryAfterSeconds?: number;
}

const REQUEST_ID = 'x-request-id';
const TRACEPARENT = 'traceparent';
const OPTION_PREFIX = 'option-';
const STATUS = 'status';
const RETRY_AFTER = 'retry-after';

/**
 * Sends `body` as it is and answers the reply as it is: one attempt.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE at once when nobody serves the endpoint or the broker is away,
 *   UPSTREAM_TIMEOUT when no answer came in time
 */
export async function requestRaw(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array | string,
  context: RequestContext,
): Promise<RawReply> {
  return await measured(requestOn(endpoint.subject), context.traceparent, (traceparent) =>
    exchange(bus, endpoint, body, context, traceparent),
  );
}

async function exchange(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array | string,
  context: RequestContext,
  traceparent: string | undefined,
): Promise<RawReply> {
  if (!bus.isUp()) throw unavailable(endpoint);
  const head = headers();
  if (context.identityToken !== undefined) head.set(IDENTITY_HEADER, context.identityToken);
  head.set(REQUEST_ID, context.requestId);
  if (traceparent !== undefined) head.set(TRACEPARENT, traceparent);
  for (const [option, value] of Object.entries(context.options ?? {})) head.set(OPTION_PREFIX + option, value);
  try {
    const reply = await bus.nats.request(endpoint.subject, body, { timeout: endpoint.timeoutMs, headers: head });
    const status = reply.headers?.get(STATUS);
    if (!status) return { status: 200, body: reply.data };
    const retryAfter = reply.headers?.get(RETRY_AFTER);
    return {
      status: Number(status),
      body: reply.data,
      ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
    };
  } catch (cause) {
    if (isNoResponders(cause)) throw unavailable(endpoint, cause);
    if (cause instanceof TimeoutError) {
      throw new PlatformError('UPSTREAM_TIMEOUT', 'The service did not answer in time; it may be tried again.', {
        cause,
      });
    }
    throw unavailable(endpoint, cause);
  }
}

/**
 * Asks `endpoint` and answers the `data` of its reply.
 *
 * @throws {PlatformError} what the other side refused with, or what `requestRaw` throws
 */
export async function call<Reply>(
  bus: BusConnection,
  endpoint: Endpoint,
  request: unknown,
  context: RequestContext,
): Promise<Reply> {
  const reply = await requestRaw(bus, endpoint, JSON.stringify(request), context);
  const body: unknown = JSON.parse(Buffer.from(reply.body).toString('utf8'));
  if (reply.status >= 400) throw errorFromBody(body as ErrorBody);
  return (body as { data: Reply }).data;
}

/** A request as a responder sees it. */
export interface ServedRequest {
  body: Uint8Array;
  identityToken: string | undefined;
  requestId: string;
  traceparent: string | undefined;
  option(name: string): string | undefined;
}

/**
 * Answers `endpoint` as one of the group `group`: of all replicas one gets each request. `handle` answers the reply's
 * JSON text. At most `inFlightMax` requests run at once; one more is refused with SERVICE_UNAVAILABLE rather than queued.
 * The function that comes back stops taking requests and waits for those under way.
 */
export function serve(
  bus: BusConnection,
  endpoint: Endpoint,
  options: { group: string; inFlightMax: number; toPlatformError: (error: unknown) => PlatformError },
  handle: (request: ServedRequest) => Promise<string> | string,
): () => Promise<void> {
  const underWay = new Set<Promise<void>>();
  const handling = handlingBy(options.group, 'requests')(endpoint.subject);

  const answer = async (message: Msg) => {
    const requestId = message.headers?.get(REQUEST_ID) ?? '';
    const parent = message.headers?.get(TRACEPARENT) || undefined;
    try {
      if (underWay.size >= options.inFlightMax) {
        throw new PlatformError('SERVICE_UNAVAILABLE', 'Too many requests are under way; try again shortly.', {
          retryAfterSeconds: 1,
        });
      }
      const reply = await measured(handling, parent, (traceparent) =>
        handle({
          body: message.data,
          identityToken: message.headers?.get(IDENTITY_HEADER) || undefined,
          requestId,
          traceparent,
          option: (name) => message.headers?.get(OPTION_PREFIX + name) || undefined,
        }),
      );
      message.respond(reply);
    } catch (thrown) {
      const error = options.toPlatformError(thrown);
      if (error.statusCode >= 500) {
        const { subject } = endpoint;
        bus.logger.error({ err: error.cause ?? error, subject, requestId, traceId: traceIdOf(parent) }, error.message);
      }
      const head = headers();
      head.set(STATUS, String(error.statusCode));
      if (error.retryAfterSeconds !== undefined) head.set(RETRY_AFTER, String(error.retryAfterSeconds));
      message.respond(JSON.stringify(errorBody(error, requestId || undefined)), { headers: head });
    }
  };

  const subscription = bus.nats.subscribe(endpoint.subject, {
    queue: options.group,
    callback: (error, message) => {
      if (error) return;
      const running = answer(message).finally(() => underWay.delete(running));
      underWay.add(running);
    },
  });
  return async () => {
    if (!bus.nats.isClosed()) await subscription.drain();
    await Promise.all(underWay);
  };
}

function isNoResponders(error: unknown): boolean {
  return error instanceof NoRespondersError || (error as Error | undefined)?.cause instanceof NoRespondersError;
}

function unavailable(endpoint: Endpoint, cause?: unknown): PlatformError {
  const service = endpoint.subject.split('.')[1] ?? 'needed';
  return new PlatformError('SERVICE_UNAVAILABLE', `The ${service} service is not available; try again shortly.`, {
    retryAfterSeconds: 1,
    cause,
  });
}
