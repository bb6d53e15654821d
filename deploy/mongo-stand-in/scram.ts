import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The server's side of SCRAM-SHA-256 (RFC 7677): a client proves that it knows a password without sending it. */

/** The minimum that drivers accept. The passwords here are random, so guessing them is hopeless anyway. */
const ITERATIONS = 4096;

export interface ScramKeys {
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

/** What a server stores about `password`. Takes a few milliseconds to compute. */
export function scramKeys(password: string): ScramKeys {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  return { salt, storedKey: sha256(hmac(salted, 'Client Key')), serverKey: hmac(salted, 'Server Key') };
}

/** A client that has given its name but not yet proved it. */
export interface Challenge {
  /** The message that asks for the proof. */
  readonly message: string;
  /** The reply to `clientFinal`, or undefined if that proves nothing. */
  verify(clientFinal: string): string | undefined;
}

/** The name in the client's first message; undefined if it is not such a message. */
export function userIn(clientFirst: string): string | undefined {
  return /^n,,n=([^,]+),r=/.exec(clientFirst)?.[1]?.replaceAll('=2C', ',').replaceAll('=3D', '=');
}

/** @param clientFirst a message in which `userIn` finds a name */
export function challenge(clientFirst: string, { salt, storedKey, serverKey }: ScramKeys): Challenge {
  const bare = clientFirst.slice('n,,'.length);
  const nonce = (/,r=([^,]+)/.exec(bare)?.[1] ?? '') + randomBytes(24).toString('base64');
  const message = `r=${nonce},s=${salt.toString('base64')},i=${ITERATIONS}`;
  return {
    message,
    verify(clientFinal) {
      // "biws" says that the connection is not bound to a TLS channel.
      const withoutProof = `c=biws,r=${nonce}`;
      if (!clientFinal.startsWith(`${withoutProof},p=`)) return undefined;
      const proof = Buffer.from(clientFinal.slice(withoutProof.length + ',p='.length), 'base64');
      const exchanged = `${bare},${message},${withoutProof}`;
      const signature = hmac(storedKey, exchanged);
      if (proof.length !== signature.length) return undefined;
      const clientKey = Buffer.from(proof.map((byte, i) => byte ^ (signature[i] as number)));
      if (!timingSafeEqual(sha256(clientKey), storedKey)) return undefined;
      return `v=${hmac(serverKey, exchanged).toString('base64')}`;
    },
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
