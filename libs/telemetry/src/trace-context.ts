import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** W3C Trace Context, version 00; ids of zeros are not valid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const ID_BYTES = 24;

// Random bytes are drawn for many requests at once: one call for each costs more than everything else here.
const pool = Buffer.alloc(ID_BYTES * 128);
let used = pool.length;

/** Whether `traceparent` is a trace that can be continued. */
export function isTraceparent(traceparent: unknown): traceparent is string {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent);
}

/** The start of a new trace. */
export function newTraceparent(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const ids = pool.toString('hex', used, used + ID_BYTES);
  used += ID_BYTES;
  return `00-${ids.slice(0, 32)}-${ids.slice(32)}-01`;
}

/** The id of the trace that `traceparent` is part of, as in the logs. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return isTraceparent(traceparent) ? traceparent.slice(3, 35) : undefined;
}

const position = Symbol('traceparent');
type Traced = IncomingMessage & { [position]?: string };

/** The request's place in its trace: what its sender says, or the start of a new trace. */
export function traceparentOf(request: IncomingMessage): string {
  const { traceparent } = request.headers;
  return ((request as Traced)[position] ??= isTraceparent(traceparent) ? traceparent : newTraceparent());
}

/** From now on `traceparentOf(request)` returns `traceparent`. */
export function setTraceparent(request: IncomingMessage, traceparent: string): void {
  (request as Traced)[position] = traceparent;
}
