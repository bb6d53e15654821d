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
} from '@event-commerce/service-kit';
import type { OfferingRecord } from './offering-record.ts';
import type { OfferingRepository } from './offering.repository.ts';
import { type EventRecord, mergedFields } from '../events/domain/event-record.ts';
import { findEvent, type ReadEventsDeps, seriesOf } from '../events/read-events.ts';

const MEMBERS = changedOffering.keyof().options;

export interface ChangeOfferingDeps {
  offerings: OfferingRepository;
  clock: () => Date;
  /** Resolves once no order takes tickets by an earlier capacity of the offering. */
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
  const settled = await settleSale(deps, event, input);
  const created = await makeOnce(caller, 'off', {
    find: (key) => deps.offerings.findByKey(caller.tenant, key),
    make: (key) => deps.offerings.create(caller, key, event.id, settled, deps.clock()),
  });
  await deps.announceOffering({ tenant: caller.tenant, id: created.id, version: created.version });
  return created;
}

/**
 * Changes an offering by a JSON merge patch, and validates the whole.
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
    refuseReadOnly({ eventId: patch.eventId }, current, 'create an offering of that event');
    const valid = validate(changedOffering, applyMergePatch(current, patch));
    const hasTimes = 'onSaleFrom' in patch || 'onSaleUntil' in patch;
    const input = hasTimes
      ? await settleSale(deps, await findEvent(deps, caller.tenant, current.eventId), valid)
      : valid;
    if (MEMBERS.every((member) => isDeepStrictEqual(input[member], current[member]))) return current;
    return await deps.offerings.replace(caller, current, input, deps.clock());
  });
  // Even if nothing changed: the writer of the state returned here may not have announced it yet.
  await deps.announceOffering({ tenant: caller.tenant, id, version: changed.version });
  if ('capacity' in patch) await deps.followOffering(caller.tenant, changed);
  return changed;
}

/**
 * `input` with its sale window in UTC: times without a zone are those of the event.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
async function settleSale<Input extends Pick<OfferingInput, 'onSaleFrom' | 'onSaleUntil'>>(
  deps: ReadEventsDeps,
  event: EventRecord,
  input: Input,
): Promise<Input> {
  const { onSaleFrom, onSaleUntil } = input;
  if (onSaleFrom === undefined && onSaleUntil === undefined) return input;
  const { timezone = 'UTC' } = mergedFields(event.own, (await seriesOf(deps, event))?.own);
  const settled = {
    ...input,
    ...(onSaleFrom === undefined ? {} : { onSaleFrom: instantIn(onSaleFrom, timezone) }),
    ...(onSaleUntil === undefined ? {} : { onSaleUntil: instantIn(onSaleUntil, timezone) }),
  };
  const { onSaleFrom: from, onSaleUntil: until } = settled;
  if (from === undefined || until === undefined || from < until) return settled;
  throw invalidInput('onSaleUntil', `must be after onSaleFrom (onSaleFrom is ${from}; onSaleUntil is ${until})`);
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
