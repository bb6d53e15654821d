import { offeringInput, offeringListQuery, offeringPatch, pathId } from '@event-commerce/contracts';
import { callerOf, type ServiceApp } from '@event-commerce/service-kit';
import { z } from 'zod';
import { toOffering } from '../store/offering.repository.ts';
import { changeOffering, type ChangeOfferingDeps, createOffering, findOffering } from '../use-cases/change-offering.ts';
import { findEvent, type ReadEventsDeps } from '../use-cases/read-events.ts';

const byId = z.object({ id: pathId });

/** The offering catalogue: `/events/:id/offerings` and `/offerings/:id`. */
export function offeringRoutes(app: ServiceApp, deps: ChangeOfferingDeps & ReadEventsDeps): void {
  app.post('/events/:id/offerings', { schema: { params: byId, body: offeringInput } }, async (request, reply) => {
    const created = await createOffering(deps, callerOf(request), request.params.id, request.body);
    return reply.code(201).send({ data: toOffering(created) });
  });

  app.get('/events/:id/offerings', { schema: { params: byId, querystring: offeringListQuery } }, async (request) => {
    const { tenant } = request.identity;
    const [page] = await Promise.all([
      deps.offerings.page(tenant, request.params.id, request.query),
      findEvent(deps, tenant, request.params.id),
    ]);
    return page;
  });

  app.get('/offerings/:id', { schema: { params: byId } }, async (request) => ({
    data: toOffering(await findOffering(deps, request.identity.tenant, request.params.id)),
  }));

  app.patch('/offerings/:id', { schema: { params: byId, body: offeringPatch } }, async (request) => ({
    data: toOffering(await changeOffering(deps, callerOf(request), request.params.id, request.body)),
  }));
}
