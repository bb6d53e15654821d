import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyEnvironment } from '@event-commerce/contracts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 33 Base62 characters carry 196 bits. */
const SECRET_LENGTH = 33;
const CHECKSUM_LENGTH = 6;
const KEY = /^eck_(live|test)_([0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z]{39})$/;

export interface PresentedKey {
  environment: KeyEnvironment;
  /** The record's id, `key_...`. */
  keyId: string;
  secret: string;
}

/** The key text of the record `keyId` with a new secret. It is shown once; only `hashSecret(secret)` is stored. */
export function createKeyText(
  environment: KeyEnvironment,
  keyId: string,
  secret = randomBase62(SECRET_LENGTH),
): { text: string; secret: string } {
  const body = `eck_${environment}_${keyId.slice('key_'.length)}_${secret}`;
  return { text: body + checksum(body), secret };
}

/** Parses `text`; undefined if it does not have the form of a key or its checksum is wrong, which needs no look-up. */
export function parseKeyText(text: string): PresentedKey | undefined {
  const match = KEY.exec(text);
  if (match === null) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (text.slice(-CHECKSUM_LENGTH) !== checksum(body)) return undefined;
  const [, environment, suffix, secretAndChecksum] = match as string[] as [string, KeyEnvironment, string, string];
  return { environment, keyId: `key_${suffix}`, secret: secretAndChecksum.slice(0, SECRET_LENGTH) };
}

/** SHA-256 is enough: nobody can guess 196 random bits, so a slow hash would add nothing. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: larger values would make some characters more frequent.
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
