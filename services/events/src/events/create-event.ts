import {
  eventFields,
  type EventInput,
  eventOverrides,
  type InstanceInput,
  invalidInput,
  type RecordNotice,
  type TicketedEvent,
} from '@event-commerce/contracts';
import { type Caller, makeOnce, validate } from '@event-commerce/service-kit';
import { type EventRecord, showEvent } from './domain/event-record.ts';
import { settleTimes } from './domain/settle-times.ts';
import type { NewEvent } from './event.repository.ts';
import { findSeries, type ReadEventsDeps } from './read-events.ts';

export interface CreateEventDeps extends ReadEventsDeps {
  clock: () => Date;
  /** Resolves once nobody uses an earlier state of the event. */
  announceEvent: (notice: RecordNotice) => Promise<void>;
}

/**
 * Creates a single event, a series, or an instance of one.
 *
 * @throws {PlatformError} VALIDATION_FAILED, SERIES_NOT_FOUND, ALREADY_EXISTS
 */
export async function createEvent(deps: CreateEventDeps, caller: Caller, input: EventInput): Promise<TicketedEvent> {
  const { id, seriesId, kind = seriesId === undefined ? 'single' : 'instance' } = input;
  if (kind === 'instance') {
    if (seriesId === undefined) throw invalidInput('seriesId', 'is required for an instance');
    return await createInstance(deps, caller, seriesId, input);
  }
  if (seriesId !== undefined) throw invalidInput('seriesId', `is only for an instance, not for a ${kind}`);
  const own = settleTimes(input, validate(eventFields, input));
  return showEvent(await createOnce(deps, caller, { id, kind, own }));
}

/**
 * Creates an instance of a series with the overrides in `input`; none is needed.
 *
 * @throws {PlatformError} VALIDATION_FAILED, SERIES_NOT_FOUND, ALREADY_EXISTS
 */
export async function createInstance(
  deps: CreateEventDeps,
  caller: Caller,
  seriesId: string,
  input: InstanceInput,
): Promise<TicketedEvent> {
  const series = await findSeries(deps, caller.tenant, seriesId);
  const own = settleTimes(input, validate(eventOverrides, input), series.own);
  return showEvent(await createOnce(deps, caller, { id: input.id, kind: 'instance', seriesId, own }), series);
}

async function createOnce(deps: CreateEventDeps, caller: Caller, event: NewEvent): Promise<EventRecord> {
  const created = await makeOnce(caller, 'evt', {
    find: (key) => deps.events.findByKey(caller.tenant, key),
    make: (key) => deps.events.create(caller, key, event, deps.clock()),
  });
  await deps.announceEvent(created);
  return created;
}
