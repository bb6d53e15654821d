import { apiKey, createKeyBody, issuedApiKey, listKeysQuery, rotateKeyBody } from './api-key.ts';
import {
  keyNotFound,
  keyNotRotatable,
  otherCompanysKeys,
  otherWorldsKeys,
  scopeNotHeld,
  tooManyKeys,
} from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';

const KEY = exampleId('key', 1);
const ROTATED = exampleId('key', 2);

const theKey = ids({ id: 'The key: `key_...`, not its text.' });

export const KEY_OPERATIONS = operations('gateway', 'API keys', {
  createApiKey: {
    method: 'POST',
    path: '/admin/keys',
    summary: 'Issue an API key',
    description:
      "The response shows the key itself, only this once: it is not stored. Records made with a `test` key are invisible to `live` keys, and the reverse. With a company's key you can create keys only for the same company and environment, with no scope, rate limit or lifetime beyond its own; without `expiresAt` the new key ends with it. The operator's key creates keys for every company. A repeat with the same Idempotency-Key gets 409 `ALREADY_EXISTS`.",
    scope: 'keys:admin',
    onRepeat: 'refuse',
    body: createKeyBody,
    answer: { statuses: { 201: 'The key was issued.' }, data: issuedApiKey },
    errors: [scopeNotHeld, otherCompanysKeys, otherWorldsKeys, tooManyKeys],
    examples: {
      shop: {
        summary: 'A web shop',
        body: { companyId: 'demo', name: 'web shop', scopes: ['pricing:evaluate', 'carts:write', 'orders:checkout'] },
        makes: { 'data.id': KEY },
      },
    },
  },
  listApiKeys: {
    method: 'GET',
    path: '/admin/keys',
    summary: 'List API keys',
    description:
      "Newest first. Revoked and expired keys are listed for 90 days. `companyId` and `environment` are for the operator's key, which lists all keys by default.",
    scope: 'keys:admin',
    query: listKeysQuery,
    answer: { statuses: { 200: 'One page of keys.' }, data: apiKey, form: 'list' },
    errors: [otherCompanysKeys, otherWorldsKeys],
    examples: { newest: { summary: 'The newest key', query: { companyId: 'demo', limit: '1' } } },
  },
  getApiKey: {
    method: 'GET',
    path: '/admin/keys/{id}',
    summary: 'Read an API key',
    scope: 'keys:admin',
    params: theKey,
    answer: { statuses: { 200: 'The key, without its secret.' }, data: apiKey },
    errors: [keyNotFound],
    examples: { shop: { summary: 'A key', path: { id: KEY } } },
  },
  rotateApiKey: {
    method: 'POST',
    path: '/admin/keys/{id}/rotate',
    summary: 'Rotate an API key',
    description: 'Issues a new key. The old one keeps working for `overlapSeconds`; without them it ends at once.',
    scope: 'keys:admin',
    onRepeat: 'refuse',
    params: theKey,
    body: rotateKeyBody,
    answer: { statuses: { 201: 'The new key.' }, data: issuedApiKey },
    errors: [keyNotFound, scopeNotHeld, keyNotRotatable, tooManyKeys],
    examples: {
      overlap: {
        summary: 'The old key works for another hour',
        path: { id: KEY },
        body: { overlapSeconds: 3600 },
        makes: { 'data.id': ROTATED },
      },
    },
  },
  revokeApiKey: {
    method: 'POST',
    path: '/admin/keys/{id}/revoke',
    summary: 'Revoke an API key',
    description: 'The key stops working everywhere within a second. Revoking it again changes nothing.',
    scope: 'keys:admin',
    params: theKey,
    answer: { statuses: { 200: 'The revoked key.' }, data: apiKey },
    errors: [keyNotFound],
    examples: { old: { summary: 'The old key at once', path: { id: KEY } } },
  },
} satisfies Declarations);
