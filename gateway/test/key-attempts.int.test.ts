import type { Attempt, PlatformError } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { newCompanyId, newDatabase } from '@event-commerce/test-kit';
import { beforeAll, expect, inject, test } from 'vitest';
import { hashSecret, parseKeyText } from '../src/auth/key-format.ts';
import { type ApiKeyRepository, apiKeyModel, createApiKeyRepository } from '../src/keys/api-key.repository.ts';
import { createKeyAdmin, type IssuedKey } from '../src/keys/key-admin.ts';

const RATE_LIMIT = { perSecond: 100, burst: 100 };
const root = { keyId: 'root', identity: undefined, shared: null, scopes: [], expires: null, rateLimit: RATE_LIMIT };

let repository: ApiKeyRepository;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  repository = createApiKeyRepository(apiKeyModel(connection), { publish: () => {} });
  return drop;
});

const adminOf = (keys: ApiKeyRepository) =>
  createKeyAdmin({
    repository: keys,
    defaultRateLimit: RATE_LIMIT,
    environment: 'live',
    keysMax: 10,
    clock: Date.now,
    onChange: () => {},
  });

async function oldKey(): Promise<string> {
  const { key } = await adminOf(repository).create(root, { companyId: newCompanyId(), name: 'n', scopes: ['*'] });
  return key.id;
}

/** Two attempts of the same request: the first one, and one that was sent after it had lapsed. */
function attempts(): [Attempt, Attempt] {
  const idSuffix = newId('key').slice('key_'.length);
  return [
    { idSuffix, repeated: false },
    { idSuffix, repeated: true },
  ];
}

/** A rotation that has stored its new key, and marks the old one only when the test says so. */
async function pausedRotation(oldId: string, attempt: Attempt) {
  const reached = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const slow: ApiKeyRepository = {
    ...repository,
    markRotated: async (...args) => {
      reached.resolve();
      await resumed.promise;
      return await repository.markRotated(...args);
    },
  };
  const rotation = adminOf(slow).rotate(root, oldId, 0, attempt);
  const outcome = rotation.catch((error: unknown) => error as PlatformError);
  await reached.promise;
  return async () => {
    resumed.resolve();
    return await outcome;
  };
}

/** Whether the returned text opens the key that replaced `oldId`. */
async function opens({ key, text }: IssuedKey, oldId: string): Promise<boolean> {
  const stored = await repository.findById((await repository.findById(oldId))?.rotatedTo ?? '');
  const secret = parseKeyText(text)?.secret ?? '';
  return stored?.id === key.id && stored.revoked === null && stored.secretHash.equals(hashSecret(secret));
}

test('a delayed rotation leaves the key that its repeat returned', async () => {
  const id = await oldKey();
  const [first, again] = attempts();
  const resume = await pausedRotation(id, first);
  const given = await adminOf(repository).rotate(root, id, 0, again);
  await resume();
  expect(await opens(given, id)).toBe(true);
});

test('a repeat that another attempt overtook returns the key that works', async () => {
  const id = await oldKey();
  const [first, again] = attempts();
  const resumeFirst = await pausedRotation(id, first);
  const resumeAgain = await pausedRotation(id, again);
  await resumeFirst();
  expect(await opens((await resumeAgain()) as IssuedKey, id)).toBe(true);
});

test('a rotation that another request overtook removes its own key', async () => {
  const id = await oldKey();
  const resume = await pausedRotation(id, attempts()[0]);
  const given = await adminOf(repository).rotate(root, id, 0, attempts()[0]);
  expect(await resume()).toMatchObject({ code: 'VERSION_CONFLICT' });
  expect(await opens(given, id)).toBe(true);
  const { companyId } = given.key;
  expect((await repository.page({ companyId }, { limit: 10 })).data).toHaveLength(2);
});

test.each(['create', 'rotate'])('a repeat of %s does not give out a key that was revoked', async (how) => {
  const id = await oldKey();
  const body = { companyId: newCompanyId(), name: 'n', scopes: ['*'] as ['*'] };
  const admin = adminOf(repository);
  const run = async (attempt: Attempt) =>
    how === 'create' ? await admin.create(root, body, attempt) : await admin.rotate(root, id, 0, attempt);
  const [first, again] = attempts();
  const { key } = await run(first);
  await admin.revoke(root, key.id);
  await expect(run(again)).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
    message: expect.stringContaining(key.id.slice('key'.length)),
  });
});
