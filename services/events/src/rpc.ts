import {
  cancelTicketsRequest,
  type ClaimTicketsReply,
  claimTicketsRequest,
  type EventContextsReply,
  eventContextsRequest,
  type OfferingsReply,
  offeringsRequest,
  type Tenant,
} from '@event-commerce/contracts';
import { type CallerHandlers, validate } from '@event-commerce/service-kit';
import { countingClaims } from './metrics.ts';
import type { EventRepository } from './store/event.repository.ts';
import type { OfferingRepository } from './store/offering.repository.ts';
import { claimTickets, type ClaimTicketsDeps } from './use-cases/claim-tickets.ts';
import { findWithSeries, type ReadEventsDeps } from './use-cases/read-events.ts';
import { cancelTickets, type SettleTicketsDeps } from './use-cases/settle-tickets.ts';
import { showOfferings } from './use-cases/show-offerings.ts';

/** What other services may ask events on behalf of a caller. */
export function eventsAnswers(
  deps: {
    events: EventRepository;
    offerings: OfferingRepository;
  } & ClaimTicketsDeps &
    SettleTicketsDeps,
): CallerHandlers<'events'> {
  return {
    offerings: async ({ who: { tenant }, body }): Promise<OfferingsReply> => {
      const { ids } = validate(offeringsRequest, body);
      const found = await deps.offerings.findAll(tenant, ids);
      const shown = await showOfferings(deps, tenant, found);
      return { offerings: shown.map((offering, index) => ({ ...offering, version: found[index]?.version ?? 0 })) };
    },
    claimTickets: async ({ who: { tenant }, body }): Promise<ClaimTicketsReply> => {
      const request = validate(claimTicketsRequest, body);
      return await countingClaims(claimTickets(deps, tenant, request), ({ orderId, claims }) => ({
        outcome: orderId === request.orderId ? 'claimed' : 'repeated',
        count: claims.length === 0 ? 0 : 1,
      }));
    },
    cancelTickets: async ({ who: { tenant }, body }) => {
      const { orderId, claims, attempt } = validate(cancelTicketsRequest, body);
      await cancelTickets(deps, { tenant, id: orderId, tickets: claims }, attempt);
      return { cancelled: claims.length };
    },
    eventContexts: async ({ who: { tenant }, body }): Promise<EventContextsReply> => {
      const { ids } = validate(eventContextsRequest, body);
      return { events: await contextsOf(deps, tenant, ids) };
    },
  };
}

async function contextsOf(
  deps: ReadEventsDeps,
  tenant: Tenant,
  ids: readonly string[],
): Promise<EventContextsReply['events']> {
  const { all } = await findWithSeries(deps, tenant, ids);
  return [...all.values()].map(({ id, seriesId, own: { venueId, organizerId }, version }) => ({
    id,
    ...(seriesId === undefined ? {} : { seriesId }),
    ...(venueId === undefined ? {} : { venueId }),
    ...(organizerId === undefined ? {} : { organizerId }),
    version,
  }));
}
