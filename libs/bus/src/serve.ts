import { errorBody, IDENTITY_HEADER, internalError, PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { traceIdOf } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';
import { endOfTurn } from './end-of-turn.ts';
import { holding, inParts, respondAndWait, respondTo, wholeBody } from './large-bodies.ts';
import { handlingBy, measured } from './measured.ts';
import { isInbox } from './names.ts';
import { CONTINUE, type Endpoint, HEADER, type RawReply, type RequestContext } from './request-reply.ts';
import { joinReplies, splitRequests, TOGETHER_OPTION, type TogetherRequest } from './together.ts';

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
  let inFlight = 0;
  const handling = handlingBy(options.group, 'requests')(endpoint.subject);

  const refuseAbove = (count: number): void => {
    if (count >= options.inFlightMax) throw tryAgainShortly('Too many requests are in progress; try again shortly.');
  };

  /** Never throws: an error is a reply too. */
  const replyTo = async ({ body, about }: TogetherRequest): Promise<RawReply> => {
    const beganMs = performance.now();
    const { identityToken, requestId, traceparent: parent, options: given = {} } = about;
    let reply: RawReply;
    try {
      refuseAbove(inFlight);
      inFlight += 1;
      const handled = await measured(handling, parent, (traceparent) =>
        handle({ body, identityToken, requestId, traceparent, option: (name) => given[name] }),
      ).finally(() => (inFlight -= 1));
      reply = { status: 200, body: typeof handled === 'string' ? Buffer.from(handled) : handled };
    } catch (error) {
      reply = refusalOf(error, about);
    }
    if (bus.logger.isLevelEnabled('debug')) {
      const ms = Math.round(performance.now() - beganMs);
      const { status } = reply;
      bus.logger.debug({ requestId, traceId: traceIdOf(parent), subject: endpoint.subject, status, ms }, 'answered');
    }
    return reply;
  };

  const refusalOf = (thrown: unknown, { requestId, traceparent }: RequestContext): RawReply => {
    const error = asPlatformError(thrown, options.toPlatformError);
    const { code, statusCode: status, retryAfterSeconds } = error;
    if (status >= 500) {
      const about = { subject: endpoint.subject, requestId, traceId: traceIdOf(traceparent), code };
      bus.logger.error({ err: error.cause ?? error, ...about }, error.message);
    }
    const body = Buffer.from(refusal(error, requestId || undefined));
    return { status, body, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  };

  const answer = async (message: Msg): Promise<void> => {
    const about = contextOf(message);
    let asked = message;
    try {
      // Counts requests that are still arriving in parts too.
      refuseAbove(running.size);
      const { body, last } = await wholeBody('request', message, (part) =>
        respondAndWait(bus, part, undefined, askingForMore()),
      );
      asked = last;
      if (about.options?.[TOGETHER_OPTION] === undefined) {
        await respond(bus, asked, await replyTo({ body, about }));
        return;
      }
      const replies = await Promise.all(splitRequests(body).map(replyTo));
      await respond(bus, asked, { status: 200, body: joinReplies(replies) });
    } catch (thrown) {
      await respond(bus, asked, refusalOf(thrown, about));
    }
  };

  const subscription = bus.nats.subscribe(endpoint.subject, {
    queue: options.group,
    callback: (error, message) => {
      // The broker refused the subscription, which ends the process.
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

/** What was sent with the body of the request that begins in `message`. */
function contextOf({ headers: head }: Msg): RequestContext {
  const options = (head?.keys() ?? [])
    .filter((name) => name.startsWith(HEADER.optionPrefix))
    .map((name) => [name.slice(HEADER.optionPrefix.length), head?.get(name) ?? ''] as const);
  return {
    identityToken: head?.get(IDENTITY_HEADER) || undefined,
    requestId: head?.get(HEADER.requestId) ?? '',
    traceparent: head?.get(HEADER.traceparent) || undefined,
    options: Object.fromEntries(options),
  };
}

/**
 * Sends `reply` to `asked`.
 *
 * @throws {PlatformError} what can still be sent as an error
 */
async function respond(bus: BusConnection, asked: Msg, { status, body, retryAfterSeconds }: RawReply): Promise<void> {
  if (status !== 200) {
    const about = headers();
    about.set(HEADER.status, String(status));
    if (retryAfterSeconds !== undefined) about.set(HEADER.retryAfter, String(retryAfterSeconds));
    respondTo(asked, body, { headers: about });
    return;
  }
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
