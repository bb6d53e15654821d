import { allows, type CreateKeyBody, type KeyEnvironment, PlatformError, type Scope } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { Caller } from '../auth/caller.ts';
import { createKeyText, hashSecret } from '../auth/key-format.ts';
import type { RateLimit } from '../limit/rate-limit.ts';
import { type ApiKey, isUsable } from './api-key.ts';
import type { ApiKeyRepository } from './api-key.repository.ts';

/** Who administers: a company's key its own company, the root key all of them. */
export type Administrator = Pick<Caller, 'companyId' | 'scopes' | 'rateLimit'>;

export interface IssuedKey {
  key: ApiKey;
  /** The key itself: shown once, kept nowhere. */
  text: string;
}

export type KeyAdmin = ReturnType<typeof createKeyAdmin>;

/**
 * Issuing, listing, rotating and revoking keys. Nobody passes on more than they hold: no scope, no other company, no
 * higher limit. `onChange` hears the id of each key that a gateway must read anew.
 */
export function createKeyAdmin(options: {
  repository: ApiKeyRepository;
  defaultRateLimit: RateLimit;
  environment: KeyEnvironment;
  clock: () => number;
  onChange: (keyId: string) => void;
}) {
  const { repository, clock, onChange } = options;

  async function find(by: Administrator, id: string): Promise<ApiKey> {
    const key = await repository.find(companyOf(by), id);
    if (key === undefined) throw notFound();
    return key;
  }

  type Wanted = Omit<ApiKey, 'id' | 'secretHash' | 'created' | 'lastUsed' | 'revoked' | 'rotatedTo' | 'version'>;
  async function issue(key: Wanted): Promise<IssuedKey> {
    const id = newId('key');
    const { text, secret } = createKeyText(key.environment, id);
    const issued: ApiKey = {
      ...key,
      id,
      secretHash: hashSecret(secret),
      created: new Date(clock()),
      lastUsed: null,
      revoked: null,
      rotatedTo: null,
      version: 1,
    };
    await repository.insert(issued);
    return { key: issued, text };
  }

  return {
    find,

    async create(by: Administrator, body: CreateKeyBody): Promise<IssuedKey> {
      const companyId = body.companyId ?? by.companyId;
      if (companyId === undefined) {
        const detail = { path: 'companyId', message: 'is required with the root key' };
        throw new PlatformError('VALIDATION_FAILED', `companyId: ${detail.message}`, { details: [detail] });
      }
      const expires = body.expiresAt ? new Date(body.expiresAt) : null;
      if (expires !== null && expires.getTime() <= clock()) {
        const detail = { path: 'expiresAt', message: 'must be in the future' };
        throw new PlatformError('VALIDATION_FAILED', `expiresAt: ${detail.message}`, { details: [detail] });
      }
      const rateLimit = body.rateLimit ?? null;
      refuseMoreThanHeld(by, { companyId, scopes: body.scopes, rateLimit: rateLimit ?? options.defaultRateLimit });
      return await issue({
        companyId,
        name: body.name,
        scopes: body.scopes,
        rateLimit,
        expires,
        environment: body.environment ?? options.environment,
      });
    },

    async list(
      by: Administrator,
      query: { companyId?: string | undefined; after: string | undefined; limit: number },
    ): Promise<ApiKey[]> {
      if (by.companyId !== undefined && query.companyId !== undefined && query.companyId !== by.companyId) {
        throw otherCompany();
      }
      return await repository.list(query.companyId ?? companyOf(by), query);
    },

    /** A new key in the place of `id`, which goes on working for `overlapSeconds` (but not past its own end). */
    async rotate(by: Administrator, id: string, overlapSeconds: number): Promise<IssuedKey> {
      const old = await find(by, id);
      refuseMoreThanHeld(by, { ...old, rateLimit: old.rateLimit ?? options.defaultRateLimit });
      const now = new Date(clock());
      if (old.rotatedTo !== null || !isUsable(old, now)) throw notRotatable();

      const end = new Date(now.getTime() + overlapSeconds * 1000);
      const issued = await issue({ ...old });
      // The new key exists before the old one points to it; if this process ends in between, nobody has its secret.
      if (!(await repository.markRotated(old, issued.key.id, old.expires && old.expires < end ? old.expires : end))) {
        await repository.remove(old.companyId, issued.key.id);
        throw notRotatable();
      }
      onChange(old.id);
      return issued;
    },

    /** Ends the key at once; doing it again changes nothing. */
    async revoke(by: Administrator, id: string, traceparent?: string): Promise<ApiKey> {
      const key = await repository.revoke(companyOf(by), id, new Date(clock()), traceparent);
      if (key === undefined) throw notFound();
      onChange(key.id);
      return key;
    },
  };
}

function companyOf(by: Administrator): string | null {
  return by.companyId ?? null;
}

function refuseMoreThanHeld(
  by: Administrator,
  wanted: { companyId: string; scopes: readonly Scope[]; rateLimit: RateLimit },
): void {
  // The root key is the source of every right, so there is nothing it could exceed.
  if (by.companyId === undefined) return;
  if (wanted.companyId !== by.companyId) throw otherCompany();
  const missing = wanted.scopes.find((scope) => !allows(by.scopes, scope));
  if (missing !== undefined) {
    throw new PlatformError('FORBIDDEN', `A key can only be given scopes that yours holds; yours lacks ${missing}.`);
  }
  if (wanted.rateLimit.perSecond > by.rateLimit.perSecond || wanted.rateLimit.burst > by.rateLimit.burst) {
    throw new PlatformError('FORBIDDEN', 'A key can not be given a higher rate limit than yours has.');
  }
}

function otherCompany(): PlatformError {
  return new PlatformError('FORBIDDEN', 'Your key administers the keys of its own company only.');
}

function notFound(): PlatformError {
  return new PlatformError('API_KEY_NOT_FOUND', 'There is no API key with this id.');
}

function notRotatable(): PlatformError {
  return new PlatformError('VERSION_CONFLICT', 'This key was already rotated or revoked, or has expired.');
}
