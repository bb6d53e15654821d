import { hash, timingSafeEqual } from 'node:crypto';
import { PlatformError } from '@event-commerce/contracts';
import { isUsable } from '../keys/api-key.ts';
import type { RateLimit } from '../limit/rate-limit.ts';
import type { Caller } from './caller.ts';
import { hashSecret, parseKeyText, type PresentedKey } from './key-format.ts';
import type { KnownKey, KnownKeys } from './known-keys.ts';

const BEARER = /^Bearer +([!-~]+) *$/i;

/**
 * `beforeGuess` is called before every step that is expensive or would help a guesser; it rejects after too many
 * guesses.
 */
export type Authenticate = (authorization: string, beforeGuess: () => Promise<void>) => Caller | Promise<Caller>;

/**
 * Identifies the caller by the `Authorization` field, synchronously if the key is cached. Throws or rejects with
 * {PlatformError} UNAUTHORIZED, or with the database's error.
 */
export function createAuthenticate(options: {
  /** The operator's: two while one replaces the other. */
  rootKeys: readonly string[];
  rootRateLimit: RateLimit;
  knownKeys: KnownKeys;
  clock: () => number;
}): Authenticate {
  const { knownKeys, clock } = options;
  const rootHashes = options.rootKeys.map(sha256);
  const root: Caller = {
    keyId: 'root',
    scopes: ['keys:admin'],
    expires: null,
    rateLimit: options.rootRateLimit,
    buckets: [{ key: 'root', limit: options.rootRateLimit }],
    shared: null,
    identity: undefined,
  };

  function admit(presented: PresentedKey, found: KnownKey | undefined): Caller {
    // Unknown id and wrong secret get the same response: nobody should learn which ids exist.
    if (found === undefined || !timingSafeEqual(hashSecret(presented.secret), found.key.secretHash)) throw invalid();
    if (found.key.environment !== presented.environment) throw invalid();
    if (found.key.revoked !== null) throw unauthorized('This API key was revoked. Use another key.');
    if (!isUsable(found.key, new Date(clock()))) throw unauthorized('This API key has expired. Use another key.');
    knownKeys.noteUse(found.key.id);
    return found.caller;
  }

  return (authorization, beforeGuess) => {
    const credentials = BEARER.exec(authorization)?.[1];
    if (credentials === undefined)
      throw unauthorized('The Authorization header must be "Bearer <key>", with your API key in place of <key>.');
    const presented = parseKeyText(credentials);
    if (presented === undefined) {
      return beforeGuess().then(() => {
        const presentedHash = sha256(credentials);
        if (rootHashes.some((rootHash) => timingSafeEqual(presentedHash, rootHash))) return root;
        throw invalid();
      });
    }
    const find = () => knownKeys.find(presented.keyId);
    const found = knownKeys.holds(presented.keyId) ? find() : beforeGuess().then(find);
    return found instanceof Promise ? found.then((key) => admit(presented, key)) : admit(presented, found);
  };
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function invalid(): PlatformError {
  return unauthorized('This API key is not valid. Check that it is complete, and has no quotes or brackets around it.');
}

function unauthorized(message: string): PlatformError {
  return new PlatformError('UNAUTHORIZED', message);
}
