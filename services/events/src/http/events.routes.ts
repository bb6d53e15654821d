import {
  eventInput,
  eventPatch,
  eventQuery,
  instanceInput,
  pathId as id,
  revertInput,
} from '@event-commerce/contracts';
import { callerOf, type ServiceApp } from '@event-commerce/service-kit';
import { z } from 'zod';
import { changeEvent, type ChangeEventDeps, changeInstance, revertInstance } from '../use-cases/change-event.ts';
import { createEvent, createInstance } from '../use-cases/create-event.ts';
import { listEvents, readEvent } from '../use-cases/read-events.ts';

const byId = z.object({ id });
const bySeries = z.object({ seriesId: id });
const byInstance = z.object({ seriesId: id, instanceId: id });

/** `/events` and the instances of series below it. */
export function eventRoutes(app: ServiceApp, deps: ChangeEventDeps): void {
  app.post('/events', { schema: { body: eventInput } }, async (request, reply) =>
    reply.code(201).send({ data: await createEvent(deps, callerOf(request), request.body) }),
  );

  app.get('/events', { schema: { querystring: eventQuery } }, async (request) =>
    listEvents(deps, request.identity.tenant, request.query),
  );

  app.get('/events/:id', { schema: { params: byId } }, async (request) => ({
    data: await readEvent(deps, request.identity.tenant, request.params.id),
  }));

  app.patch('/events/:id', { schema: { params: byId, body: eventPatch } }, async (request) => ({
    data: await changeEvent(deps, callerOf(request), request.params.id, request.body),
  }));

  app.post(
    '/events/:seriesId/instances',
    { schema: { params: bySeries, body: instanceInput.optional() } },
    async (request, reply) => {
      const { seriesId } = request.params;
      const created = await createInstance(deps, callerOf(request), seriesId, request.body ?? {});
      return reply.code(201).send({ data: created });
    },
  );

  app.patch(
    '/events/:seriesId/instances/:instanceId',
    { schema: { params: byInstance, body: eventPatch } },
    async (request) => {
      const { seriesId, instanceId } = request.params;
      return { data: await changeInstance(deps, callerOf(request), seriesId, instanceId, request.body) };
    },
  );

  app.post(
    '/events/:seriesId/instances/:instanceId/revert',
    { schema: { params: byInstance, body: revertInput } },
    async (request) => {
      const { seriesId, instanceId } = request.params;
      await revertInstance(deps, callerOf(request), seriesId, instanceId, request.body.fields);
      return { data: { success: true } };
    },
  );
}
