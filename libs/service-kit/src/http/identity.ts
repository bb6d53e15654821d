import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  allows,
  type Identity,
  identity,
  PlatformError,
  type ProcessName,
  type RpcEndpoint,
  type ServiceName,
  type Tenant,
  tenantOf,
} from '@event-commerce/contracts';
import { createSigner, createVerifier } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
import { atMost } from '../process/limits.ts';

/** How long a token is valid, and how long it is reused for the same caller before a new one is signed. */
const TOKEN_TTL_MS = 60_000;
const TOKEN_REUSE_MS = 40_000;
/**
 * How far a service's clock may be ahead of the gateway's. Tokens stay valid that much longer, which only somebody
 * inside the platform's own network could exploit; rejecting every caller because of a wrong clock would be worse.
 */
const CLOCK_TOLERANCE_MS = 60_000;
const CACHE_SIZE_MAX = 10_000;
const issuerOf = (process: ProcessName) => `event-commerce-${process}`;

export type SignIdentity = (who: Identity, audience: readonly ServiceName[]) => string;
/** Who is asking, with the tenant whose records they may select. What belongs to a key belongs to `originalKeyId`. */
export type VerifiedIdentity = Identity & { tenant: Tenant; originalKeyId: string };
export type VerifyIdentity = (token: string | undefined) => VerifiedIdentity;
/** This process's own identity, for one service. */
type SignProcess = (audience: ServiceName) => string;
export type VerifyProcess = (token: string | undefined, endpoint: RpcEndpoint) => void;

/** Tokens that tell services who is asking, signed with the gateway's Ed25519 key (base64 of PKCS#8 DER). */
export function createIdentitySigner(privateKeyBase64: string): SignIdentity {
  const sign = createTokenSigner('gateway', privateKeyBase64);
  return ({ companyId, environment, keyId: key, keyName, originalKeyId, scopes }, audience) =>
    sign(`${key} ${environment} ${companyId} ${audience.join()} ${scopes.join()} ${keyName}`, () => ({
      companyId,
      environment,
      keyId: key,
      ...(keyName === undefined ? {} : { keyName }),
      ...(originalKeyId === undefined ? {} : { originalKeyId }),
      scopes,
      aud: [...audience],
    }));
}

/**
 * Tokens of `process` for requests for which no caller waits. They name no company, and open only what the process asks
 * on its own behalf.
 */
export function createProcessSigner(process: ProcessName, privateKeyBase64: string): SignProcess {
  const sign = createTokenSigner(process, privateKeyBase64);
  return (audience) => sign(audience, () => ({ aud: [audience] }));
}

/**
 * Checks a token's signature, issuer, expiry and that it was issued for `service`. Public keys are base64 of SPKI DER.
 * The returned function throws {PlatformError} UNAUTHORIZED.
 */
export function createIdentityVerifier(publicKeysBase64: readonly string[], service: ServiceName): VerifyIdentity {
  const verify = createTokenVerifier(
    publicKeysBase64.map((key) => ({ process: 'gateway', key })),
    service,
    (payload) => {
      const claims = identity.parse(payload);
      return { originalKeyId: claims.keyId, ...claims, tenant: tenantOf(claims) };
    },
  );
  return (token) => verify(token);
}

/**
 * Checks the token of a process that calls `service` on its own behalf, and that this process may call the endpoint.
 * The returned function throws {PlatformError} UNAUTHORIZED or FORBIDDEN.
 */
export function createProcessVerifier(keys: readonly ProcessKey[], service: ServiceName): VerifyProcess {
  const verify = createTokenVerifier(keys, service, ({ iss }) => iss);
  return (token, { subject, callers }) => {
    const issuer = verify(token);
    if (callers.some((process) => issuerOf(process) === issuer)) return;
    throw new PlatformError('FORBIDDEN', `This process may not call ${subject}.`);
  };
}

/**
 * The caller of `endpoint`, as signed by the gateway.
 *
 * @throws {PlatformError} UNAUTHORIZED; FORBIDDEN if the caller's request gives no right to call it
 */
export function callerOn(endpoint: RpcEndpoint, verify: VerifyIdentity, token: string | undefined): VerifiedIdentity {
  const who = verify(token);
  if (endpoint.scopes.some((scope) => allows(who.scopes, scope))) return who;
  throw new PlatformError(
    'FORBIDDEN',
    `This request needs the scope ${endpoint.scopes.join(' or ')}. Use a key that has it.`,
  );
}

/** A process's public key (base64 of SPKI DER). */
export interface ProcessKey {
  process: ProcessName;
  key: string;
}

type Claims = Record<string, unknown>;

/** Signs the result of `claims`; reuses the token for the same `about` for a while. */
function createTokenSigner(
  issuer: ProcessName,
  privateKeyBase64: string,
): (about: string, claims: () => Claims) => string {
  const privateKey = createPrivateKey({ key: Buffer.from(privateKeyBase64, 'base64'), format: 'der', type: 'pkcs8' });
  const sign = createSigner({
    algorithm: 'EdDSA',
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    kid: keyId(createPublicKey(privateKey)),
    iss: issuerOf(issuer),
    expiresIn: TOKEN_TTL_MS,
  });
  const recent = new LRUCache<string, { token: string; signedAtMs: number }>(atMost(CACHE_SIZE_MAX));
  return (about, claims) => {
    const known = recent.get(about);
    // By the wall clock, like its expiry: after the clock was set, an earlier token may have expired.
    const now = Date.now();
    const ageMs = now - (known?.signedAtMs ?? 0);
    if (known !== undefined && ageMs >= 0 && ageMs < TOKEN_REUSE_MS) return known.token;
    const token = sign(claims());
    recent.set(about, { token, signedAtMs: now });
    return token;
  };
}

/**
 * Returns `read` of the claims of a token that one of `keys` signed for `service`; throws {PlatformError} UNAUTHORIZED.
 */
function createTokenVerifier<T>(
  keys: readonly ProcessKey[],
  service: ServiceName,
  read: (payload: Claims) => T,
): (token: string | undefined) => T {
  const keysById = new Map(
    keys.map(({ process, key: encoded }) => {
      const key = createPublicKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'spki' });
      const verify = createVerifier({
        key: key.export({ format: 'pem', type: 'spki' }),
        algorithms: ['EdDSA'],
        allowedIss: issuerOf(process),
        allowedAud: service,
        clockTolerance: CLOCK_TOLERANCE_MS,
        requiredClaims: ['exp', 'aud', 'iss'],
        complete: true,
      });
      return [keyId(key), verify] as const;
    }),
  );
  const verified = new LRUCache<string, { claims: T & {}; expiresAtMs: number }>(atMost(CACHE_SIZE_MAX));

  return (token) => {
    if (token === undefined || token === '') throw unauthorized();
    const known = verified.get(token);
    if (known !== undefined) {
      if (known.expiresAtMs > Date.now()) return known.claims;
      throw unauthorized();
    }
    try {
      const header = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()) as {
        kid?: string;
      };
      const verify = keysById.get(header.kid ?? '');
      if (verify === undefined) throw new Error('unknown key id');
      const { payload } = verify(token) as { payload: Claims & { exp: number } };
      const claims = read(payload);
      verified.set(token, { claims: claims as T & {}, expiresAtMs: payload.exp * 1000 + CLOCK_TOLERANCE_MS });
      return claims;
    } catch (cause) {
      throw unauthorized(cause);
    }
  };
}

/** A new key pair for tokens, encoded as the settings expect. */
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
  return new PlatformError('UNAUTHORIZED', 'This service only accepts requests that the platform signed.', { cause });
}
