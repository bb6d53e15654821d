import { isDeepStrictEqual } from 'node:util';
import {
  applyMergePatch,
  callOffRunning,
  eventFields,
  type EventOverrides,
  eventOverrides,
  type EventPatch,
  instantIn,
  type OverridableField,
  type Tenant,
  type TicketedEvent,
} from '@event-commerce/contracts';
import {
  type Caller,
  changedMembers,
  type IfMatch,
  refuseOtherVersion,
  refuseReadOnly,
  validate,
  wasChangedBy,
  type Writer,
} from '@event-commerce/service-kit';
import { changeZone } from './domain/change-zone.ts';
import { DEFAULT_ZONE } from './domain/clock-times.ts';
import { type EventRecord, revertFields, showEvent, zoneOf, zoneOfTimes } from './domain/event-record.ts';
import { settleTimes } from './domain/settle-times.ts';
import { showInZone } from './create-event.ts';
import { followZone, type FollowZoneDeps } from './follow-zone.ts';
import { findEvent, findInstance, seriesOf } from './read-events.ts';

export interface ChangeEventDeps extends FollowZoneDeps {
  /** Resolves once no order claims tickets of the event's pool under an earlier capacity, limit or status. */
  followEvent: (event: EventRecord) => Promise<void>;
  isCallOffRunning: (tenant: Tenant, id: string) => Promise<boolean>;
}

/** What decides whether an order gets tickets of the event. */
const SALE_FIELDS = ['capacity', 'maxPerCustomer', 'status'] as const satisfies readonly OverridableField[];

/** An event and, if it is an instance, its series, as they are now. */
export interface Current {
  record: EventRecord;
  series: EventRecord | undefined;
}

/**
 * Changes an event by a JSON merge patch, and validates the whole result as if it were created. A field sent with its
 * present value changes nothing; in an instance every other field becomes an override, and null ends the override. A
 * change of the time zone keeps clock times, including those of instances and offerings.
 *
 * @throws {PlatformError} EVENT_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT, CALL_OFF_RUNNING
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
 * @throws {PlatformError} SERIES_NOT_FOUND, INSTANCE_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT, CALL_OFF_RUNNING
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
 * @throws {PlatformError} SERIES_NOT_FOUND, INSTANCE_NOT_FOUND, VERSION_CONFLICT, CALL_OFF_RUNNING
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
    const { instance, series } = await findInstance(deps, caller.tenant, seriesId, id);
    if (wasChangedBy(caller, instance)) return instance;
    refuseOtherVersion(ifMatch, 'event', instance.version);
    const reverted = [...new Set(fields)].filter((field) => instance.own[field] !== undefined);
    if (reverted.length === 0) return instance;
    const fact = { type: 'instance.reverted', reverted } as const;
    const own = changeZone(instance, revertFields(instance.own, reverted), series.own);
    const callOff = await callOffAfter(deps, instance, own);
    const next = { own, timesZone: zoneOfTimes(own, series.own), callOff };
    return await deps.events.replaceOwn(caller, instance, next, fact, deps.clock());
  });
  await makeKnown(deps, caller, changed, fields);
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
    const own = patchedOwn(patch, { record, series });
    if (isDeepStrictEqual(own, record.own)) return { record, series };
    const callOff = await callOffAfter(deps, record, own);
    const next = { own, timesZone: series && zoneOfTimes(own, series.own), callOff };
    const changed = await deps.events.replaceOwn(caller, record, next, { type: 'event.updated' }, deps.clock());
    return changed && { record: changed, series };
  });
  await makeKnown(deps, caller, current.record, Object.keys(patch));
  return await showInZone(deps, caller, current.record, await seriesOf(deps, current.record));
}

/**
 * The own fields of an event after a patch.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function patchedOwn(patch: EventPatch, { record, series }: Current): EventOverrides {
  const schema = record.kind === 'instance' ? eventOverrides : eventFields;
  const changes = changesOf(patch, record, series);
  const inZone = changeZone(record, withZone(record.own, changes), series?.own);
  const valid = validate(schema, applyMergePatch(inZone, changes));
  return settleTimes(changes, valid, series?.own);
}

/**
 * An event's call-off once its own fields are `own`: it ends if the status changes, but not while its orders are being
 * dealt with.
 *
 * @throws {PlatformError} CALL_OFF_RUNNING
 */
export async function callOffAfter(
  { isCallOffRunning }: Pick<ChangeEventDeps, 'isCallOffRunning'>,
  { tenant, id, own: { status }, callOff }: EventRecord,
  own: EventOverrides,
): Promise<EventRecord['callOff']> {
  if (callOff === undefined || own.status === status) return callOff;
  if (await isCallOffRunning(tenant, callOff.id)) throw callOffRunning(id);
  return undefined;
}

/** `own` with the time zone that `patch` sets or removes. */
function withZone(own: EventOverrides, { timezone }: EventPatch): EventOverrides {
  return timezone === undefined ? own : (applyMergePatch(own, { timezone }) as EventOverrides);
}

/** The members of `patch` that the event does not show already, with times in UTC. */
function changesOf(patch: EventPatch, record: EventRecord, series: EventRecord | undefined): EventPatch {
  const zone = zoneOf(withZone(record.own, patch), series?.own) ?? DEFAULT_ZONE;
  const { startsAt, endsAt } = patch;
  const settled = {
    ...patch,
    ...(startsAt && { startsAt: instantIn(startsAt, zone) }),
    ...(endsAt && { endsAt: instantIn(endsAt, zone) }),
  };
  const changes: EventPatch = changedMembers(settled, showEvent(record, series));
  // An instance with a new start would also get a new end, unless its end is its own.
  if (changes.startsAt && settled.endsAt) changes.endsAt = settled.endsAt;
  return changes;
}

/**
 * Resolves once no process uses an earlier state of the event. Needed even for a request that changes nothing: the
 * writer of the state that it found may not have got this far, or was killed.
 */
export async function makeKnown(
  deps: ChangeEventDeps,
  writer: Writer,
  event: EventRecord,
  fields: readonly string[],
): Promise<void> {
  await deps.announceEvent(event);
  if (SALE_FIELDS.some((field) => fields.includes(field))) await deps.followEvent(event);
  await followZone(deps, writer, event);
}
