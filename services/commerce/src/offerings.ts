import { type BusConnection, call } from '@event-commerce/bus';
import {
  ARRAY_LENGTH_MAX,
  invalidInput,
  recordKey,
  type OfferingRecord,
  RPC,
  type Tenant,
} from '@event-commerce/contracts';
import { asUnavailable, type Caller } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { ask } from './other-services.ts';

const OFFERINGS_MAX = 10_000;
/** How many offerings of an event orders are found by: each is a condition of the query. */
const OFFERINGS_OF_EVENT_MAX = 5_000;

/** What is known of an offering: its record, or that the catalogue did not have it. */
type Known = { record: OfferingRecord | undefined };

/**
 * The offerings of the catalogue, as they were last heard of. That may be old: claiming tickets says the version that
 * was used, and the events service claims nothing for another one. No order is refused for an old version either.
 */
export interface Offerings {
  /**
   * The offerings of the caller's company with these ids; those that the catalogue did not have are left out. With
   * `afresh` the catalogue is asked about all of them.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE if the events service must be asked and does not respond
   */
  find(caller: Caller, ids: readonly string[], options?: { afresh: boolean }): Promise<Map<string, OfferingRecord>>;
  /**
   * The ids of an event's offerings.
   *
   * @throws {PlatformError} VALIDATION_FAILED if there are too many to find orders by; SERVICE_UNAVAILABLE likewise
   */
  idsOfEvent(caller: Caller, eventId: string): Promise<string[]>;
  /** Takes records from elsewhere. Of two versions the newer one is kept, and returned. */
  learn(tenant: Tenant, records: readonly OfferingRecord[]): OfferingRecord[];
}

export function knownOfferings(bus: BusConnection): Offerings {
  const cache = new LRUCache<string, Known>({ max: OFFERINGS_MAX });

  const learn = (tenant: Tenant, records: readonly OfferingRecord[]) =>
    records.map((record) => {
      const key = recordKey(tenant, record.id);
      const known = cache.get(key)?.record;
      if (known !== undefined && known.version >= record.version) return known;
      cache.set(key, { record });
      return record;
    });

  return {
    learn,

    async idsOfEvent(caller, eventId) {
      const request = { eventId, limit: OFFERINGS_OF_EVENT_MAX + 1 };
      const { ids } = await call(bus, RPC.offeringsOfEvent, request, caller).catch((error: unknown) => {
        throw asUnavailable(error, 'The offerings of the event cannot be read now; try again shortly.');
      });
      if (ids.length <= OFFERINGS_OF_EVENT_MAX) return ids;
      throw invalidInput('eventId', `has more than ${OFFERINGS_OF_EVENT_MAX} offerings; send offeringId instead`);
    },

    async find(caller, ids, { afresh } = { afresh: false }) {
      const { tenant } = caller;
      const isKnown = (id: string) => cache.has(recordKey(tenant, id));
      const asked = [...new Set(ids)].filter((id) => afresh || !isKnown(id));
      for (let from = 0; from < asked.length; from += ARRAY_LENGTH_MAX) {
        const request = { ids: asked.slice(from, from + ARRAY_LENGTH_MAX) };
        const problem = 'Prices of the catalogue cannot be read now';
        const { offerings } = await ask(bus, RPC.offerings, caller, request, problem);
        learn(tenant, offerings);
        for (const id of request.ids) if (!isKnown(id)) cache.set(recordKey(tenant, id), { record: undefined });
      }
      const found = ids.flatMap((id) => cache.get(recordKey(tenant, id))?.record ?? []);
      return new Map(found.map((record) => [record.id, record]));
    },
  };
}
