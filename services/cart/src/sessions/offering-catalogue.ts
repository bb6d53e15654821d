import { BROADCAST, type BusConnection, caughtUp } from '@event-commerce/bus';
import { ARRAY_LENGTH_MAX, type ListedOffering, type Tenant } from '@event-commerce/contracts';
import { type Caller, invalidatedCache } from '@event-commerce/service-kit';
import { readOfferings } from '../other-services.ts';
import type { Catalogue } from './domain/cart.ts';

/** The longest time to use a response if the notice that invalidates it is lost. */
const KNOWN_MS = 10_000;
const UNKNOWN_MS = 5_000;

export type OfferingCatalogue = ReturnType<typeof offeringCatalogue>;

/**
 * The events service's offerings over request-reply, cached for a while. The events service announces a change before
 * it responds to it, and every replica drops the offering; so the result is never older than what the caller has seen.
 */
export function offeringCatalogue(bus: BusConnection) {
  const known = invalidatedCache<ListedOffering>(bus, BROADCAST.offeringChanged);

  const heldOf = (tenant: Tenant, id: string) => {
    const held = known.get(tenant, id);
    if (held === undefined) return undefined;
    const maxAgeMs = held.record === undefined ? UNKNOWN_MS : KNOWN_MS;
    return performance.now() - held.askedAtMs < maxAgeMs ? held : undefined;
  };

  const ask = async (caller: Caller, ids: string[], found: Map<string, ListedOffering>): Promise<void> => {
    const askedAtMs = performance.now();
    const offerings = await readOfferings(bus, caller, ids);
    const answered = new Map(offerings.map((offering) => [offering.id, offering]));
    for (const id of ids) {
      const record = answered.get(id);
      if (record !== undefined) found.set(id, record);
      known.learn(caller.tenant, id, { record, askedAtMs });
    }
  };

  return {
    /**
     * The offerings `ids` of the caller's company; unknown ids are left out. `isCaughtUp`: the request came over the
     * broker, after the notices of changes that its caller may know about.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if the events service must be asked and does not respond
     */
    async find(caller: Caller, ids: readonly string[], { isCaughtUp = false } = {}): Promise<Catalogue> {
      const found = new Map<string, ListedOffering>();
      const missing: string[] = [];
      if (!isCaughtUp && ids.some((id) => heldOf(caller.tenant, id) !== undefined)) await caughtUp(bus);
      for (const id of new Set(ids)) {
        const held = heldOf(caller.tenant, id);
        if (held === undefined) missing.push(id);
        else if (held.record !== undefined) found.set(id, held.record);
      }
      for (let from = 0; from < missing.length; from += ARRAY_LENGTH_MAX) {
        await ask(caller, missing.slice(from, from + ARRAY_LENGTH_MAX), found);
      }
      return found;
    },
    /** Whether no notice that makes `found` stale has arrived since it was found. */
    isCurrent: (caller: Caller, ids: readonly string[], found: Catalogue): boolean =>
      ids.every((id) => {
        const held = heldOf(caller.tenant, id);
        return held !== undefined && held.record === found.get(id);
      }),
  };
}
