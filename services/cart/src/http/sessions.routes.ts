import {
  cartItemInput,
  type CartSession,
  cartSessionInput,
  cartSessionPatch,
  joinTableInput,
  pathId,
  recordId,
} from '@event-commerce/contracts';
import { callerOf, makeOnce, type ServiceApp } from '@event-commerce/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseIfMatch } from '../domain/if-match.ts';
import { isAlive } from '../store/session.repository.ts';
import type { ChangeSession } from '../use-cases/change-session.ts';
import type { JoinTable } from '../use-cases/join-table.ts';
import { type ReadDeps, readSession, showSession } from '../use-cases/read-session.ts';

const byId = z.object({ id: pathId });
/** For the one route that makes what it does not find. */
const byNewId = z.object({ id: recordId });

export interface SessionRoutesDeps extends ReadDeps {
  changeSession: ChangeSession;
  joinTable: JoinTable;
}

/** `/cart/sessions`. */
export function sessionRoutes(app: ServiceApp, deps: SessionRoutesDeps): void {
  app.post('/cart/sessions', { schema: { body: cartSessionInput } }, async (request, reply) => {
    const { caller, ifMatch } = asked(request);
    const { id: ownId, ...input } = request.body;
    const session = await makeOnce(caller, 'cs', {
      find: async (key) => {
        const standing = await deps.sessions.load(caller.tenant, ownId ?? key);
        const isIt = isAlive(standing, deps.clock()) && (standing.madeAs ?? standing.sessionId) === key;
        return isIt ? await showSession(deps, caller, standing) : undefined;
      },
      make: (key) =>
        deps.changeSession({ caller, ifMatch, id: ownId ?? key, madeAs: key, change: { kind: 'create', input } }),
    });
    return answer(reply.code(201), session);
  });

  app.get('/cart/sessions/:id', { schema: { params: byId } }, async (request, reply) =>
    answer(reply, await readSession(deps, callerOf(request), request.params.id)),
  );

  app.patch('/cart/sessions/:id', { schema: { params: byId, body: cartSessionPatch } }, async (request, reply) => {
    const change = { kind: 'patch', input: request.body } as const;
    return answer(reply, await deps.changeSession({ ...asked(request), id: request.params.id, change }));
  });

  app.post('/cart/sessions/:id/item', { schema: { params: byNewId, body: cartItemInput } }, async (request, reply) => {
    const change = { kind: 'set-item', input: request.body } as const;
    return answer(reply, await deps.changeSession({ ...asked(request), id: request.params.id, change }));
  });

  app.post(
    '/cart/sessions/:id/join-table',
    { schema: { params: byId, body: joinTableInput } },
    async (request, reply) => {
      const { caller, ifMatch } = asked(request);
      const { tableCommitmentId: tableId } = request.body;
      const joined = await deps.joinTable({ caller, sessionId: request.params.id, tableId, ifMatch });
      return answer(reply, await showSession(deps, caller, joined));
    },
  );
}

function asked(request: FastifyRequest) {
  return { caller: callerOf(request), ifMatch: parseIfMatch(request.headers['if-match']) };
}

function answer(reply: FastifyReply, data: CartSession): FastifyReply {
  return reply.header('etag', `"${data.version}"`).send({ data });
}
