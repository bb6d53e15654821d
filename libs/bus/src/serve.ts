import { errorBody, IDENTITY_HEADER, internalError, PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { traceIdOf } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';
import { endOfTurn } from './end-of-turn.ts';
import { holding, inParts, respondAndWait, respondTo, wholeBody } from './large-bodies.ts';
import { handlingBy, measured } from './measured.ts';
import { isInbox } from './names.ts';
import { CONTINUE, type Endpoint, HEADER } from './request-reply.ts';

/** The size limit of an error; a larger one is sent without its details. */
const REFUSAL_BYTES_MAX = 64 * 1024;
const REFUSAL_MESSAGE_LENGTH_MAX = 200;

/** A request as a responder sees it. */
export interface ServedRequest {
  body: Uint8Array;
  identityToken: string | undefined;
  requestId: string;
  traceparent: string | undefined;
  option: (name: string) => string | undefined;
}

/**
 * Serves `endpoint` as a member of `group`: each request goes to one replica of it. `handle` returns the reply's JSON,
 * of any size; whatever it or the reply throws is sent as an error. At most `inFlightMax` requests run at once; further
 * ones are refused with SERVICE_UNAVAILABLE, not queued. Returns a function that stops accepting requests and waits for
 * those in flight.
 */
export function serve(
  bus: BusConnection,
  endpoint: Endpoint,
  options: { group: string; inFlightMax: number; toPlatformError: (error: unknown) => PlatformError },
  handle: (request: ServedRequest) => Promise<string | Uint8Array> | string | Uint8Array,
): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const handling = handlingBy(options.group, 'requests')(endpoint.subject);

  const note = (requestId: string, parent: string | undefined, status: number, beganMs: number): void => {
    if (!bus.logger.isLevelEnabled('debug')) return;
    const ms = Math.round(performance.now() - beganMs);
    const about = { requestId, traceId: traceIdOf(parent), subject: endpoint.subject, status, ms };
    bus.logger.debug(about, 'answered');
  };

  const answer = async (message: Msg): Promise<void> => {
    const beganMs = performance.now();
    const requestId = message.headers?.get(HEADER.requestId) ?? '';
    const parent = message.headers?.get(HEADER.traceparent) || undefined;
    let asked = message;
    try {
      if (running.size >= options.inFlightMax) {
        throw tryAgainShortly('Too many requests are in progress; try again shortly.');
      }
      const request = await wholeBody('request', message, (last) =>
        respondAndWait(bus, last, undefined, askingForMore()),
      );
      asked = request.last;
      const reply = await measured(handling, parent, (traceparent) =>
        handle({
          body: request.body,
          identityToken: message.headers?.get(IDENTITY_HEADER) || undefined,
          requestId,
          traceparent,
          option: (name) => message.headers?.get(HEADER.optionPrefix + name) || undefined,
        }),
      );
      await respond(bus, asked, typeof reply === 'string' ? Buffer.from(reply) : reply);
      note(requestId, parent, 200, beganMs);
    } catch (thrown) {
      const error = asPlatformError(thrown, options.toPlatformError);
      if (error.statusCode >= 500) {
        const { code } = error;
        const about = { subject: endpoint.subject, requestId, traceId: traceIdOf(parent), code };
        bus.logger.error({ err: error.cause ?? error, ...about }, error.message);
      }
      const head = headers();
      head.set(HEADER.status, String(error.statusCode));
      if (error.retryAfterSeconds !== undefined) head.set(HEADER.retryAfter, String(error.retryAfterSeconds));
      respondTo(asked, refusal(error, requestId || undefined), { headers: head });
      note(requestId, parent, error.statusCode, beganMs);
    }
  };

  const subscription = bus.nats.subscribe(endpoint.subject, {
    queue: options.group,
    callback: (error, message) => {
      // A refusal, which ends the process.
      if (error) return;
      if (!isInbox(message.reply)) {
        bus.logger.warn({ subject: endpoint.subject, reply: message.reply }, 'a request without an inbox was ignored');
        return;
      }
      const answering = answer(message)
        .catch((err: unknown) =>
          bus.logger.warn({ err, subject: endpoint.subject }, 'no reply could be sent to a request'),
        )
        .finally(() => running.delete(answering));
      running.add(answering);
    },
  });
  return async () => {
    if (!bus.nats.isClosed()) await subscription.drain();
    await Promise.all(running);
  };
}

/**
 * Sends `body` as the reply to `asked`.
 *
 * @throws {PlatformError} what can still be sent as an error
 */
async function respond(bus: BusConnection, asked: Msg, body: Uint8Array): Promise<void> {
  const { head, first, rest } = inParts('answer', body);
  const final = rest.pop();
  if (final === undefined) {
    await endOfTurn();
    respondTo(asked, first);
    return;
  }
  await holding(body.length, async () => {
    try {
      let last = await respondAndWait(bus, asked, first, head);
      for (const part of rest) last = await respondAndWait(bus, last, part);
      respondTo(last, final);
    } catch (err) {
      // The caller already has the beginning, and expects a part, not an error.
      bus.logger.warn({ err, subject: asked.subject }, 'the caller stopped fetching a large reply');
    }
  });
}

function askingForMore(): MsgHdrs {
  const head = headers();
  head.set(HEADER.status, CONTINUE);
  return head;
}

function asPlatformError(thrown: unknown, toPlatformError: (error: unknown) => PlatformError): PlatformError {
  try {
    return toPlatformError(thrown);
  } catch (cause) {
    return internalError(cause);
  }
}

/** `error` as the caller sees it; small, whatever its cause. */
function refusal(error: PlatformError, requestId: string | undefined): string {
  try {
    const whole = JSON.stringify(errorBody(error, requestId));
    if (Buffer.byteLength(whole) <= REFUSAL_BYTES_MAX) return whole;
  } catch {
    // Details that cannot be written as JSON.
  }
  const message = error.message.slice(0, REFUSAL_MESSAGE_LENGTH_MAX).toWellFormed();
  return JSON.stringify(errorBody(new PlatformError(error.code, message), requestId));
}
