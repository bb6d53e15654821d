import { type ErrorBody, errorBody, type Operation, type PlatformError } from '@event-commerce/contracts';

const OPENING = {
  status: { success: '{"status":"ok",', failure: '{"status":"error",' },
  'order-created': { success: '{"ok":true,', failure: '{"status":"error","ok":false,' },
} as const;

/** How a success is wrapped: `{"status":"ok",...}`, or `{"ok":true,...}` when an order is created. */
export type EnvelopeKind = keyof typeof OPENING;

export function envelopeOf({ answer: { form } }: Pick<Operation, 'answer'>): EnvelopeKind {
  return form === 'order-created' ? form : 'status';
}

const CURLY_BRACE = 0x7b;
const QUOTE = 0x22;
const WHITESPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The text that replaces the first byte of a service's response. */
export function openingOf(kind: EnvelopeKind, statusCode: number): string {
  return statusCode < 400 ? OPENING[kind].success : OPENING[kind].failure;
}

/** Whether `body` (or its first chunk) begins a non-empty object, and so can be given a new opening. */
export function canBeWrapped(body: Uint8Array): boolean {
  if (body[0] !== CURLY_BRACE) return false;
  let at = 1;
  while (at < body.length && WHITESPACE.has(body[at] ?? 0)) at++;
  return body[at] === QUOTE;
}

/** Up to this size a response is sent as text. */
const TEXT_BYTES_MAX = 64 * 1024;

/**
 * A service's complete response in its envelope, without parsing it; `canBeWrapped` must hold. A small one is text,
 * because text is sent together with the headers, and bytes in a separate write; a large one is not decoded.
 */
export function wrap(body: Uint8Array, kind: EnvelopeKind, statusCode: number): string | Buffer {
  const opening = openingOf(kind, statusCode);
  const members = Buffer.from(body.buffer, body.byteOffset + 1, body.byteLength - 1);
  if (members.length > TEXT_BYTES_MAX) return Buffer.concat([Buffer.from(opening), members]);
  return opening + members.toString();
}

/** An error of the gateway's own, in its envelope. */
export function errorEnvelope(
  error: PlatformError,
  kind: EnvelopeKind,
  requestId: string,
): { status: 'error'; ok?: false } & ErrorBody {
  return { status: 'error', ...(kind === 'order-created' ? { ok: false } : {}), ...errorBody(error, requestId) };
}
