import { BROADCAST, type BusConnection } from '@event-commerce/bus';
import { ARRAY_LENGTH_MAX, type EventContextRecord, type Tenant } from '@event-commerce/contracts';
import { type Caller, invalidatedCache } from '@event-commerce/service-kit';
import { readEventContexts } from '../other-services.ts';
import type { EventContexts } from './domain/cart-lines.ts';

/** The longest time to use a response if the notice that invalidates it is lost. */
const KNOWN_MS = 60_000;

export type EventDirectory = ReturnType<typeof eventDirectory>;

export interface FoundEvents {
  contexts: ReadonlyMap<string, EventContexts>;
  /** The events whose contexts are unknown, because the events service must be asked and does not respond. */
  unreachable: ReadonlySet<string>;
  /** The reason. */
  error?: unknown;
}

/**
 * The events service's events over request-reply, cached for a while. The events service announces a change before it
 * responds to it, and an evaluation request arrives over the same connection after that notice: so the result is never
 * older than what the caller has seen.
 */
export function eventDirectory(bus: BusConnection) {
  const known = invalidatedCache<EventContextRecord>(bus, BROADCAST.eventChanged);

  /** Asks for `ids`, and for the series of those that are instances. */
  const ask = async (caller: Caller, ids: string[]): Promise<Map<string, EventContextRecord>> => {
    const askedAtMs = performance.now();
    const events = await readEventContexts(bus, caller, ids);
    const answered = new Map(events.map((record) => [record.id, record]));
    for (const id of new Set([...ids, ...answered.keys()])) {
      known.learn(caller.tenant, id, { record: answered.get(id), askedAtMs });
    }
    return answered;
  };

  /** What is cached about `ids` and their series since `oldestMs` or later, and the ids without a cached result. */
  const lookUp = (tenant: Tenant, ids: Iterable<string>, oldestMs: number) => {
    const records = new Map<string, EventContextRecord>();
    const missing = new Set<string>();
    for (const id of ids) {
      const held = known.get(tenant, id);
      const seriesId = held?.record?.seriesId;
      const series = seriesId === undefined ? held : known.get(tenant, seriesId);
      if (held === undefined || series === undefined || Math.min(held.askedAtMs, series.askedAtMs) < oldestMs) {
        missing.add(id);
        continue;
      }
      for (const { record } of [held, series]) if (record !== undefined) records.set(record.id, record);
    }
    return { records, missing: [...missing] };
  };

  const read = async (caller: Caller, ids: ReadonlySet<string>) => {
    const { records, missing } = lookUp(caller.tenant, ids, performance.now() - KNOWN_MS);
    try {
      for (let from = 0; from < missing.length; from += ARRAY_LENGTH_MAX) {
        const answered = await ask(caller, missing.slice(from, from + ARRAY_LENGTH_MAX));
        for (const [id, record] of answered) records.set(id, record);
      }
      return { records, unreachable: new Set<string>() };
    } catch (error) {
      // While the service is down, its last response remains valid.
      const last = lookUp(caller.tenant, ids, -Infinity);
      return { records: last.records, unreachable: new Set(last.missing), error };
    }
  };

  return {
    /** The contexts of the caller's events `ids`; unknown ids are left out. */
    async find(caller: Caller, ids: ReadonlySet<string>): Promise<FoundEvents> {
      const { records, ...rest } = await read(caller, ids);
      return { contexts: contextsIn(records, ids), ...rest };
    },
  };
}

/** The contexts of events `ids`: their own, or those of their series. `records` has them all by id, with the series. */
export function contextsIn(
  records: ReadonlyMap<string, EventContextRecord>,
  ids: Iterable<string>,
): Map<string, EventContexts> {
  const contexts = new Map<string, EventContexts>();
  for (const id of ids) {
    const event = records.get(id);
    if (event === undefined) continue;
    const { seriesId } = event;
    const series = seriesId === undefined ? undefined : records.get(seriesId);
    const venueId = event.venueId ?? series?.venueId;
    const organizerId = event.organizerId ?? series?.organizerId;
    contexts.set(id, { seriesId, venueId, organizerId });
  }
  return contexts;
}
