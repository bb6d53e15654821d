import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Room } from '../limit/memory-budget.ts';

/** A larger body is not stored, but passed on as it arrives. */
const KEPT_BYTES_MAX = 1024 * 1024;

/**
 * The complete `payload`; undefined if it is too large to store, or there is no room for it. The part of a stream that
 * was read is then put back in front.
 */
export async function readWhole(reply: FastifyReply, payload: unknown, room: Room): Promise<Buffer | undefined> {
  if (!(payload instanceof Readable)) {
    const whole = Buffer.isBuffer(payload) ? payload : Buffer.from((payload ?? '') as string);
    return room.take(whole.length) ? whole : undefined;
  }
  if (Number(reply.getHeader('content-length')) > KEPT_BYTES_MAX) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > KEPT_BYTES_MAX || !room.take(piece.length)) {
      payload.unshift(Buffer.concat(pieces));
      return undefined;
    }
  }
  return Buffer.concat(pieces);
}
