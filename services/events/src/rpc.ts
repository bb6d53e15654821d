import { type BusConnection, serve } from '@event-commerce/bus';
import {
  type EventContextsReply,
  eventContextsRequest,
  type OfferingsReply,
  offeringsRequest,
  RPC,
  type Tenant,
} from '@event-commerce/contracts';
import { callerOn, parseJson, toPlatformError, validate, type VerifyIdentity } from '@event-commerce/service-kit';
import type { EventRepository } from './store/event.repository.ts';
import type { OfferingRepository } from './store/offering.repository.ts';

const IN_FLIGHT_MAX = 512;

/**
 * What other processes ask of the events service. The returned function stops answering and waits for requests in progress.
 */
export function serveEvents(
  bus: BusConnection,
  deps: { events: EventRepository; offerings: OfferingRepository; verifyIdentity: VerifyIdentity },
): () => Promise<void> {
  const options = { group: 'events', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  const stops = [
    serve(bus, RPC.offerings, options, async (request) => {
      const { tenant } = callerOn(RPC.offerings, deps.verifyIdentity, request.identityToken);
      const { ids } = validate(offeringsRequest, parseJson(request.body));
      const data: OfferingsReply = { offerings: await deps.offerings.findAll(tenant, ids) };
      return JSON.stringify({ data });
    }),
    serve(bus, RPC.eventContexts, options, async (request) => {
      const { tenant } = callerOn(RPC.eventContexts, deps.verifyIdentity, request.identityToken);
      const { ids } = validate(eventContextsRequest, parseJson(request.body));
      const data: EventContextsReply = { events: await contextsOf(deps, tenant, ids) };
      return JSON.stringify({ data });
    }),
  ];
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}

async function contextsOf(
  { events }: { events: EventRepository },
  tenant: Tenant,
  ids: readonly string[],
): Promise<EventContextsReply['events']> {
  const found = await events.findAll(tenant, ids);
  const seriesIds = [...found.values()].flatMap(({ seriesId }) => seriesId ?? []).filter((id) => !found.has(id));
  const series = await events.findAll(tenant, [...new Set(seriesIds)]);
  return [...found.values(), ...series.values()].map(({ id, seriesId, own: { venueId, organizerId }, version }) => ({
    id,
    ...(seriesId === undefined ? {} : { seriesId }),
    ...(venueId === undefined ? {} : { venueId }),
    ...(organizerId === undefined ? {} : { organizerId }),
    version,
  }));
}
