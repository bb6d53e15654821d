import type { BusConnection } from './connection.ts';
import { endOfTurn } from './end-of-turn.ts';
import { measured, requestOn } from './measured.ts';
import { type Endpoint, exchange, type RawReply, type RequestContext, requestRaw } from './request-reply.ts';
import {
  joinRequests,
  splitReplies,
  TOGETHER_BYTES_MAX,
  TOGETHER_MAX,
  TOGETHER_OPTION,
  type TogetherRequest,
} from './together.ts';

interface Waiting extends TogetherRequest {
  resolve: (reply: RawReply | Promise<RawReply>) => void;
  reject: (error: unknown) => void;
}

/** The requests of this turn that are for one endpoint and one group. */
interface Queue {
  endpoint: Endpoint;
  requests: Waiting[];
}

const queuesOf = new WeakMap<BusConnection, Map<string, Queue>>();

/**
 * Like `requestRaw`, for requests that may be repeated: those of one `group` in one turn of the event loop travel in
 * one message, and their replies in one, when all of them are ready. So only requests that may delay each other, and
 * fail together, should share a group. A large request or reply travels alone.
 *
 * @throws {PlatformError} as `requestRaw`
 */
export async function requestTogether(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array,
  context: RequestContext,
  group: string,
): Promise<RawReply> {
  if (body.length > TOGETHER_BYTES_MAX / TOGETHER_MAX) return await requestRaw(bus, endpoint, body, context);
  return await measured(requestOn(endpoint.subject), context.traceparent, async (traceparent) => {
    const { promise, resolve, reject } = Promise.withResolvers<RawReply>();
    const one = { about: { ...context, traceparent }, body, resolve, reject };
    let queues = queuesOf.get(bus);
    if (queues === undefined) {
      queuesOf.set(bus, (queues = new Map()));
      void sendAll(bus, queues);
    }
    const key = `${endpoint.subject} ${group}`;
    const queue = queues.get(key);
    if (queue === undefined) queues.set(key, { endpoint, requests: [one] });
    else queue.requests.push(one);
    return await promise;
  });
}

async function sendAll(bus: BusConnection, queues: ReadonlyMap<string, Queue>): Promise<void> {
  await endOfTurn();
  queuesOf.delete(bus);
  for (const { endpoint, requests } of queues.values()) {
    for (let at = 0; at < requests.length; at += TOGETHER_MAX) {
      void send(bus, endpoint, requests.slice(at, at + TOGETHER_MAX));
    }
  }
}

/** Sends some requests in one message, and settles each. */
async function send(bus: BusConnection, endpoint: Endpoint, requests: readonly Waiting[]): Promise<void> {
  const alone = ({ about, body, resolve }: Waiting): void => resolve(exchange(bus, endpoint, body, about));
  const [first, ...others] = requests as [Waiting, ...Waiting[]];
  if (others.length === 0) return alone(first);
  try {
    const { requestId } = first.about;
    const options = { [TOGETHER_OPTION]: String(requests.length) };
    const reply = await exchange(bus, endpoint, joinRequests(requests), { requestId, options });
    // Any other status is about the whole message.
    const replies = reply.status === 200 ? splitReplies(reply.body) : requests.map(() => reply);
    for (const [at, one] of requests.entries()) {
      const own = replies[at];
      if (own === undefined) alone(one);
      else one.resolve(own);
    }
  } catch (error) {
    for (const { reject } of requests) reject(error);
  }
}
