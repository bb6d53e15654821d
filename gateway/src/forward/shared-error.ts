import type { ErrorBody } from '@event-commerce/contracts';

/** The error in a response that several requests share, for the one with `requestId`. */
export function sharedError(body: Uint8Array, requestId: string): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    const { error, ...rest } = JSON.parse(bytes.toString()) as ErrorBody;
    return Buffer.from(JSON.stringify({ ...rest, error: { ...error, requestId } }));
  } catch {
    // Not an error of a service: the gateway responds with one of its own.
    return bytes;
  }
}
