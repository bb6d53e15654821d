import { BROADCAST, type BusConnection, call, caughtUp, onBroadcast, onReconnect } from '@event-commerce/bus';
import { ARRAY_LENGTH_MAX, recordKey, offeringNotice, type ListedOffering, RPC } from '@event-commerce/contracts';
import { asUnavailable, type Caller } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import type { Catalogue } from './domain/cart.ts';

/** How old a response may get if the notice that invalidates it is lost. */
const KNOWN_MS = 10_000;
const UNKNOWN_MS = 5_000;
const OFFERINGS_MAX = 50_000;

/** What is cached about one offering: a response, or the fact that versions below `version` are stale. */
type Held = { offering: ListedOffering | undefined } | { staleBelow: number };

export interface OfferingCatalogue {
  /**
   * What the caller's company sells under `ids`; unknown ids are left out. `isCaughtUp`: what asks came over the
   * broker, after the notices of changes that it may know of.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE if the events service must be asked and does not respond
   */
  find(caller: Caller, ids: readonly string[], options?: { isCaughtUp?: boolean }): Promise<Catalogue>;
  /** Whether nothing has been heard since `found` was found that makes it stale. */
  isCurrent(caller: Caller, ids: readonly string[], found: Catalogue): boolean;
}

/**
 * The events service's offerings over request-reply, cached for a while. The events service announces a change before
 * it responds to it, and every replica drops the offering; so the result is never older than what the caller was told.
 * While the broker is down no notices arrive, so everything is dropped when it is back.
 */
export function offeringCatalogue(bus: BusConnection): OfferingCatalogue {
  const cache = new LRUCache<string, Held>({ max: OFFERINGS_MAX, ttl: KNOWN_MS });

  onBroadcast(bus, BROADCAST.offeringChanged, (payload) => {
    const { tenant, id, version } = offeringNotice.parse(JSON.parse(payload));
    cache.set(recordKey(tenant, id), { staleBelow: version });
  });
  onReconnect(bus, () => cache.clear());

  const ask = async (caller: Caller, ids: string[], found: Map<string, ListedOffering>): Promise<void> => {
    const { offerings } = await call(bus, RPC.offerings, { ids }, caller);
    const answered = new Map(offerings.map((offering) => [offering.id, offering]));
    for (const id of ids) {
      const offering = answered.get(id);
      if (offering !== undefined) found.set(id, offering);
      const key = recordKey(caller.tenant, id);
      const held = cache.get(key);
      const stale = held !== undefined && 'staleBelow' in held && (offering?.version ?? 0) < held.staleBelow;
      if (!stale) cache.set(key, { offering }, { ttl: offering === undefined ? UNKNOWN_MS : KNOWN_MS });
    }
  };

  return {
    async find(caller, ids, { isCaughtUp = false } = {}) {
      const found = new Map<string, ListedOffering>();
      const missing: string[] = [];
      try {
        if (!isCaughtUp && ids.some((id) => cache.has(recordKey(caller.tenant, id)))) await caughtUp(bus);
        for (const id of new Set(ids)) {
          const held = cache.get(recordKey(caller.tenant, id));
          if (held === undefined || 'staleBelow' in held) missing.push(id);
          else if (held.offering !== undefined) found.set(id, held.offering);
        }
        for (let from = 0; from < missing.length; from += ARRAY_LENGTH_MAX) {
          await ask(caller, missing.slice(from, from + ARRAY_LENGTH_MAX), found);
        }
      } catch (error) {
        throw asUnavailable(error, 'Prices of the catalogue cannot be read now; try again shortly.');
      }
      return found;
    },
    isCurrent: (caller, ids, found) =>
      ids.every((id) => {
        const held = cache.get(recordKey(caller.tenant, id));
        return held !== undefined && 'offering' in held && held.offering === found.get(id);
      }),
  };
}
