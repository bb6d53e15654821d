import {
  type EventFacets,
  eventNotFound,
  type EventQuery,
  instanceNotFound,
  type Page,
  seriesNotFound,
  type Tenant,
  type TicketedEvent,
} from '@event-commerce/contracts';
import { type Caller, PAGE_BYTES_MAX, storedBytes } from '@event-commerce/service-kit';
import { type EventRecord, showEvent, zoneOf } from './domain/event-record.ts';
import { eventAvailabilities, type EventAvailabilityDeps } from '../tickets/event-availability.ts';
import type { EventRepository } from './event.repository.ts';
import type { EventFilter } from './merged-filter.ts';

export interface ReadEventsDeps {
  events: EventRepository;
}

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
  const seriesWith = (id: string) => required(loaded.get(id) ?? onPage.get(id), id);
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

/** @throws {PlatformError} EVENT_NOT_FOUND */
export async function findEvent(deps: ReadEventsDeps, tenant: Tenant, id: string): Promise<EventRecord> {
  const record = await deps.events.find(tenant, id);
  if (record === undefined) throw eventNotFound(id);
  return record;
}

/** The series of an instance; undefined for any other event. */
export async function seriesOf(deps: ReadEventsDeps, record: EventRecord): Promise<EventRecord | undefined> {
  if (record.seriesId === undefined) return undefined;
  return required(await deps.events.find(record.tenant, record.seriesId), record.seriesId);
}

/** The time zone of an event: its own, or that of its series. */
export async function zoneOfEvent(deps: ReadEventsDeps, event: EventRecord): Promise<string | undefined> {
  return zoneOf(event.own, (await seriesOf(deps, event))?.own);
}

/** @throws {PlatformError} SERIES_NOT_FOUND, also for an event that is not a series */
export async function findSeries(deps: ReadEventsDeps, tenant: Tenant, id: string): Promise<EventRecord> {
  const record = await deps.events.find(tenant, id);
  if (record?.kind !== 'series') throw seriesNotFound(id);
  return record;
}

/** @throws {PlatformError} SERIES_NOT_FOUND; INSTANCE_NOT_FOUND, also for an instance of another series */
export async function findInstance(
  deps: ReadEventsDeps,
  tenant: Tenant,
  seriesId: string,
  id: string,
): Promise<{ series: EventRecord; instance: EventRecord }> {
  const found = await deps.events.findAll(tenant, [seriesId, id]);
  const series = found.get(seriesId);
  if (series?.kind !== 'series') throw seriesNotFound(seriesId);
  const instance = found.get(id);
  if (instance?.kind !== 'instance' || instance.seriesId !== seriesId) {
    throw instanceNotFound(seriesId, id);
  }
  return { series, instance };
}

/**
 * The events of `ids`, and the same with the series of all instances among them; both by id. A series is read after its
 * instances, as their pools expect.
 */
export async function findWithSeries(
  { events }: ReadEventsDeps,
  tenant: Tenant,
  ids: readonly string[],
): Promise<{ found: Map<string, EventRecord>; all: Map<string, EventRecord> }> {
  const found = await events.findAll(tenant, ids);
  const seriesIds = new Set([...found.values()].flatMap(({ seriesId }) => seriesId ?? []));
  const series = await events.findAll(tenant, [...seriesIds]);
  return { found, all: new Map([...found, ...series]) };
}

/** Events are never deleted, so a missing series means damaged data. */
function required(series: EventRecord | undefined, id: string): EventRecord {
  if (series === undefined) throw new Error(`the series ${id} of an instance is gone`);
  return series;
}
