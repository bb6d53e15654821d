import { allows, answerNotKept, groupNotFound, scopeMissing } from '@event-commerce/contracts';
import { type Handlers, makeOnce } from '@event-commerce/service-kit';
import { toPurchaseGroup } from './groups/purchase-group.repository.ts';
import { changeEvent, type ChangeEventDeps, changeInstance, revertInstance } from './events/change-event.ts';
import { changeOffering, type ChangeOfferingDeps, createOffering, findOffering } from './offerings/change-offering.ts';
import type { DateJobs } from './events/date-jobs.ts';
import type { CallOffs } from './call-offs/call-offs.ts';
import { createEvent, createInstance } from './events/create-event.ts';
import { changeGroup, deleteGroup } from './groups/change-group.ts';
import { mergeGroups, type MergeGroupsDeps } from './groups/merge-groups.ts';
import { findEvent } from './events/read-events.ts';
import { listEvents, readEvent } from './events/show-events.ts';
import type { EventAvailabilityDeps } from './tickets/event-availability.ts';
import { showOffering, showOfferings, type ShowOfferingsDeps } from './offerings/show-offerings.ts';

interface HandlerDeps
  extends
    ChangeEventDeps,
    ChangeOfferingDeps,
    MergeGroupsDeps,
    ShowOfferingsDeps,
    Pick<EventAvailabilityDeps, 'listedPrices'> {
  events: ShowOfferingsDeps['events'];
  offerings: ShowOfferingsDeps['offerings'];
  dates: DateJobs;
  callOffs: CallOffs;
}

/** The handlers of events' operations. */
export function eventsHandlers(deps: HandlerDeps): Handlers<'events'> {
  const { offerings, purchaseGroups, clock } = deps;
  return {
    createEvent: async ({ caller, body }) => createEvent(deps, caller, body),
    listEvents: async ({ caller, query }) => listEvents(deps, caller, query),
    getEvent: async ({ caller, params: { id }, query }) => readEvent(deps, caller, id, query),
    updateEvent: async ({ caller, ifMatch, params: { id }, body }) => changeEvent(deps, caller, id, body, ifMatch),

    createInstance: async ({ caller, params: { seriesId }, body }) => createInstance(deps, caller, seriesId, body),

    createInstancesByRule: async ({ caller, params: { seriesId }, body }) => {
      const dates = await deps.dates.make(caller, seriesId, body);
      return { status: ({ preview: 200, running: 202, done: 201 } as const)[dates.status], data: dates };
    },

    updateInstances: async ({ caller, params: { seriesId }, body }) => {
      const dates = await deps.dates.change(caller, seriesId, body);
      return { status: dates.status === 'running' ? 202 : 200, data: dates };
    },

    getInstancesJob: async ({ identity: { tenant }, params: { seriesId, jobId } }) =>
      deps.dates.find(tenant, seriesId, jobId),

    updateInstance: async ({ caller, ifMatch, params: { seriesId, instanceId }, body }) =>
      changeInstance(deps, caller, seriesId, instanceId, body, ifMatch),

    revertInstance: async ({ caller, ifMatch, params: { seriesId, instanceId }, body: { fields } }) => {
      await revertInstance(deps, caller, seriesId, instanceId, fields, ifMatch);
      return { success: true };
    },

    callOffEvent: async ({ caller, identity: { scopes }, ifMatch, params: { id }, body }) => {
      if (body.cancelOrders && !allows(scopes, 'orders:write')) throw scopeMissing('orders:write');
      const callOff = await deps.callOffs.callOff(caller, id, body, ifMatch);
      return { status: callOff.status === 'running' ? 202 : 200, data: callOff };
    },

    getCallOff: async ({ identity: { tenant }, params: { id } }) => deps.callOffs.last(tenant, id),

    undoCallOff: async ({ caller, ifMatch, params: { id } }) => {
      const callOff = await deps.callOffs.undo(caller, id, ifMatch);
      return { status: callOff.status === 'running' ? 202 : 200, data: callOff };
    },

    createPurchaseGroup: async ({ caller, params, body }) => {
      const event = await findEvent(deps, caller.tenant, params.id);
      const created = await makeOnce(caller, 'pg', {
        find: (groupId) => purchaseGroups.find(caller.tenant, event.id, groupId),
        make: async (groupId) => {
          const made = await purchaseGroups.create(caller, groupId, event.id, body, clock());
          // A repeat whose group has been deleted since.
          if (made === undefined) throw answerNotKept(groupId.slice('pg_'.length));
          return made;
        },
      });
      return toPurchaseGroup(created);
    },

    listPurchaseGroups: async ({ identity: { tenant }, params: { id }, query }) => {
      const [{ data, page }] = await Promise.all([purchaseGroups.page(tenant, id, query), findEvent(deps, tenant, id)]);
      return { data: data.map(toPurchaseGroup), page };
    },

    getPurchaseGroup: async ({ identity: { tenant }, params: { id, pgid } }) => {
      const found = await purchaseGroups.find(tenant, id, pgid);
      if (found === undefined) throw groupNotFound(pgid);
      return toPurchaseGroup(found);
    },

    updatePurchaseGroup: async ({ caller, ifMatch, params: { id, pgid }, body }) =>
      changeGroup(deps, caller, id, pgid, body, ifMatch),

    deletePurchaseGroup: async ({ caller, ifMatch, params: { id, pgid } }) =>
      deleteGroup(deps, caller, id, pgid, ifMatch),

    mergePurchaseGroups: async ({ caller, ifMatch, params: { id, pgid }, body }) =>
      mergeGroups(deps, caller, id, pgid, body, ifMatch),

    createOffering: async ({ caller, params: { id }, body }) =>
      showOffering(deps, caller.tenant, await createOffering(deps, caller, id, body)),

    listOfferings: async ({ identity: { tenant }, params: { id }, query }) => {
      const [{ data, page }] = await Promise.all([offerings.page(tenant, id, query), findEvent(deps, tenant, id)]);
      return { data: await showOfferings(deps, tenant, data), page };
    },

    getOffering: async ({ identity: { tenant }, params: { id } }) =>
      showOffering(deps, tenant, await findOffering(deps, tenant, id)),

    updateOffering: async ({ caller, ifMatch, params: { id }, body }) =>
      showOffering(deps, caller.tenant, await changeOffering(deps, caller, id, body, ifMatch)),
  };
}
