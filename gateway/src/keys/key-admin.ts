import {
  allows,
  answerNotKept,
  type Attempt,
  type Cause,
  type CompanyUsage,
  type CreateKeyBody,
  invalidInput,
  type KeyEnvironment,
  keyNotFound,
  keyNotRotatable,
  otherCompanysKeys,
  otherWorldsKeys,
  type Page,
  type PageQuery,
  PlatformError,
  type Scope,
  scopeNotHeld,
  tooManyKeys,
} from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { Caller } from '../auth/caller.ts';
import { createKeyText, hashSecret } from '../auth/key-format.ts';
import type { RateLimit } from '../limit/rate-limit.ts';
import { type ApiKey, isUsable, sharedLimitOf } from './api-key.ts';
import type { ApiKeyRepository, KeyOwner } from './api-key.repository.ts';

/** The caller: a company's key manages the keys of its own company and environment, the root key all keys. */
type Administrator = Pick<Caller, 'keyId' | 'identity' | 'shared' | 'scopes' | 'expires' | 'rateLimit'>;

/** The request that asks for a change, as its events name it. */
type Asked = Pick<Cause, 'requestId' | 'traceparent'>;

export interface IssuedKey {
  key: ApiKey;
  /** The key itself: shown once, never stored. */
  text: string;
}

export type KeyAdmin = ReturnType<typeof createKeyAdmin>;

/**
 * Issues, lists, rotates and revokes keys. A caller cannot grant more than its own key has: no further scope, no other
 * company, no higher limit, no later expiry. `onChange` receives the id of each key that gateways must reload.
 */
export function createKeyAdmin(options: {
  repository: ApiKeyRepository;
  defaultRateLimit: RateLimit;
  environment: KeyEnvironment;
  /** How many active keys a company may have in each environment. */
  keysMax: number;
  clock: () => number;
  onChange: (keyId: string) => void;
}) {
  const { repository, clock, onChange } = options;

  async function find(by: Administrator, id: string): Promise<ApiKey> {
    const key = await repository.find(managedBy(by), id);
    if (key === undefined) throw keyNotFound();
    return key;
  }

  /**
   * Refuses what `by` may no longer do: since its request began, it may have been revoked, or rotated so that it ends
   * now or soon. The root key is not in the database.
   */
  async function refuseEnded(by: Administrator, issued: ApiKey, replaces: boolean): Promise<void> {
    if (by.identity === undefined) return;
    const now = await repository.findById(by.keyId);
    if (now === undefined || !isUsable(now, new Date(clock()))) {
      throw new PlatformError('UNAUTHORIZED', 'This API key was revoked or rotated. Use another key.');
    }
    // A key that replaces another expires when the other would have.
    if (!replaces) refuseLaterEnd(now.expires, issued.expires);
  }

  type Given = 'id' | 'secretHash' | 'created' | 'createdBy' | 'lastUsed' | 'revoked' | 'rotatedTo' | 'version';
  type Wanted = Omit<ApiKey, Given>;
  /** The key, and a function that publishes its creation. */
  async function issue(
    by: Administrator,
    key: Wanted,
    { attempt, replaces = false, cause }: { attempt: Attempt | undefined; replaces?: boolean; cause: Cause },
  ): Promise<{ issued: IssuedKey; publish: () => void }> {
    const id = attempt === undefined ? newId('key') : idFor(attempt);
    const { text, secret } = createKeyText(key.environment, id);
    const secretHash = hashSecret(secret);
    // An interrupted attempt may have created the key. Nobody has seen its text, so it gets a new one.
    const earlier = attempt?.repeated ? await repository.renewSecret(id, secretHash) : undefined;
    if (earlier !== undefined) onChange(id);
    else if (attempt?.repeated && (await repository.findById(id)) !== undefined) throw answerNotKept(attempt.idSuffix);
    const issued: ApiKey = earlier ?? {
      ...key,
      id,
      secretHash,
      created: new Date(clock()),
      createdBy: by.keyId,
      lastUsed: null,
      revoked: null,
      rotatedTo: null,
      version: 1,
    };
    const publish = earlier === undefined ? await repository.insert(issued, cause) : () => undefined;
    try {
      // Only after the new key is stored: a caller that revokes or rotates a key and then lists keys sees all that it
      // has issued.
      await refuseEnded(by, issued, replaces);
    } catch (error) {
      await repository.remove(issued);
      throw error;
    }
    if (earlier !== undefined) return { issued: { key: earlier, text }, publish };
    // Counted with it, so that concurrent requests cannot exceed the limit. During a rotation both keys may be active.
    const most = options.keysMax * (replaces ? 2 : 1);
    if ((await repository.countUsable(issued, issued.created)) > most) {
      await repository.remove(issued);
      throw tooManyKeys(most);
    }
    return { issued: { key: issued, text }, publish };
  }

  return {
    find,

    async create(by: Administrator, body: CreateKeyBody, attempt?: Attempt, request: Asked = {}): Promise<IssuedKey> {
      const companyId = body.companyId ?? by.identity?.companyId;
      if (companyId === undefined) {
        throw invalidInput('companyId', "is required with the operator's key: it says for which company the key is");
      }
      const expires = body.expiresAt ? new Date(body.expiresAt) : by.expires;
      if (expires !== null && expires.getTime() <= clock()) {
        throw invalidInput('expiresAt', `must be in the future (got ${expires.toISOString()})`);
      }
      const rateLimit = body.rateLimit ?? null;
      const environment = body.environment ?? by.identity?.environment ?? options.environment;
      const { scopes } = body;
      const limit = rateLimit ?? options.defaultRateLimit;
      refuseMoreThanHeld(by, { companyId, environment, scopes, expires, rateLimit: limit });
      const { issued, publish } = await issue(
        by,
        {
          companyId,
          name: body.name,
          scopes,
          rateLimit,
          expires,
          environment,
          shared: by.shared,
          originalId: null,
        },
        { attempt, cause: causeOf(by, request) },
      );
      publish();
      return issued;
    },

    async page(by: Administrator, query: KeyOwner & PageQuery): Promise<Page<ApiKey>> {
      const { companyId = by.identity?.companyId, environment = by.identity?.environment } = query;
      const owner = { companyId, environment };
      refuseOthers(by, owner);
      return await repository.page(owner, query);
    },

    /** How many active keys the company has in one environment, and how many it may have. */
    async usage(of: Pick<ApiKey, 'companyId' | 'environment'>): Promise<CompanyUsage['quotas']['apiKeys']> {
      return { count: { used: await repository.countUsable(of, new Date(clock())), limit: options.keysMax } };
    },

    /** A new key that replaces `id`, which keeps working for `overlapSeconds` (but not past its own expiry). */
    async rotate(
      by: Administrator,
      id: string,
      overlapSeconds: number,
      attempt?: Attempt,
      request: Asked = {},
    ): Promise<IssuedKey> {
      const old = await find(by, id);
      refuseMoreThanHeld(by, { ...old, rateLimit: old.rateLimit ?? options.defaultRateLimit });
      const now = new Date(clock());
      const replacement = { ...old, shared: sharedLimitOf(old), originalId: old.originalId ?? old.id };
      const cause = causeOf(by, request);
      const how = { attempt, replaces: true, cause };
      if (attempt?.repeated && old.rotatedTo === idFor(attempt)) return (await issue(by, replacement, how)).issued;
      if (old.rotatedTo !== null || !isUsable(old, now)) throw keyNotRotatable();

      const end = new Date(now.getTime() + overlapSeconds * 1000);
      const { issued, publish } = await issue(by, replacement, how);
      const expires = old.expires && old.expires < end ? old.expires : end;
      // The new key is stored before the old one points to it; if this process is killed in between, nobody has its
      // secret.
      if (!(await repository.markRotated(old, issued.key.id, { expires, now, cause }))) {
        await repository.remove(issued.key);
        throw keyNotRotatable();
      }
      publish();
      onChange(old.id);
      return issued;
    },

    /** Revokes the key at once. Safe to repeat. */
    async revoke(by: Administrator, id: string, request: Asked = {}): Promise<ApiKey> {
      const key = await repository.revoke(managedBy(by), id, new Date(clock()), causeOf(by, request));
      if (key === undefined) throw keyNotFound();
      onChange(key.id);
      return key;
    },
  };
}

