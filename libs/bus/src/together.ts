import { PlatformError } from '@event-commerce/contracts';
import { z } from 'zod';
import type { RawReply, RequestContext } from './request-reply.ts';

/**
 * Several requests in one message, and their replies in one, which costs the broker and both sides hardly more than a
 * single request. A message begins with a line of JSON that describes the bodies after it.
 */

/** The option of a message that holds several requests. */
export const TOGETHER_OPTION = 'together';
/** Few enough that two replicas share what many clients request at once. */
export const TOGETHER_MAX = 16;
/** The size limit of the bodies in one message. */
export const TOGETHER_BYTES_MAX = 256 * 1024;

const NEW_LINE = 0x0a;
const NOTHING = new Uint8Array();

const Requests = z
  .array(
    z.tuple([
      z.int().nonnegative(),
      z.object({
        identityToken: z.string().optional(),
        requestId: z.string(),
        traceparent: z.string().optional(),
        options: z.record(z.string(), z.string()).exactOptional(),
      }),
    ]),
  )
  .min(1)
  .max(TOGETHER_MAX);

interface Part<About> {
  about: About;
  body: Uint8Array;
}

export type TogetherRequest = Part<RequestContext>;

/** Undefined for a reply that does not fit: its request has to be sent again, alone. */
export type TogetherReply = RawReply | undefined;

export function joinRequests(requests: readonly TogetherRequest[]): Uint8Array {
  return join(requests);
}

/** @throws {PlatformError} BAD_REQUEST if `message` is not as `joinRequests` writes it */
export function splitRequests(message: Uint8Array): TogetherRequest[] {
  try {
    return split(message, (outline) => Requests.parse(outline));
  } catch (cause) {
    throw new PlatformError('BAD_REQUEST', 'The requests in this message cannot be told apart.', { cause });
  }
}

export function joinReplies(replies: readonly RawReply[]): Uint8Array {
  let left = TOGETHER_BYTES_MAX;
  return join(
    replies.map(({ body, ...about }) => {
      if (body.length > left) return { about: null, body: NOTHING };
      left -= body.length;
      return { about, body };
    }),
  );
}

/** @throws {Error} if `message` is not as `joinReplies` writes it */
export function splitReplies(message: Uint8Array): TogetherReply[] {
  const outlineOf = (outline: unknown) => outline as [bytes: number, about: Omit<RawReply, 'body'> | null][];
  return split(message, outlineOf).map(({ about, body }) => (about === null ? undefined : { ...about, body }));
}

function join(parts: readonly Part<unknown>[]): Uint8Array {
  const outline = JSON.stringify(parts.map(({ about, body }) => [body.length, about]));
  return Buffer.concat([Buffer.from(`${outline}\n`), ...parts.map(({ body }) => body)]);
}

/** The bodies are not copied. */
function split<About>(message: Uint8Array, read: (outline: unknown) => [bytes: number, about: About][]): Part<About>[] {
  let at = message.indexOf(NEW_LINE) + 1;
  const text = Buffer.from(message.buffer, message.byteOffset, at).toString();
  const parts = read(JSON.parse(text)).map(([bytes, about]) => ({ about, body: message.subarray(at, (at += bytes)) }));
  if (at !== message.length) throw new Error('the message does not end where its parts do');
  return parts;
}
