import { pathId, PlatformError, tableCommitmentInput } from '@event-commerce/contracts';
import { callerOf, makeOnce, type ServiceApp } from '@event-commerce/service-kit';
import { z } from 'zod';
import { type TableRepository, toTableCommitment } from '../store/table.repository.ts';
import { tableNotFound } from '../use-cases/join-table.ts';

const byId = z.object({ id: pathId });

export interface TableCommitmentRoutesDeps {
  tables: TableRepository;
  clock: () => Date;
}

/** `/cart/table-commitments`. */
export function tableCommitmentRoutes(app: ServiceApp, deps: TableCommitmentRoutesDeps): void {
  app.post('/cart/table-commitments', { schema: { body: tableCommitmentInput } }, async (request, reply) => {
    const caller = callerOf(request);
    const { id: ownId, ...input } = request.body;
    const table = await makeOnce(caller, 'tbl', {
      find: async (key) => {
        const standing = await deps.tables.load(caller.tenant, ownId ?? key);
        return standing !== undefined && (standing.madeAs ?? standing.tableId) === key ? standing : undefined;
      },
      make: async (key) => {
        const id = ownId ?? key;
        const made = await deps.tables.create(caller.tenant, { id, madeAs: key }, input, deps.clock());
        if (made === undefined) throw new PlatformError('ALREADY_EXISTS', `Table commitment ${id} already exists.`);
        return made;
      },
    });
    return reply.code(201).send({ data: toTableCommitment(table) });
  });

  app.get('/cart/table-commitments/:id', { schema: { params: byId } }, async (request) => {
    const table = await deps.tables.load(request.identity.tenant, request.params.id);
    if (table === undefined) throw tableNotFound(request.params.id);
    return { data: toTableCommitment(table) };
  });

  app.post('/cart/table-commitments/:id/close', { schema: { params: byId } }, async (request) => {
    const table = await deps.tables.close(request.identity.tenant, request.params.id);
    if (table === undefined) throw tableNotFound(request.params.id);
    return { data: toTableCommitment(table) };
  });
}
