import { PlatformError, tableCommitmentInput } from '@event-commerce/contracts';
import { newId, type ServiceApp } from '@event-commerce/service-kit';
import { z } from 'zod';
import { type TableRepository, toTableCommitment } from '../store/table.repository.ts';
import { tableNotFound } from '../use-cases/join-table.ts';

const byId = z.object({ id: z.string().max(128) });

export interface TableCommitmentRoutesDeps {
  tables: TableRepository;
  clock: () => Date;
}

/** `/cart/table-commitments`. */
export function tableCommitmentRoutes(app: ServiceApp, deps: TableCommitmentRoutesDeps): void {
  app.post('/cart/table-commitments', { schema: { body: tableCommitmentInput } }, async (request, reply) => {
    const { id = newId('tbl'), ...input } = request.body;
    const table = await deps.tables.create(request.identity.tenant, id, input, deps.clock());
    if (table === undefined) throw new PlatformError('ALREADY_EXISTS', `There is a table commitment ${id} already.`);
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
