import type { BusConnection } from '@event-commerce/bus';
import {
  ARRAY_LENGTH_MAX,
  invalidInput,
  keyOfTenant,
  type ListedOffering,
  recordKey,
  type OfferingRecord,
  type Tenant,
} from '@event-commerce/contracts';
import { batched, type Caller, recordMemory } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { readOfferings, readOfferingsOfEvent } from '../other-services.ts';

/** The most offerings of an event to find orders by: each is a condition of the query. */
const OFFERINGS_OF_EVENT_MAX = 5_000;

const NO_PRICES = 'Catalogue prices are unavailable; send the order again.';

/** What is known of an offering: its record, or that the catalogue did not have it. */
type Known = { record: OfferingRecord | undefined };

export type Offerings = ReturnType<typeof knownOfferings>;

/** An event that was cancelled, one of the offerings that were asked about, and the call-off if there was one. */
interface CancelledEvent {
  eventId: string;
  offeringId: string;
  callOff?: { id: string; reason: string };
}

/**
 * The offerings of the catalogue, as last seen. They may be outdated: a claim of tickets names the version that was
 * used, and the events service claims nothing for any other. An old version does not refuse an order either.
 */
export function knownOfferings(bus: BusConnection) {
  const cache = new LRUCache<string, Known>(recordMemory);

  /** Adds records from elsewhere. Keeps the newer of two versions, and returns it. */
  const learn = (tenant: Tenant, records: readonly OfferingRecord[]): OfferingRecord[] =>
    records.map((record) => {
      const key = recordKey(tenant, record.id);
      const known = cache.get(key)?.record;
      if (known !== undefined && known.version >= record.version) return known;
      cache.set(key, { record });
      return record;
    });

  /** The catalogue's offerings among `ids`, as they are now. */
  async function* ask(caller: Caller, ids: readonly string[], unanswered: string) {
    for (let from = 0; from < ids.length; from += ARRAY_LENGTH_MAX) {
      const asked = ids.slice(from, from + ARRAY_LENGTH_MAX);
      yield { asked, offerings: await readOfferings(bus, caller, asked, unanswered) };
    }
  }

  /** The offerings of cancelled events. When a sale goes well, many orders of the same offerings ask at once. */
  const cancelledAmong = batched(
    async (asked: readonly { caller: Caller; ids: readonly string[] }[]): Promise<CancelledEvent[][]> => {
      const unanswered = 'The status of the event cannot be read now; try again shortly.';
      const cancelled = new Map<string, CancelledEvent>();
      const ofTenants = Map.groupBy(asked, ({ caller: { tenant } }) => keyOfTenant(tenant)).values();
      const askEach = [...ofTenants].map(async (all) => {
        const { caller } = all[0] as { caller: Caller };
        const wanted = [...new Set(all.flatMap(({ ids }) => ids))];
        for await (const { offerings } of ask(caller, wanted, unanswered)) {
          for (const { id: offeringId, eventId, event } of offerings) {
            if (event.status !== 'cancelled') continue;
            const { callOff } = event;
            const key = recordKey(caller.tenant, offeringId);
            cancelled.set(key, { eventId, offeringId, ...(callOff === undefined ? {} : { callOff }) });
          }
        }
      });
      await Promise.all(askEach);
      return asked.map(({ caller: { tenant }, ids }) =>
        ids.flatMap((id) => cancelled.get(recordKey(tenant, id)) ?? []),
      );
    },
  );

  return {
    learn,

    /**
     * For each cancelled event, one of its offerings among `ids`.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if the events service does not respond
     */
    async ofCancelledEvents(caller: Caller, ids: readonly string[]): Promise<CancelledEvent[]> {
      const found = await cancelledAmong({ caller, ids });
      return [...new Map(found.map((one) => [one.eventId, one])).values()];
    },

    /**
     * The ids of an event's offerings.
     *
     * @throws {PlatformError} VALIDATION_FAILED if there are too many to find orders by; SERVICE_UNAVAILABLE if the
     * events service does not respond
     */
    async idsOfEvent(caller: Caller, eventId: string): Promise<string[]> {
      const ids = await readOfferingsOfEvent(bus, caller, eventId, OFFERINGS_OF_EVENT_MAX + 1);
      if (ids.length <= OFFERINGS_OF_EVENT_MAX) return ids;
      throw invalidInput('eventId', `has more than ${OFFERINGS_OF_EVENT_MAX} offerings; send offeringId instead`);
    },

    /**
     * The catalogue's offerings among `ids` as they are now, with what is left of them.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if the events service does not respond
     */
    async current(caller: Caller, ids: readonly string[]): Promise<Map<string, ListedOffering>> {
      const listed = new Map<string, ListedOffering>();
      for await (const { offerings } of ask(caller, [...new Set(ids)], NO_PRICES)) {
        learn(caller.tenant, offerings);
        for (const one of offerings) listed.set(one.id, one);
      }
      return listed;
    },

    /**
     * The offerings of the caller's company with these ids, without those that the catalogue did not have. With
     * `afresh`, the catalogue is asked about all of them.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if the events service must be asked and does not respond
     */
    async find(
      caller: Caller,
      ids: readonly string[],
      { afresh } = { afresh: false },
    ): Promise<Map<string, OfferingRecord>> {
      const { tenant } = caller;
      const knownOf = (id: string) => cache.get(recordKey(tenant, id));
      // Kept separately, because the cache may not have room for all of them.
      const found = new Map<string, Known>();
      for (const id of ids) {
        const known = knownOf(id);
        if (known !== undefined) found.set(id, known);
      }
      const asked = [...new Set(ids)].filter((id) => afresh || !found.has(id));
      for await (const { asked: ofThese, offerings } of ask(caller, asked, NO_PRICES)) {
        for (const record of learn(tenant, offerings)) found.set(record.id, { record });
        for (const id of ofThese) {
          if (!found.has(id) && knownOf(id) === undefined) cache.set(recordKey(tenant, id), { record: undefined });
        }
      }
      return new Map([...found].flatMap(([id, { record }]) => (record === undefined ? [] : [[id, record]])));
    },
  };
}
