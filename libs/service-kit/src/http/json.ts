import { isUtf8 } from 'node:buffer';
import { malformedJson, PlatformError } from '@event-commerce/contracts';
import { validationError } from './validate.ts';

/** How deep a body may nest; the outermost value is level 1. */
const JSON_DEPTH_MAX = 32;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The largest size of a body in bytes. */
export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Parses `bytes` as JSON, and rejects values that could harm what stores or merges them: names that reach a prototype
 * or that the database driver takes for a type of its own, long names, numbers that a double cannot hold exactly,
 * broken Unicode, which would be stored as another text, and deep nesting. `arrayLengthMax` bounds every array, those
 * in objects of a caller's own too.
 *
 * @throws {PlatformError} MALFORMED_JSON or VALIDATION_FAILED
 */
export function parseJson(bytes: Uint8Array, { arrayLengthMax = Infinity } = {}): unknown {
  if (!isUtf8(bytes))
    throw new PlatformError(
      'MALFORMED_JSON',
      'The body is not valid UTF-8. Encode it as UTF-8, whatever charset content-type names.',
    );
  let value: unknown;
  try {
    // Some editors and tools write a byte order mark in front, which nobody sees.
    const from = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', from));
  } catch (cause) {
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec((cause as Error).message) ?? [];
    throw malformedJson(line === undefined || column === undefined ? undefined : { line, column }, cause);
  }
  const harm = harmIn(value, 1, arrayLengthMax);
  if (harm !== undefined) throw validationError([{ path: harm.path.toReversed(), message: harm.message }], 'body');
  return value;
}

/** What must not be stored. The path is only built if there is a problem, from the inside out. */
interface Harm {
  path: (string | number)[];
  message: string;
}

const BROKEN = 'has broken Unicode: one half of a surrogate pair';
/** The database driver refuses to write `_bsontype` and NUL, and with it everything else in the same request. */
const HARMFUL_NAME = /\0|^(?:__proto__|constructor|_bsontype)$/;
/** The longest name of a member. */
const NAME_LENGTH_MAX = 256;

function harmIn(value: unknown, depth: number, arrayLengthMax: number): Harm | undefined {
  if (typeof value === 'number') {
    return Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? { path: [], message: 'is a number beyond 2^53 - 1, the largest that is kept exactly; send it as a string' }
      : undefined;
  }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path: [], message: BROKEN };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > JSON_DEPTH_MAX) return { path: [], message: `nests deeper than ${JSON_DEPTH_MAX} levels` };
  if (Array.isArray(value)) {
    if (value.length > arrayLengthMax) return { path: [], message: `must have at most ${arrayLengthMax} entries` };
    for (let index = 0; index < value.length; index++) {
      const harm = harmIn(value[index], depth + 1, arrayLengthMax);
      if (harm !== undefined) return { ...harm, path: [...harm.path, index] };
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (name.length > NAME_LENGTH_MAX || HARMFUL_NAME.test(name) || !name.isWellFormed())
      return { path: [name], message: nameText(name) };
    const harm = harmIn((value as Record<string, unknown>)[name], depth + 1, arrayLengthMax);
    if (harm !== undefined) return { ...harm, path: [...harm.path, name] };
  }
  return undefined;
}

function nameText(name: string): string {
  if (name.length > NAME_LENGTH_MAX) return `has a name of more than ${NAME_LENGTH_MAX} characters`;
  if (name.includes('\0')) return 'has a name with a NUL character, which is not allowed';
  if (!name.isWellFormed()) return BROKEN;
  return 'has a name that is not allowed';
}
