import { randomFillSync } from 'node:crypto';

/** W3C Trace Context, version 00; ids of zeros are not valid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const ID_BYTES = 24;

// Random bytes are drawn for many requests at once: a call for each costs more than all else here.
const pool = Buffer.alloc(ID_BYTES * 128);
let used = pool.length;

/** Whether `traceparent` is a trace a client may go on with. */
export function isTraceparent(traceparent: string | undefined): traceparent is string {
  return traceparent !== undefined && TRACEPARENT.test(traceparent);
}

/** The start of a trace of our own. */
export function newTraceparent(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const ids = pool.toString('hex', used, used + ID_BYTES);
  used += ID_BYTES;
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-01`;
}
