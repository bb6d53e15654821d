import type { RecordNotice } from '@event-commerce/contracts';
import type { Writer } from '@event-commerce/service-kit';
import { givenInZone } from './domain/change-of-date.ts';
import { keepOwnClock } from './domain/change-zone.ts';
import { type EventRecord, zoneOfTimes } from './domain/event-record.ts';
import { findInstance, type ReadEventsDeps } from './read-events.ts';

export interface WriteEventDeps extends ReadEventsDeps {
  clock: () => Date;
  /** Resolves once no process uses an earlier state of the event. */
  announceEvent: (notice: RecordNotice) => Promise<void>;
}

/** Moves an instance's own times to the time zone that the instance has now, at the same clock times. */
export async function moveInstance(
  deps: WriteEventDeps,
  writer: Writer,
  seriesId: string,
  id: string,
): Promise<EventRecord> {
  const moved = await deps.events.changeInTurn(writer.tenant, id, async () => {
    const { instance, series } = await findInstance(deps, writer.tenant, seriesId, id);
    const timesZone = zoneOfTimes(instance.own, series.own);
    if (timesZone === instance.timesZone) return instance;
    const { callOff } = instance;
    const own = keepOwnClock(instance.own, instance.timesZone, timesZone);
    const next = { own, timesZone, callOff, ...givenInZone(instance, own, timesZone) };
    return await deps.events.replaceOwn(writer, instance, next, { type: 'event.updated' }, deps.clock());
  });
  await deps.announceEvent(moved);
  return moved;
}