function idFor({ idSuffix }: Attempt): string {
  return `key_${idSuffix}`;
}

function causeOf({ keyId, identity }: Administrator, request: Asked): Cause {
  return { keyId, keyName: identity?.keyName, ...request };
}

/** The keys that `by` manages: the root key manages all. */
function managedBy(by: Administrator): KeyOwner {
  return by.identity ?? {};
}

function refuseOthers({ identity }: Administrator, wanted: KeyOwner): void {
  // The root key is the source of all rights, so it cannot exceed any.
  if (identity === undefined) return;
  if (wanted.companyId !== identity.companyId) throw otherCompanysKeys();
  if (wanted.environment !== identity.environment) throw otherWorldsKeys(identity.environment);
}

function refuseMoreThanHeld(
  by: Administrator,
  wanted: KeyOwner & { scopes: readonly Scope[]; expires: Date | null; rateLimit: RateLimit },
): void {
  refuseOthers(by, wanted);
  if (by.identity === undefined) return;
  const missing = wanted.scopes.find((scope) => !allows(by.scopes, scope));
  if (missing !== undefined) {
    throw scopeNotHeld(missing);
  }
  refuseLaterEnd(by.expires, wanted.expires);
  if (wanted.rateLimit.perSecond > by.rateLimit.perSecond || wanted.rateLimit.burst > by.rateLimit.burst) {
    throw new PlatformError(
      'FORBIDDEN',
      `rateLimit cannot be higher than that of your key: perSecond ${by.rateLimit.perSecond}, burst ${by.rateLimit.burst}.`,
    );
  }
}

function refuseLaterEnd(held: Date | null, wanted: Date | null): void {
  if (held === null || (wanted !== null && wanted <= held)) return;
  const end = held.toISOString();
  throw new PlatformError('FORBIDDEN', `expiresAt cannot be later than the end of your key, ${end}.`);
}
