import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  type Identity,
  identity,
  PlatformError,
  type ServiceName,
  type Tenant,
  tenantOf,
} from '@event-commerce/contracts';
import { createSigner, createVerifier } from 'fast-jwt';
import { LRUCache } from 'lru-cache';

/** How long a token is good for, and how long one is handed out again for the same caller before a new one is signed. */
const TOKEN_TTL_MS = 30_000;
const TOKEN_REUSE_MS = 10_000;
/**
 * How far a service's clock may be ahead of the gateway's. A token outlives its time by as much, which only somebody inside the
 * platform's own network could use; refusing every caller because of a wrong clock would be worse.
 */
const CLOCK_TOLERANCE_MS = 60_000;
const CACHE_SIZE_MAX = 10_000;
const ISSUER = 'event-commerce-gateway';

export type SignIdentity = (who: Identity, audience: readonly ServiceName[]) => string;
/** Who is asking, with the tenant whose records they may select. */
export type VerifiedIdentity = Identity & { tenant: Tenant };
export type VerifyIdentity = (token: string | undefined) => VerifiedIdentity;

/** Tokens that tell services who is asking, signed with the gateway's Ed25519 key (base64 of PKCS#8 DER). */
export function createIdentitySigner(privateKeyBase64: string): SignIdentity {
  const privateKey = createPrivateKey({ key: Buffer.from(privateKeyBase64, 'base64'), format: 'der', type: 'pkcs8' });
  const sign = createSigner({
    algorithm: 'EdDSA',
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    kid: keyId(createPublicKey(privateKey)),
    iss: ISSUER,
    expiresIn: TOKEN_TTL_MS,
  });
  const recent = new LRUCache<string, { token: string; scopes: Identity['scopes']; signedAtMs: number }>({
    max: CACHE_SIZE_MAX,
  });
  return (who, audience) => {
    const cacheKey = `${who.keyId} ${who.environment} ${who.companyId} ${audience.join()}`;
    const known = recent.get(cacheKey);
    // By the clock that its expiry is written in: after that was set, a token of before may have expired.
    const now = Date.now();
    const ageMs = now - (known?.signedAtMs ?? 0);
    if (known !== undefined && known.scopes === who.scopes && ageMs >= 0 && ageMs < TOKEN_REUSE_MS) return known.token;
    const { companyId, environment, keyId: key, scopes } = who;
    const token = sign({ companyId, environment, keyId: key, scopes, aud: [...audience] });
    recent.set(cacheKey, { token, scopes: who.scopes, signedAtMs: now });
    return token;
  };
}

/**
 * Checks a token's signature, issuer, expiry and that it is meant for `service`. Public keys are base64 of SPKI DER.
 * The function it answers throws {PlatformError} UNAUTHORIZED.
 */
export function createIdentityVerifier(publicKeysBase64: readonly string[], service: ServiceName): VerifyIdentity {
  const keysById = new Map(
    publicKeysBase64.map((encoded) => {
      const key = createPublicKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'spki' });
      const verify = createVerifier({
        key: key.export({ format: 'pem', type: 'spki' }),
        algorithms: ['EdDSA'],
        allowedIss: ISSUER,
        allowedAud: service,
        clockTolerance: CLOCK_TOLERANCE_MS,
        requiredClaims: ['exp', 'aud', 'iss'],
        complete: true,
      });
      return [keyId(key), verify] as const;
    }),
  );
  const verified = new LRUCache<string, { who: VerifiedIdentity; expiresAtMs: number }>({ max: CACHE_SIZE_MAX });

  return (token) => {
    if (token === undefined || token === '') throw unauthorized();
    const known = verified.get(token);
    if (known !== undefined) {
      if (known.expiresAtMs > Date.now()) return known.who;
      throw unauthorized();
    }
    try {
      const header = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()) as {
        kid?: string;
      };
      const verify = keysById.get(header.kid ?? '');
      if (verify === undefined) throw new Error('unknown key id');
      const { payload } = verify(token) as { payload: { exp: number } };
      const claims = identity.parse(payload);
      const who = { ...claims, tenant: tenantOf(claims) };
      verified.set(token, { who, expiresAtMs: payload.exp * 1000 + CLOCK_TOLERANCE_MS });
      return who;
    } catch (cause) {
      throw unauthorized(cause);
    }
  };
}

/** A new key pair for the gateway's tokens, in the encodings of the settings. */
export function generateIdentityKeys(): { privateKey: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  return {
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

function keyId(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);
}

function unauthorized(cause?: unknown): PlatformError {
  return new PlatformError('UNAUTHORIZED', 'This service answers only requests that the gateway signed.', { cause });
}
