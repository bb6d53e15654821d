import { PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import { headers, type Msg, type MsgHdrs, TimeoutError } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import { isInbox } from './names.ts';
import { patience } from './patience.ts';

/**
 * A larger body travels in parts of this size, each sent when the receiver asks for it. The broker refuses messages
 * above its `max_payload` (1 MB by default), and a message of that size would delay the small ones behind it.
 */
const PART_BYTES = 512 * 1024;
const MIB = 1024 * 1024;
/** The largest body, in any number of parts. */
const LARGE_BODY_BYTES_MAX = 64 * MIB;
/** The memory that all bodies in parts may use together in this process. */
const PARTS_BYTES_MAX = 256 * MIB;
/** How long the next message of an exchange may take to arrive. */
const NEXT_WITHIN_MS = 5_000;
/** The size of the whole body in bytes; absent unless it travels in parts. */
const BODY_BYTES = 'body-bytes';

type BodyKind = 'request' | 'answer';

let heldBytes = 0;

/**
 * The messages of `body`, and the headers of the first. A small body is one unchanged message.
 *
 * @throws {PlatformError} PAYLOAD_TOO_LARGE
 */
export function inParts(
  kind: BodyKind,
  body: Uint8Array,
  head?: MsgHdrs,
): { head: MsgHdrs | undefined; first: Uint8Array; rest: Uint8Array[] } {
  if (body.length <= PART_BYTES) return { head, first: body, rest: [] };
  refuseTooLarge(kind, body.length);
  const rest: Uint8Array[] = [];
  for (let at = PART_BYTES; at < body.length; at += PART_BYTES) rest.push(body.subarray(at, at + PART_BYTES));
  const announcing = head ?? headers();
  announcing.set(BODY_BYTES, String(body.length));
  return { head: announcing, first: body.subarray(0, PART_BYTES), rest };
}

/**
 * Receives the whole body that begins in `first`, and the message that ended it. `askForNext` replies to a part, and
 * gets the next one.
 *
 * @throws {PlatformError} PAYLOAD_TOO_LARGE, BAD_REQUEST for a request whose parts do not fit, or SERVICE_UNAVAILABLE
 * while this process holds too many large bodies
 */
export async function wholeBody(
  kind: BodyKind,
  first: Msg,
  askForNext: (last: Msg) => Promise<Msg>,
): Promise<{ body: Uint8Array; last: Msg }> {
  const announced = first.headers?.get(BODY_BYTES);
  if (!announced) return { body: first.data, last: first };
  const bytes = Number(announced);
  if (!Number.isSafeInteger(bytes) || bytes <= 0) throw misfit(kind);
  refuseTooLarge(kind, bytes);
  return await holding(bytes, async () => {
    const body = Buffer.allocUnsafe(bytes);
    let [last, received] = [first, 0];
    while (true) {
      const { data } = last;
      if (data.length === 0 || received + data.length > bytes) throw misfit(kind);
      body.set(data, received);
      received += data.length;
      if (received === bytes) return { body, last };
      last = await askForNext(last);
    }
  });
}

/**
 * Runs `work`, which keeps a large body of `bytes` in memory.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE while this process holds too many of them
 */
export async function holding<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  if (heldBytes + bytes > PARTS_BYTES_MAX) {
    throw tryAgainShortly('Too many large requests are in progress; try again shortly.');
  }
  heldBytes += bytes;
  try {
    return await work();
  } finally {
    heldBytes -= bytes;
  }
}

/**
 * Replies to `message`, which must name an inbox for the reply.
 *
 * @throws {Error} if it does not
 */
export function respondTo(
  message: Msg,
  data?: Uint8Array | string,
  options?: { reply?: string; headers?: MsgHdrs },
): void {
  if (!isInbox(message.reply)) throw new Error(`a message asked for a reply to ${message.reply}, which is no inbox`);
  message.respond(data, options);
}

/**
 * Replies to `message` and waits for the reply to that, which goes to an inbox of its own, and so to this process,
 * whatever group it serves in.
 *
 * @throws {TimeoutError} when the other side is gone
 */
export async function respondAndWait(
  bus: BusConnection,
  message: Msg,
  data: Uint8Array | undefined,
  head?: MsgHdrs,
): Promise<Msg> {
  const { promise, resolve, reject } = Promise.withResolvers<Msg>();
  const inbox = bus.newInbox();
  const subscription = bus.nats.subscribe(inbox, {
    callback: (error, next) => {
      if (error) reject(error);
      else resolve(next);
    },
  });
  const end = patience(NEXT_WITHIN_MS, () => reject(new TimeoutError()));
  try {
    respondTo(message, data, { reply: inbox, ...(head === undefined ? {} : { headers: head }) });
    return await promise;
  } finally {
    end();
    subscription.unsubscribe();
  }
}

/** A faulty reply is this side's problem, not the caller's. */
function misfit(kind: BodyKind): Error {
  const message = `The parts of the ${kind} do not add up to the size it announced.`;
  return kind === 'request' ? new PlatformError('BAD_REQUEST', message) : new Error(message);
}

function refuseTooLarge(kind: BodyKind, bytes: number): void {
  if (bytes <= LARGE_BODY_BYTES_MAX) return;
  throw new PlatformError(
    'PAYLOAD_TOO_LARGE',
    `The ${kind} would be larger than ${LARGE_BODY_BYTES_MAX / MIB} MiB; ask for less.`,
  );
}
