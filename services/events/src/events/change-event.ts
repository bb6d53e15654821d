import { isDeepStrictEqual } from 'node:util';
import {
  applyMergePatch,
  eventFields,
  eventOverrides,
  type EventPatch,
  type OverridableField,
  type TicketedEvent,
} from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  refuseReadOnly,
  validate,
  wasChangedBy,
} from '@event-commerce/service-kit';
import { type EventRecord, revertFields, showEvent } from './domain/event-record.ts';
import { settleTimes } from './domain/settle-times.ts';
import type { CreateEventDeps } from './create-event.ts';
import { findEvent, findInstance, seriesOf } from './read-events.ts';

export interface ChangeEventDeps extends CreateEventDeps {
  /** Resolves once no order takes tickets of the event's pool by an earlier capacity or status. */
  followEvent: (event: EventRecord) => Promise<void>;
}

/** An event and, if it is an instance, its series, as they are now. */
interface Current {
  record: EventRecord;
  series: EventRecord | undefined;
}

/**
 * Changes an event by a JSON merge patch, and validates the whole result as if it were created. In an instance a field
 * becomes an override, even with the series' own value, and null ends the override.
 *
 * @throws {PlatformError} EVENT_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT
 */
export async function changeEvent(
  deps: ChangeEventDeps,
  caller: Caller,
  id: string,
  patch: EventPatch,
  ifMatch: IfMatch,
): Promise<TicketedEvent> {
  return await change(deps, caller, id, { patch, ifMatch }, async () => {
    const record = await findEvent(deps, caller.tenant, id);
    return { record, series: await seriesOf(deps, record) };
  });
}

/**
 * Changes an instance like `changeEvent`.
 *
 * @throws {PlatformError} SERIES_NOT_FOUND, INSTANCE_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT
 */
export async function changeInstance(
  deps: ChangeEventDeps,
  caller: Caller,
  seriesId: string,
  id: string,
  patch: EventPatch,
  ifMatch: IfMatch,
): Promise<TicketedEvent> {
  return await change(deps, caller, id, { patch, ifMatch }, async () => {
    const { instance, series } = await findInstance(deps, caller.tenant, seriesId, id);
    return { record: instance, series };
  });
}

/**
 * Ends an instance's overrides of `fields`; a field without an override stays as it is.
 *
 * @throws {PlatformError} SERIES_NOT_FOUND, INSTANCE_NOT_FOUND, VERSION_CONFLICT
 */
export async function revertInstance(
  deps: ChangeEventDeps,
  caller: Caller,
  seriesId: string,
  id: string,
  fields: readonly OverridableField[],
  ifMatch: IfMatch,
): Promise<void> {
  const changed = await deps.events.changeInTurn(caller.tenant, id, async () => {
    const { instance } = await findInstance(deps, caller.tenant, seriesId, id);
    if (wasChangedBy(caller, instance)) return instance;
    refuseOtherVersion(ifMatch, 'event', instance.version);
    const reverted = [...new Set(fields)].filter((field) => instance.own[field] !== undefined);
    if (reverted.length === 0) return instance;
    const fact = { type: 'instance.reverted', reverted } as const;
    const own = revertFields(instance.own, reverted);
    return await deps.events.replaceOwn(caller, instance, own, fact, deps.clock());
  });
  await makeKnown(deps, changed, fields);
}

async function change(
  deps: ChangeEventDeps,
  caller: Caller,
  id: string,
  { patch, ifMatch }: { patch: EventPatch; ifMatch: IfMatch },
  load: () => Promise<Current>,
): Promise<TicketedEvent> {
  const current = await deps.events.changeInTurn<Current>(caller.tenant, id, async () => {
    const { record, series } = await load();
    refuseOtherVersion(ifMatch, 'event', record.version);
    refuseReadOnly({ kind: patch.kind, seriesId: patch.seriesId }, record, 'create another event');
    const schema = record.kind === 'instance' ? eventOverrides : eventFields;
    const valid = validate(schema, applyMergePatch(record.own, patch));
    const own = settleTimes(patch, valid, series?.own);
    if (isDeepStrictEqual(own, record.own)) return { record, series };
    const changed = await deps.events.replaceOwn(caller, record, own, { type: 'event.updated' }, deps.clock());
    return changed && { record: changed, series };
  });
  await makeKnown(deps, current.record, Object.keys(patch));
  return showEvent(current.record, current.series);
}

/**
 * Resolves once nobody uses an earlier state of the event. Also for a request that changes nothing: the writer of the
 * state that it found may not have come this far yet, or was killed.
 */
async function makeKnown(deps: ChangeEventDeps, event: EventRecord, fields: readonly string[]): Promise<void> {
  await deps.announceEvent(event);
  if (fields.includes('capacity') || fields.includes('status')) await deps.followEvent(event);
}
