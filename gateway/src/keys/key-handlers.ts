import { PlatformError, type ResultOf } from '@event-commerce/contracts';
import { traceparentOf } from '@event-commerce/telemetry';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { Handlers } from '../own-operations.ts';
import { type ApiKey, isUsable } from './api-key.ts';
import type { IssuedKey, KeyAdmin } from './key-admin.ts';

type KeyOperation = 'createApiKey' | 'listApiKeys' | 'getApiKey' | 'rotateApiKey' | 'revokeApiKey';

/** Key administration over HTTP. */
export function keyHandlers(admin: KeyAdmin, clock: () => number): Pick<Handlers, KeyOperation> {
  const show = (key: ApiKey) => toRecord(key, new Date(clock()));
  const showIssued = ({ key, text }: IssuedKey) => ({ ...show(key), key: text });

  return {
    createApiKey: async (request, { body }) => {
      const issued = await admin.create(callerOf(request), body, request.heldKey?.attempt, askedBy(request));
      const { environment, scopes, expires } = issued.key;
      note(request, 'api-key-issued', issued.key, { environment, scopes, expires });
      return showIssued(issued);
    },

    listApiKeys: async (request, { query }) => {
      const { data, page } = await admin.page(callerOf(request), query);
      return { data: data.map(show), page };
    },

    getApiKey: async (request, { params: { id } }) => show(await admin.find(callerOf(request), id)),

    rotateApiKey: async (request, { params: { id }, body: { overlapSeconds } }) => {
      const { attempt } = request.heldKey ?? {};
      const issued = await admin.rotate(callerOf(request), id, overlapSeconds, attempt, askedBy(request));
      note(request, 'api-key-rotated', { ...issued.key, id }, { rotatedTo: issued.key.id, overlapSeconds });
      return showIssued(issued);
    },

    revokeApiKey: async (request, { params: { id } }) => {
      const revoked = await admin.revoke(callerOf(request), id, askedBy(request));
      note(request, 'api-key-revoked', revoked);
      return show(revoked);
    },
  };
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new PlatformError('UNAUTHORIZED', 'Send your API key as "Authorization: Bearer <key>".');
  return request.caller;
}

function askedBy({ id, raw }: FastifyRequest) {
  return { requestId: id, traceparent: traceparentOf(raw) };
}

/** The audit line of a change of `key`, without the key's name, which may be a person's. */
function note(request: FastifyRequest, audit: string, key: Pick<ApiKey, 'id' | 'companyId'>, more: object = {}): void {
  const by = callerOf(request).keyId;
  request.log.info(
    { audit, by, client: request.ip, keyId: key.id, companyId: key.companyId, ...more },
    'an API key changed',
  );
}

/** A key as callers see it. */
function toRecord(key: ApiKey, now: Date): ResultOf<'getApiKey'> {
  return {
    id: key.id,
    companyId: key.companyId,
    name: key.name,
    scopes: key.scopes,
    environment: key.environment,
    rateLimit: key.rateLimit,
    status: key.revoked !== null ? 'revoked' : isUsable(key, now) ? 'active' : 'expired',
    created: key.created.toISOString(),
    createdBy: key.createdBy,
    lastUsed: key.lastUsed?.toISOString() ?? null,
    expires: key.expires?.toISOString() ?? null,
    revoked: key.revoked?.toISOString() ?? null,
    rotatedTo: key.rotatedTo,
  };
}
