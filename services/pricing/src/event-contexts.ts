import { BROADCAST, type BusConnection, call, onBroadcast, onReconnect } from '@event-commerce/bus';
import {
  ARRAY_LENGTH_MAX,
  type EventContextRecord,
  eventNotice,
  recordKey,
  RPC,
  type Tenant,
} from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import type { EventContexts } from './domain/cart-lines.ts';

/** How old a response may get if the notice that invalidates it is lost. */
const KNOWN_MS = 60_000;
const EVENTS_MAX = 100_000;

/**
 * What is cached about one event: a response (empty if there is no such event), or the fact that versions below
 * `staleBelow` are stale.
 */
type Held = { record: EventContextRecord | undefined; askedAtMs: number } | { staleBelow: number };

export interface EventDirectory {
  /** The contexts of the caller's events `ids`; unknown ids are left out. */
  find(caller: Caller, ids: ReadonlySet<string>): Promise<FoundEvents>;
}

export interface FoundEvents {
  contexts: ReadonlyMap<string, EventContexts>;
  /** The events whose contexts are unknown, because the events service must be asked and does not respond. */
  unreachable: ReadonlySet<string>;
  /** Why not. */
  error?: unknown;
}

/**
 * The events service's events over request-reply, cached for a while. The events service announces a change before it
 * responds to it, and an evaluation request arrives over the same connection after that notice: so the result is never
 * older than what the caller was told. While the broker is down no notices arrive, so everything is dropped when it is
 * back.
 */
export function eventDirectory(bus: BusConnection): EventDirectory {
  const cache = new LRUCache<string, Held>({ max: EVENTS_MAX });

  onBroadcast(bus, BROADCAST.eventChanged, (payload) => {
    const { tenant, id, version } = eventNotice.parse(JSON.parse(payload));
    cache.set(recordKey(tenant, id), { staleBelow: version });
  });
  onReconnect(bus, () => cache.clear());

  const heldOf = (tenant: Tenant, id: string) => {
    const held = cache.get(recordKey(tenant, id));
    return held === undefined || 'staleBelow' in held ? undefined : held;
  };

  /** Asks for `ids`, and for the series of those that are instances. */
  const ask = async (caller: Caller, ids: string[]): Promise<Map<string, EventContextRecord>> => {
    const askedAtMs = performance.now();
    const { events } = await call(bus, RPC.eventContexts, { ids }, caller);
    const answered = new Map(events.map((record) => [record.id, record]));
    for (const id of new Set([...ids, ...answered.keys()])) {
      const record = answered.get(id);
      const key = recordKey(caller.tenant, id);
      const held = cache.get(key);
      const stale = held !== undefined && 'staleBelow' in held && (record?.version ?? 0) < held.staleBelow;
      if (!stale) cache.set(key, { record, askedAtMs });
    }
    return answered;
  };

  /** What is cached about `ids` and their series since `oldestMs` or later, and those of which nothing is. */
  const lookUp = (tenant: Tenant, ids: Iterable<string>, oldestMs: number) => {
    const records = new Map<string, EventContextRecord>();
    const missing = new Set<string>();
    for (const id of ids) {
      const held = heldOf(tenant, id);
      const seriesId = held?.record?.seriesId;
      const series = seriesId === undefined ? held : heldOf(tenant, seriesId);
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
    async find(caller, ids) {
      const { records, ...rest } = await read(caller, ids);
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
      return { contexts, ...rest };
    },
  };
}
