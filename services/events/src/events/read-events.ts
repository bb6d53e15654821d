import { eventNotFound, instanceNotFound, seriesNotFound, type Tenant } from '@event-commerce/contracts';
import { type EventRecord, zoneOf } from './domain/event-record.ts';
import type { EventRepository } from './event.repository.ts';

export interface ReadEventsDeps {
  events: EventRepository;
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
  return requiredSeries(await deps.events.find(record.tenant, record.seriesId), record.seriesId);
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

/** A series that must be there. Events are never deleted, so a missing one means damaged data. */
export function requiredSeries(series: EventRecord | undefined, id: string): EventRecord {
  if (series === undefined) throw new Error(`the series ${id} of an instance is gone`);
  return series;
}
