import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a response so that only a client that can repeat its request can read it: the secret is the Idempotency-Key
 * with the request's own bytes, neither of which is stored. So a record, which is stored for a day, does not reveal who
 * bought what.
 */
export function seal(body: Buffer, secret: Buffer, owner: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, owner), iv);
  const [sealed, end] = [cipher.update(body), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), sealed, end]);
}

/** @throws {Error} if it was encrypted with another secret or modified */
export function unseal(sealed: Buffer, secret: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, owner), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

function keyOf(secret: Buffer, owner: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, owner, 'idempotent answer', 32));
}
