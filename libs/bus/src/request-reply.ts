import {
  type ErrorBody,
  errorFromBody,
  hasCode,
  IDENTITY_HEADER,
  PlatformError,
  type RpcEndpoint,
  type RpcReply,
  type RpcRequest,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { headers, type Msg, type MsgHdrs, NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import { endOfTurn } from './end-of-turn.ts';
import { inParts, wholeBody } from './large-bodies.ts';
import { measured, requestOn } from './measured.ts';
import { isInbox } from './names.ts';
import { settledWithin } from './patience.ts';

/** A request-reply subject. */
export interface Endpoint {
  subject: string;
  /** How long its caller waits for the reply, and for each further part of a large one. */
  timeoutMs: number;
}

/** What is sent with the body of a request. */
export interface RequestContext {
  /** Whose request this is part of, signed by the gateway; signed by this process itself if no caller is waiting. */
  identityToken?: string | undefined;
  requestId: string;
  traceparent?: string | undefined;
  /** Small options of the endpoint, by name. */
  options?: Record<string, string>;
}

export interface RawReply {
  /** The status of the same response in HTTP. */
  status: number;
  body: Uint8Array;
  retryAfterSeconds?: number;
}

/** The headers of requests and replies. */
export const HEADER = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  optionPrefix: 'option-',
  /** The status of the same response in HTTP; 200 if absent. */
  status: 'status',
  retryAfter: 'retry-after',
} as const;

/** The status that asks for the next part of a request. */
export const CONTINUE = '100';

/**
 * Sends `body` unchanged and returns the reply unchanged, in one attempt. Neither is limited by the size of one
 * message.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE at once if nobody serves the endpoint, the broker is down, or this
 * process holds too many large bodies; UPSTREAM_TIMEOUT if the reply, or the next part of it, does not arrive within
 * the endpoint's `timeoutMs`; PAYLOAD_TOO_LARGE
 */
export async function requestRaw(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array | string,
  context: RequestContext,
): Promise<RawReply> {
  return await measured(requestOn(endpoint.subject), context.traceparent, async (traceparent) => {
    await endOfTurn();
    return await exchange(bus, endpoint, typeof body === 'string' ? Buffer.from(body) : body, {
      ...context,
      traceparent,
    });
  });
}

/** Like `requestRaw`, but at once and without measuring it. */
export async function exchange(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array,
  { traceparent, ...context }: RequestContext,
): Promise<RawReply> {
  if (!bus.isUp()) throw unavailable(endpoint);
  const head = headers();
  if (context.identityToken !== undefined) head.set(IDENTITY_HEADER, context.identityToken);
  head.set(HEADER.requestId, context.requestId);
  if (traceparent !== undefined) head.set(HEADER.traceparent, traceparent);
  for (const [option, value] of Object.entries(context.options ?? {})) head.set(HEADER.optionPrefix + option, value);
  try {
    const { first, rest } = inParts('request', body, head);
    const { timeoutMs } = endpoint;
    let reply = await ask(bus, endpoint.subject, first, timeoutMs, head);
    for (const part of rest) {
      // Any other status is an error that came before the whole request was sent.
      if (reply.headers?.get(HEADER.status) !== CONTINUE) break;
      reply = await askAgain(bus, reply, part, timeoutMs);
    }
    const answer = await wholeBody('answer', reply, (last) => askAgain(bus, last, undefined, timeoutMs));
    const status = reply.headers?.get(HEADER.status);
    if (!status) return { status: 200, body: answer.body };
    const retryAfter = reply.headers?.get(HEADER.retryAfter);
    return {
      status: Number(status),
      body: answer.body,
      ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
    };
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause;
    if (isNoResponders(cause)) throw unavailable(endpoint, cause);
    if (cause instanceof TimeoutError) {
      throw new PlatformError('UPSTREAM_TIMEOUT', 'The service did not respond in time. Try again.', {
        cause,
      });
    }
    throw unavailable(endpoint, cause);
  }
}

/** When the client library forgets a request. Its own timer must not come before ours. */
const FORGET_AFTER_MS = 30_000;

/** @throws {TimeoutError} if there is no reply within `timeoutMs` */
async function ask(
  bus: BusConnection,
  subject: string,
  data: Uint8Array | undefined,
  timeoutMs: number,
  head?: MsgHdrs,
): Promise<Msg> {
  const options = { timeout: FORGET_AFTER_MS, ...(head === undefined ? {} : { headers: head }) };
  const reply = bus.nats.request(subject, data, options);
  return await settledWithin(reply, timeoutMs, () => new TimeoutError());
}

/** Sends `data` to the subject at which `reply` says that there is more. */
async function askAgain(
  bus: BusConnection,
  { reply: subject }: Msg,
  data: Uint8Array | undefined,
  timeoutMs: number,
): Promise<Msg> {
  if (!isInbox(subject)) throw new Error(`a reply asked for more to be asked of ${subject}, which is no inbox`);
  return await ask(bus, subject, data, timeoutMs);
}

/**
 * Calls `endpoint` and returns the `data` of its reply, which is not validated. `unanswered`: what callers read if
 * there is no reply. A service that replies that it is unavailable says why itself, and when to try again.
 *
 * @throws {PlatformError} the other side's error; SERVICE_UNAVAILABLE if there is no reply in time: what the request
 * did is unknown then; PAYLOAD_TOO_LARGE
 */
export async function call<To extends RpcEndpoint>(
  bus: BusConnection,
  endpoint: To,
  request: RpcRequest<To>,
  context: RequestContext,
  unanswered?: string,
): Promise<RpcReply<To>> {
  const reply = await requestRaw(bus, endpoint, JSON.stringify(request), context).catch((error: unknown) => {
    throw hasCode(error, 'PAYLOAD_TOO_LARGE') ? error : unavailable(endpoint, error, unanswered);
  });
  const body: unknown = JSON.parse(Buffer.from(reply.body).toString('utf8'));
  if (reply.status >= 400) throw errorFromBody(body as ErrorBody, reply.retryAfterSeconds);
  return (body as { data: RpcReply<To> }).data;
}

/** Whether nobody listens on a message's subject. */
export function isNoResponders(error: unknown): boolean {
  return error instanceof NoRespondersError || (error instanceof Error && isNoResponders(error.cause));
}

function unavailable(endpoint: Endpoint, cause?: unknown, message?: string): PlatformError {
  const service = endpoint.subject.split('.')[1] ?? 'needed';
  return tryAgainShortly(message ?? `The ${service} service is not available; try again shortly.`, { cause });
}
