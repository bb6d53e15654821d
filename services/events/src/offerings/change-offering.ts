import { isDeepStrictEqual } from 'node:util';
import {
  applyMergePatch,
  changedOffering,
  instantIn,
  invalidInput,
  type OfferingInput,
  offeringNotFound,
  type OfferingPatch,
  type RecordNotice,
  type Tenant,
} from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  makeOnce,
  refuseOtherVersion,
  refuseReadOnly,
  validate,
  type Writer,
} from '@event-commerce/service-kit';
import type { OfferingRecord } from './offering-record.ts';
import type { OfferingRepository } from './offering.repository.ts';
import type { EventRecord } from '../events/domain/event-record.ts';
import { DEFAULT_ZONE, keepClock } from '../events/domain/clock-times.ts';
import { findEvent, type ReadEventsDeps, zoneOfEvent } from '../events/read-events.ts';

const MEMBERS = changedOffering.keyof().options;

export interface ChangeOfferingDeps {
  offerings: OfferingRepository;
  clock: () => Date;
  /** Resolves once no order claims tickets under an earlier capacity or limit of the offering. */
  followOffering: (tenant: Tenant, offering: OfferingRecord) => Promise<void>;
  /** Resolves once no replica of another service sells the offering's old state. */
  announceOffering: (notice: RecordNotice) => Promise<void>;
}

/**
 * Creates an offering of an event.
 *
 * @throws {PlatformError} EVENT_NOT_FOUND, ALREADY_EXISTS
 */
export async function createOffering(
  deps: ChangeOfferingDeps & ReadEventsDeps,
  caller: Caller,
  eventId: string,
  input: OfferingInput,
): Promise<OfferingRecord> {
  const event = await findEvent(deps, caller.tenant, eventId);
  const settled = settleSale(input, await zoneOfEvent(deps, event));
  const created = await makeOnce(caller, 'off', {
    find: (key) => deps.offerings.findByKey(caller.tenant, key),
    make: (key) => deps.offerings.create(caller, key, ofEvent(event), settled, deps.clock()),
  });
  await deps.announceOffering({ tenant: caller.tenant, id: created.id, version: created.version });
  return await followZoneOfEvent(deps, caller, created);
}

function ofEvent({ id: eventId, kind, seriesId = kind === 'series' ? eventId : undefined }: EventRecord) {
  return { eventId, ...(seriesId === undefined ? {} : { seriesId }) };
}

/**
 * Copies an offering of a series for one of its dates, with a count of its own, unless the date has the copy already.
 */
export async function copyOffering(
  { offerings, clock }: Pick<ChangeOfferingDeps, 'offerings' | 'clock'>,
  writer: Writer,
  source: OfferingRecord,
  of: { eventId: string; seriesId: string; onSaleUntil?: string },
): Promise<void> {
  const said = Object.fromEntries(Object.entries(source).filter(([name]) => MEMBERS.some((member) => member === name)));
  const { windowZone } = source;
  const { eventId, seriesId, onSaleUntil } = of;
  const copy = {
    ...(said as OfferingInput),
    ...(onSaleUntil === undefined ? {} : { onSaleUntil }),
    ...(windowZone === undefined ? {} : { windowZone }),
  };
  await offerings.copy(writer, source.id, { eventId, seriesId }, copy, clock());
}

/**
 * Changes an offering by a JSON merge patch, and validates the whole result.
 *
 * @throws {PlatformError} OFFERING_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT
 */
export async function changeOffering(
  deps: ChangeOfferingDeps & ReadEventsDeps,
  caller: Caller,
  id: string,
  patch: OfferingPatch,
  ifMatch: IfMatch,
): Promise<OfferingRecord> {
  const changed = await deps.offerings.changeInTurn(caller.tenant, id, async () => {
    const current = await findOffering(deps, caller.tenant, id);
    refuseOtherVersion(ifMatch, 'offering', current.version);
    refuseReadOnly({ eventId: patch.eventId, seriesId: patch.seriesId }, current, 'create an offering of that event');
    const hasTimes = 'onSaleFrom' in patch || 'onSaleUntil' in patch;
    const zone = hasTimes ? await saleZone(deps, caller.tenant, current) : current.windowZone;
    const valid = validate(changedOffering, applyMergePatch(inZone(current, zone), patch));
    const input = hasTimes ? settleSale(valid, zone) : { ...valid, ...(zone && { windowZone: zone }) };
    if (MEMBERS.every((member) => isDeepStrictEqual(input[member], current[member]))) return current;
    return await deps.offerings.replace(caller, current, input, deps.clock());
  });
  // Even if nothing changed: the writer of the state returned here may not have announced it yet.
  await deps.announceOffering({ tenant: caller.tenant, id, version: changed.version });
  if ('capacity' in patch || 'maxPerCustomer' in patch) await deps.followOffering(caller.tenant, changed);
  return await followZoneOfEvent(deps, caller, changed);
}

