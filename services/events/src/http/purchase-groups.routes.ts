import { mergeInput, pathId as id, purchaseGroupInput, purchaseGroupListQuery } from '@event-commerce/contracts';
import { callerOf, makeOnce, type ServiceApp, toPage } from '@event-commerce/service-kit';
import { z } from 'zod';
import { toPurchaseGroup } from '../store/purchase-group.repository.ts';
import { groupNotFound, mergeGroups, type MergeGroupsDeps } from '../use-cases/merge-groups.ts';
import { findEvent, type ReadEventsDeps } from '../use-cases/read-events.ts';

const byEvent = z.object({ id });
const byGroup = z.object({ id, pgid: id });

/** `/events/:id/purchase-groups`. */
export function purchaseGroupRoutes(app: ServiceApp, deps: MergeGroupsDeps & ReadEventsDeps): void {
  app.post(
    '/events/:id/purchase-groups',
    { schema: { params: byEvent, body: purchaseGroupInput } },
    async (request, reply) => {
      const caller = callerOf(request);
      const event = await findEvent(deps, caller.tenant, request.params.id);
      const created = await makeOnce(caller, 'pg', {
        find: (groupId) => deps.purchaseGroups.find(caller.tenant, event.id, groupId),
        make: (groupId) => deps.purchaseGroups.create(caller, groupId, event.id, request.body, deps.clock()),
      });
      return reply.code(201).send({ data: toPurchaseGroup(created) });
    },
  );

  app.get(
    '/events/:id/purchase-groups',
    { schema: { params: byEvent, querystring: purchaseGroupListQuery } },
    async (request) => {
      const { tenant } = request.identity;
      const [{ records, more }] = await Promise.all([
        deps.purchaseGroups.list(tenant, request.params.id, request.query),
        findEvent(deps, tenant, request.params.id),
      ]);
      return toPage({ records: records.map(toPurchaseGroup), more }, request.query, 'purchase-groups');
    },
  );

  app.get('/events/:id/purchase-groups/:pgid', { schema: { params: byGroup } }, async (request) => {
    const found = await deps.purchaseGroups.find(request.identity.tenant, request.params.id, request.params.pgid);
    if (found === undefined) throw groupNotFound(request.params.pgid);
    return { data: toPurchaseGroup(found) };
  });

  app.post(
    '/events/:id/purchase-groups/:pgid/merge',
    { schema: { params: byGroup, body: mergeInput } },
    async (request) => ({
      data: await mergeGroups(deps, callerOf(request), request.params.id, request.params.pgid, request.body),
    }),
  );
}
