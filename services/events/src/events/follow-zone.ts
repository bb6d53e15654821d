import type { Tenant } from '@event-commerce/contracts';
import { IDLE_MS, type Logger, type Loop, overdueSweep, type Writer } from '@event-commerce/service-kit';
import { type ChangeOfferingDeps, moveWindow } from '../offerings/change-offering.ts';
import type { EventRecord } from './domain/event-record.ts';
import { moveInstance, type WriteEventDeps } from './move-instance.ts';
import { findEvent, zoneOfEvent } from './read-events.ts';

export interface FollowZoneDeps extends WriteEventDeps, ChangeOfferingDeps {}

/** How many records are read at a time, and how many are changed at a time. */
const READ_AT_ONCE = 500;
const CHANGED_AT_ONCE = 20;

/**
 * Keeps the clock times of everything that uses the changed time zone of `event`: the times of its instances, and the
 * sale windows of its offerings and theirs. If this process is killed, the sweep does the rest.
 */
export async function followZone(deps: FollowZoneDeps, writer: Writer, event: EventRecord): Promise<void> {
  const { tenant, id, kind, zoneChange } = event;
  if (zoneChange === undefined) return;
  const current = async () => await zoneOfEvent(deps, await findEvent(deps, tenant, id));
  const moveWindows = async (eventIds: readonly string[]) =>
    moveAll(
      async () => deps.offerings.inOtherZone(tenant, eventIds, await current(), READ_AT_ONCE),
      async (offeringId) => moveWindow(deps, writer, offeringId),
    );
  await moveWindows([id]);
  if (kind === 'series') {
    await moveAll(
      async () => deps.events.instancesInOtherZone(tenant, id, await current(), READ_AT_ONCE),
      async (instanceId) => moveInstance(deps, writer, id, instanceId),
    );
    for await (const instances of deps.events.instancesOf(tenant, id, { 'own.timezone': null })) {
      await moveWindows(instances);
    }
  }
  await deps.events.zoneFollowed(tenant, id, zoneChange);
}

/** Moves what `read` finds until it finds nothing: others may move records to another zone meanwhile. */
async function moveAll(read: () => Promise<string[]>, move: (id: string) => Promise<unknown>): Promise<void> {
  for (let found = await read(); found.length > 0; found = await read()) {
    for (let from = 0; from < found.length; from += CHANGED_AT_ONCE) {
      await Promise.all(found.slice(from, from + CHANGED_AT_ONCE).map(move));
    }
  }
}

/** Finishes changes of time zones that a killed process left unfinished. */
export function zoneSweep(deps: FollowZoneDeps, { ttlMs, logger }: { ttlMs: number; logger: Logger }): Loop {
  const run = overdueSweep(
    { what: 'time zone', ttlMs, logger },
    async (from) => deps.events.zoneChanges(from),
    async ({ id, companyId: tenant }: { id: string; companyId: Tenant }) =>
      followZone(deps, { tenant }, await findEvent(deps, tenant, id)),
  );
  return { name: 'time zone sweep', everyMs: 1_000, idleMs: IDLE_MS, run };
}
