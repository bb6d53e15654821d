/**
 * A reply in pieces: text, and parts of a list that the receiver may have kept from an earlier reply. So what every
 * reply contains is sent once. The list is identified by its own bytes: whoever sends it, and whatever their release,
 * the same digest means the same bytes.
 */
type Piece = string | readonly [from: number, to: number];

/** A list as its receiver keeps it. */
export interface KeptList {
  digest: string;
  bytes: Uint8Array;
}

/**
 * The option of a request with the digest of the list that its sender has kept; `none` if it has none yet. A sender
 * that reads no pieces leaves it out.
 */
export const KEPT_OPTION = 'kept';
export const NONE_KEPT = 'none';

const SQUARE_BRACKET = 0x5b;
const NEW_LINE = 0x0a;

/** How many bytes of text come next, or which part of the list. */
type Outline = [digest: string, ...(number | readonly [from: number, to: number])[]];

/** `list`: its bytes, for a receiver that has not kept it. */
export function writePieces(digest: string, pieces: readonly Piece[], list?: Uint8Array): Uint8Array {
  const texts = pieces.filter((piece) => typeof piece === 'string').join('');
  const outline: Outline = [
    digest,
    ...pieces.map((piece) => (typeof piece === 'string' ? Buffer.byteLength(piece) : piece)),
  ];
  const written = Buffer.from(`${JSON.stringify(outline)}\n${texts}`);
  return list === undefined ? written : Buffer.concat([written, list]);
}

/** Whether `body` was written by `writePieces`, and is not an object. */
export function isInPieces(body: Uint8Array): boolean {
  return body[0] === SQUARE_BRACKET;
}

/**
 * The parts of the reply in order, none of them copied, and the list that they come from.
 *
 * @throws {Error} if `body` is malformed, or refers to a list that it does not contain and that is not `kept`
 */
export function readPieces(body: Uint8Array, kept: KeptList | undefined): { parts: Uint8Array[]; list: KeptList } {
  const textAt = body.indexOf(NEW_LINE) + 1;
  const [digest, ...outline] = JSON.parse(Buffer.from(body.buffer, body.byteOffset, textAt).toString()) as Outline;
  let at = textAt;
  for (const piece of outline) if (typeof piece === 'number') at += piece;
  const list = at < body.length ? { digest, bytes: body.subarray(at) } : kept;
  if (list?.digest !== digest) throw new Error('the reply refers to a list that is not here');
  at = textAt;
  const parts = outline.map((piece) => {
    if (typeof piece === 'number') return body.subarray(at, (at += piece));
    const [from, to] = piece;
    if (to > list.bytes.length) throw new Error('the reply refers to more than its list');
    return list.bytes.subarray(from, to);
  });
  return { parts, list };
}
