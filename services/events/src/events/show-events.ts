import type { EventFacets, EventQuery, Page, TicketedEvent } from '@event-commerce/contracts';
import { type Caller, PAGE_BYTES_MAX, storedBytes } from '@event-commerce/service-kit';
import { eventAvailabilities, type EventAvailabilityDeps } from '../tickets/event-availability.ts';
import { showEvent } from './domain/event-record.ts';
import type { EventFilter } from './merged-filter.ts';
import { findEvent, type ReadEventsDeps, requiredSeries, seriesOf } from './read-events.ts';

export type ShowEventsDeps = ReadEventsDeps & EventAvailabilityDeps;

/**
 * One event, merged with its series if it is an instance.
 *
 * @throws {PlatformError} EVENT_NOT_FOUND
 */
export async function readEvent(
  deps: ShowEventsDeps,
  caller: Caller,
  id: string,
  query: { availability: boolean },
): Promise<TicketedEvent> {
  const record = await findEvent(deps, caller.tenant, id);
  const series = await seriesOf(deps, record);
  const available = query.availability ? await eventAvailabilities(deps, caller, [{ record, series }]) : undefined;
  return showEvent(record, series, available?.get(record.id));
}

/**
 * One page of the company's events, newest first. Every series that the page needs is loaded once, all in one query.
 * Instances inherit their series' values, so a page that would become too large is cut short, as is one whose events
 * have too many offerings.
 */
export async function listEvents(
  deps: ShowEventsDeps,
  caller: Caller,
  { near, availability, facets, ...given }: EventQuery,
): Promise<EventList> {
  const filter: EventFilter = near === undefined ? given : { ...given, endsAfter: near, sort: 'startsAt' };
  const [list, counted] = await Promise.all([
    pageOfShown(deps, caller, filter, availability),
    facets ? deps.events.facets(caller.tenant, filter) : undefined,
  ]);
  return counted === undefined ? list : { ...list, page: { ...list.page, facets: counted } };
}

async function pageOfShown(
  deps: ShowEventsDeps,
  caller: Caller,
  filter: EventFilter,
  withAvailability: boolean,
): Promise<Page<TicketedEvent>> {
  const { tenant } = caller;
  const { data, page } = await deps.events.page(tenant, filter);
  const onPage = new Map(data.map((record) => [record.id, record]));
  const wanted = new Set(data.flatMap(({ seriesId }) => (seriesId === undefined ? [] : [seriesId])));
  const loaded = await deps.events.findAll(
    tenant,
    [...wanted].filter((id) => !onPage.has(id)),
  );
  const seriesWith = (id: string) => requiredSeries(loaded.get(id) ?? onPage.get(id), id);
  const merged = data.map((record) => ({
    record,
    series: record.seriesId === undefined ? undefined : seriesWith(record.seriesId),
  }));
  const available = withAvailability ? await eventAvailabilities(deps, caller, merged) : new Map<string, undefined>();
  const shown = merged.map(({ record, series }) => showEvent(record, series, available?.get(record.id)));
  let bytes = 0;
  const fitting =
    available === undefined
      ? Math.ceil(shown.length / 2)
      : shown.findIndex((event) => (bytes += storedBytes(event)) > PAGE_BYTES_MAX);
  if (fitting <= 0) return { data: shown, page };
  const shorter = await pageOfShown(deps, caller, { ...filter, limit: fitting }, withAvailability);
  return { ...shorter, page: { ...shorter.page, limit: filter.limit } };
}

interface EventList extends Page<TicketedEvent> {
  page: Page<TicketedEvent>['page'] & { facets?: EventFacets };
}
