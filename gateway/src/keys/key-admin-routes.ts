import { createKeyBody, listKeysQuery, PlatformError, rotateKeyBody } from '@event-commerce/contracts';
import { acceptJsonOnly, afterCursor, toPage, validate, validateRequest } from '@event-commerce/service-kit';
import { traceparentOf } from '@event-commerce/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { type ApiKey, isUsable } from './api-key.ts';
import type { IssuedKey, KeyAdmin } from './key-admin.ts';
import { keyParams } from './key-admin.schemas.ts';

/** Key administration over HTTP. */
export async function keyAdminRoutes(
  app: FastifyInstance,
  options: { admin: KeyAdmin; clock: () => number },
): Promise<void> {
  const { admin, clock } = options;
  const config = { scope: 'keys:admin', envelope: 'status' } as const;
  acceptJsonOnly(app);

  const show = (key: ApiKey) => toRecord(key, new Date(clock()));
  const showIssued = ({ key, text }: IssuedKey) => ({ ...show(key), key: text });

  // A repeat cannot be shown the new key again, because it is kept nowhere.
  const withSecret = { ...config, onRepeat: 'refuse' } as const;
  app.post('/admin/keys', { config: withSecret }, async (request, reply) => {
    const issued = await admin.create(
      callerOf(request),
      validateRequest(createKeyBody, request.body),
      request.heldKey?.attempt,
    );
    const { environment, scopes, expires } = issued.key;
    note(request, 'api-key-issued', issued.key, { environment, scopes, expires });
    reply.code(201);
    return { status: 'ok', data: showIssued(issued) };
  });

  app.get('/admin/keys', { config }, async (request) => {
    const query = validateRequest(listKeysQuery, request.query, 'query');
    const found = await admin.list(callerOf(request), {
      companyId: query.companyId,
      environment: query.environment,
      after: afterCursor(query, 'keys'),
      limit: query.limit + 1,
    });
    return {
      status: 'ok',
      ...toPage({ records: found.slice(0, query.limit).map(show), more: found.length > query.limit }, query, 'keys'),
    };
  });

  app.get('/admin/keys/:id', { config }, async (request) => {
    const { id } = validate(keyParams, request.params, 'path');
    return { status: 'ok', data: show(await admin.find(callerOf(request), id)) };
  });

  app.post('/admin/keys/:id/rotate', { config: withSecret }, async (request, reply) => {
    const { id } = validate(keyParams, request.params, 'path');
    const { overlapSeconds } = validateRequest(rotateKeyBody, request.body);
    const issued = await admin.rotate(callerOf(request), id, overlapSeconds, request.heldKey?.attempt);
    note(request, 'api-key-rotated', { ...issued.key, id }, { rotatedTo: issued.key.id, overlapSeconds });
    reply.code(201);
    return { status: 'ok', data: showIssued(issued) };
  });

  app.post('/admin/keys/:id/revoke', { config: { ...config, onRepeat: 'replay' } }, async (request) => {
    const { id } = validate(keyParams, request.params, 'path');
    const revoked = await admin.revoke(callerOf(request), id, traceparentOf(request.raw));
    note(request, 'api-key-revoked', revoked);
    return { status: 'ok', data: show(revoked) };
  });
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new PlatformError('UNAUTHORIZED', 'Send your API key.');
  return request.caller;
}

/** The audit line of a change of `key`; the key's name stays out, because it may be a person's. */
function note(request: FastifyRequest, audit: string, key: Pick<ApiKey, 'id' | 'companyId'>, more: object = {}): void {
  const by = callerOf(request).keyId;
  request.log.info(
    { audit, by, client: request.ip, keyId: key.id, companyId: key.companyId, ...more },
    'an API key changed',
  );
}

/** A key as callers see it. */
function toRecord(key: ApiKey, now: Date) {
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
