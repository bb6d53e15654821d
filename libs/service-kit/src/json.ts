import { isUtf8 } from 'node:buffer';
import { PlatformError } from '@event-commerce/contracts';

/** How deep a body may nest; the outermost value is level 1. */
export const JSON_DEPTH_MAX = 32;

/** How many bytes a body may have. */
export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * The JSON value that `bytes` hold, refused when it could harm what stores or merges it: keys that reach a prototype,
 * that a database reads as operators or paths (`$...`, dots), numbers a double cannot hold exactly, nesting too deep.
 *
 * @throws {PlatformError} MALFORMED_JSON or VALIDATION_FAILED
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new PlatformError('MALFORMED_JSON', 'The body is not valid UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (cause) {
    throw new PlatformError('MALFORMED_JSON', `The body is not valid JSON: ${(cause as Error).message}.`, { cause });
  }
  refuseUnsafe(value, '', 1);
  return value;
}

function refuseUnsafe(value: unknown, path: string, depth: number): void {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER) {
      throw refused(path, 'is beyond the numbers that can be kept exactly (2^53 - 1)');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > JSON_DEPTH_MAX) throw refused(path, `nests deeper than ${JSON_DEPTH_MAX} levels`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) refuseUnsafe(value[index], `${path}[${index}]`, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    const member = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw refused(member, 'is not an allowed name');
    if (key.startsWith('$') || key.includes('.')) throw refused(member, 'names may not begin with $ or hold a dot');
    refuseUnsafe((value as Record<string, unknown>)[key], member, depth + 1);
  }
}

function refused(path: string, message: string): PlatformError {
  return new PlatformError('VALIDATION_FAILED', `${path || 'body'} ${message}.`, {
    details: [{ path: path || 'body', message }],
  });
}
