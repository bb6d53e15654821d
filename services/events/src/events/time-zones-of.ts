import type { NamedPlaces, Tenant } from '@event-commerce/contracts';
import type { OfferingRepository } from '../offerings/offering.repository.ts';
import { mergedFields } from './domain/event-record.ts';
import { findWithSeries, type ReadEventsDeps } from './read-events.ts';

/**
 * The time zones of what a record names, each once: of its events, of the events at its venues, and of the events of
 * its offerings. An event without a time zone is in UTC.
 */
export async function timeZonesOf(
  deps: ReadEventsDeps & { offerings: Pick<OfferingRepository, 'findAll'> },
  tenant: Tenant,
  { eventIds, venueIds, offeringIds }: NamedPlaces,
): Promise<string[]> {
  const offerings = offeringIds.length === 0 ? [] : await deps.offerings.findAll(tenant, offeringIds);
  const ids = new Set([...eventIds, ...offerings.map(({ eventId }) => eventId)]);
  const { found, all } = await findWithSeries(deps, tenant, [...ids]);
  const ofEvents = [...found.values()].map(
    ({ own, seriesId }) => mergedFields(own, seriesId === undefined ? undefined : all.get(seriesId)?.own).timezone,
  );
  const atVenues = venueIds.length === 0 ? [] : await deps.events.zonesAt(tenant, venueIds);
  return [...new Set([...ofEvents, ...atVenues].map((zone) => zone ?? 'UTC'))].toSorted();
}
