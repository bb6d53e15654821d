import {
  eventFields,
  type EventInput,
  eventOverrides,
  type InstanceInput,
  invalidInput,
  type TicketedEvent,
} from '@event-commerce/contracts';
import { type Caller, makeOnce, validate, type Writer } from '@event-commerce/service-kit';
import { asGiven } from './domain/change-of-date.ts';
import { type EventRecord, showEvent, zoneOf, zoneOfTimes } from './domain/event-record.ts';
import { settleTimes } from './domain/settle-times.ts';
import type { NewEvent } from './event.repository.ts';
import { moveInstance, type WriteEventDeps } from './move-instance.ts';
import { findSeries, seriesOf } from './read-events.ts';

/**
 * Creates a single event, a series, or an instance of one.
 *
 * @throws {PlatformError} VALIDATION_FAILED, SERIES_NOT_FOUND, ALREADY_EXISTS
 */
export async function createEvent(deps: WriteEventDeps, caller: Caller, input: EventInput): Promise<TicketedEvent> {
  const { id, seriesId, kind = seriesId === undefined ? 'single' : 'instance' } = input;
  if (kind === 'instance') {
    if (seriesId === undefined)
      throw invalidInput('seriesId', 'is required for an instance: it names the series that the instance belongs to');
    return await createInstance(deps, caller, seriesId, input);
  }
  if (seriesId !== undefined)
    throw invalidInput('seriesId', `is only for an instance, not for a ${kind}; leave it out, or send kind instance`);
  const own = settleTimes(input, validate(eventFields, input));
  return showEvent(await createOnce(deps, caller, { id, kind, own }));
}

/**
 * Creates an instance of a series with the overrides in `input`; none is needed.
 *
 * @throws {PlatformError} VALIDATION_FAILED, SERIES_NOT_FOUND, ALREADY_EXISTS
 */
export async function createInstance(
  deps: WriteEventDeps,
  caller: Caller,
  seriesId: string,
  input: InstanceInput,
): Promise<TicketedEvent> {
  const series = await findSeries(deps, caller.tenant, seriesId);
  const own = settleTimes(input, validate(eventOverrides, input), series.own);
  const timesZone = zoneOfTimes(own, series.own);
  const { startsAt } = own;
  const instance: NewEvent = {
    id: input.id,
    kind: 'instance',
    seriesId,
    own,
    ...(timesZone && { timesZone }),
    ...(startsAt && { given: asGiven({ startsAt }, zoneOf(own, series.own)) }),
  };
  const created = await createOnce(deps, caller, instance);
  return await showInZone(deps, caller, created, await seriesOf(deps, created));
}

/** An event that was just written, as the API shows it. The time zone of the `series` may have changed meanwhile. */
export async function showInZone(
  deps: WriteEventDeps,
  writer: Writer,
  event: EventRecord,
  series: EventRecord | undefined,
): Promise<TicketedEvent> {
  if (series === undefined || zoneOfTimes(event.own, series.own) === event.timesZone) return showEvent(event, series);
  return showEvent(await moveInstance(deps, writer, series.id, event.id), series);
}

async function createOnce(deps: WriteEventDeps, caller: Caller, event: NewEvent): Promise<EventRecord> {
  const created = await makeOnce(caller, 'evt', {
    find: (key) => deps.events.findByKey(caller.tenant, key),
    make: (key) => deps.events.create(caller, key, event, deps.clock()),
  });
  await deps.announceEvent(created);
  return created;
}
