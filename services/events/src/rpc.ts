import { replyWithClaims } from '@event-commerce/claims';
import type { EventContextRecord, Tenant } from '@event-commerce/contracts';
import type { RpcHandlers } from '@event-commerce/service-kit';
import { countingClaims } from './metrics.ts';
import type { CallOffs } from './call-offs/call-offs.ts';
import type { EventRepository } from './events/event.repository.ts';
import type { CustomerGroups } from './groups/erase-customer.ts';
import type { OfferingRepository } from './offerings/offering.repository.ts';
import { claimTickets, type ClaimTicketsDeps } from './tickets/claim-tickets.ts';
import { type OrderTickets, toTicket } from './tickets/order-tickets.ts';
import { findWithSeries, type ReadEventsDeps } from './events/read-events.ts';
import { timeZonesOf } from './events/time-zones-of.ts';
import { listedOfferings } from './offerings/show-offerings.ts';

/** What other services may ask events on behalf of a caller. */
export function eventsAnswers(
  deps: {
    events: EventRepository;
    offerings: OfferingRepository;
    orderTickets: OrderTickets;
    customerGroups: CustomerGroups;
    callOffs: Pick<CallOffs, 'last'>;
  } & ClaimTicketsDeps,
): RpcHandlers<'events'> {
  return {
    offerings: async ({ caller: { tenant }, body: { ids } }) => {
      const found = await deps.offerings.findAll(tenant, ids);
      return { offerings: await listedOfferings(deps, tenant, found) };
    },
    offeringsOfEvent: async ({ caller: { tenant }, body: { eventId, limit } }) => ({
      ids: await deps.offerings.idsOf(tenant, eventId, limit),
    }),
    callOffOfEvent: async ({ caller: { tenant }, body: { eventId } }) => ({
      id: (await deps.callOffs.last(tenant, eventId)).id,
    }),
    claimTickets: async ({ caller: { tenant }, body }) =>
      replyWithClaims(toTicket, async (held) =>
        countingClaims(claimTickets(deps, tenant, body, held), ({ claims }) => ({
          outcome: 'claimed',
          count: claims.length === 0 ? 0 : 1,
        })),
      ),
    cancelTickets: async ({ caller, body: { orderId: id, claims, unwritten, standing } }) => {
      const order = { tenant: caller.tenant, id, claims };
      if (standing !== undefined) await deps.orderTickets.reduce(order, standing, caller);
      else await (unwritten ? deps.orderTickets.release(order) : deps.orderTickets.cancel(order, caller));
      return { cancelled: claims.length };
    },
    eraseFromGroups: async ({ body }) => deps.customerGroups.erase(body),
    placesOf: async ({ body: { tenant, eventIds, offeringIds } }) => {
      const [events, offerings] = await Promise.all([
        contextsOf(deps, tenant, eventIds),
        deps.offerings.findAll(tenant, offeringIds),
      ]);
      return { events, offerings: offerings.map(({ id, tags }) => ({ id, tags })) };
    },
    timeZones: async ({ caller: { tenant }, body }) => ({ zones: await timeZonesOf(deps, tenant, body) }),
    eventContexts: async ({ caller: { tenant }, body: { ids } }) => ({ events: await contextsOf(deps, tenant, ids) }),
  };
}

async function contextsOf(deps: ReadEventsDeps, tenant: Tenant, ids: readonly string[]): Promise<EventContextRecord[]> {
  const { all } = await findWithSeries(deps, tenant, ids);
  return [...all.values()].map(({ id, seriesId, own: { venueId, organizerId }, version }) => ({
    id,
    ...(seriesId === undefined ? {} : { seriesId }),
    ...(venueId === undefined ? {} : { venueId }),
    ...(organizerId === undefined ? {} : { organizerId }),
    version,
  }));
}