/**
 * `input` with its sale window in UTC: times without a zone are in the event's time zone, `zone`.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
function settleSale<Input extends Pick<OfferingInput, 'onSaleFrom' | 'onSaleUntil'>>(
  input: Input,
  zone: string | undefined,
): Input & Pick<OfferingRecord, 'windowZone'> {
  const { onSaleFrom, onSaleUntil } = input;
  if (onSaleFrom === undefined && onSaleUntil === undefined) return input;
  const settled = {
    ...input,
    ...(onSaleFrom === undefined ? {} : { onSaleFrom: instantIn(onSaleFrom, zone ?? DEFAULT_ZONE) }),
    ...(onSaleUntil === undefined ? {} : { onSaleUntil: instantIn(onSaleUntil, zone ?? DEFAULT_ZONE) }),
    ...(zone === undefined ? {} : { windowZone: zone }),
  };
  const { onSaleFrom: from, onSaleUntil: until } = settled;
  if (from === undefined || until === undefined || from < until) return settled;
  throw invalidInput('onSaleUntil', `must be after onSaleFrom (onSaleFrom is ${from}; onSaleUntil is ${until})`);
}

/** The offering with its sale window at the same clock time in `zone`. */
function inZone(offering: OfferingRecord, zone: string | undefined): OfferingRecord {
  const { onSaleFrom, onSaleUntil, windowZone, ...others } = offering;
  const window = { ...(onSaleFrom && { onSaleFrom }), ...(onSaleUntil && { onSaleUntil }) };
  return { ...others, ...keepClock(window, windowZone, zone), ...(zone && { windowZone: zone }) };
}

/** The current zone of an offering's sale window: that of its event. */
async function saleZone(
  deps: ReadEventsDeps,
  tenant: Tenant,
  { eventId }: OfferingRecord,
): Promise<string | undefined> {
  return await zoneOfEvent(deps, await findEvent(deps, tenant, eventId));
}

/**
 * Keeps the clock times of an offering's sale window in the zone that its event has now, which may have changed while
 * the offering was written.
 */
async function followZoneOfEvent(
  deps: ChangeOfferingDeps & ReadEventsDeps,
  writer: Writer,
  offering: OfferingRecord,
): Promise<OfferingRecord> {
  if (offering.onSaleFrom === undefined && offering.onSaleUntil === undefined) return offering;
  if ((await saleZone(deps, writer.tenant, offering)) === offering.windowZone) return offering;
  return await moveWindow(deps, writer, offering.id);
}

/** Moves the sale window of an offering to the time zone of its event, at the same clock times. */
export async function moveWindow(
  deps: ChangeOfferingDeps & ReadEventsDeps,
  writer: Writer,
  id: string,
): Promise<OfferingRecord> {
  const moved = await deps.offerings.changeInTurn(writer.tenant, id, async () => {
    const current = await findOffering(deps, writer.tenant, id);
    const zone = await saleZone(deps, writer.tenant, current);
    if (zone === current.windowZone) return current;
    const { windowZone, ...inNewZone } = inZone(current, zone);
    const said = Object.fromEntries(
      Object.entries(inNewZone).filter(([name]) => MEMBERS.some((member) => member === name)),
    );
    const next = { ...(said as OfferingInput), ...(windowZone && { windowZone }) };
    return await deps.offerings.replace(writer, current, next, deps.clock());
  });
  await deps.announceOffering({ tenant: writer.tenant, id, version: moved.version });
  return moved;
}

/** @throws {PlatformError} OFFERING_NOT_FOUND */
export async function findOffering(
  deps: { offerings: OfferingRepository },
  tenant: Tenant,
  id: string,
): Promise<OfferingRecord> {
  const record = await deps.offerings.find(tenant, id);
  if (record === undefined) throw offeringNotFound(id);
  return record;
}
