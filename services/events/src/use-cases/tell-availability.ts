import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { batched, type Logger } from '@event-commerce/service-kit';
import { ownerOf } from '../store/ticket-pools.ts';
import { availabilities, type LimitDeps } from './ticket-limits.ts';

/** Publishes that nothing is left of an offering, or something again. */
export type TellAvailability = ReturnType<typeof availabilityTeller>;

/**
 * The offering keeps what was told last. Whoever changes what is left looks again after telling, so that of two who tell different things
 * the last one is right. What a crash kept from being told is told by the next order for the event.
 */
export function availabilityTeller(deps: LimitDeps & { clock: () => Date; logger: Logger }) {
  const { offerings, pools, sellables, clock, logger } = deps;

  const tellOnce = async (tenant: Tenant, eventId: string): Promise<boolean> => {
    const found = [...(await sellables({ tenant, ids: await offerings.idsOf(tenant, eventId) })).values()];
    const ofEvent = found.filter(({ offering }) => offering.eventId === eventId);
    const available = await availabilities({ pools }, ofEvent);
    const told = ofEvent.map(async ({ offering }) => {
      const availability = available.get(offering.id);
      if (availability === undefined || (availability.left === 0) === offering.soldOut) return false;
      return await offerings.tellAvailability(tenant, offering.id, availability, clock());
    });
    return (await Promise.all(told)).includes(true);
  };
  const tellShared = batched(
    async (asks: readonly { tenant: Tenant; eventId: string }[]) => {
      const [first] = asks;
      if (first !== undefined) while (await tellOnce(first.tenant, first.eventId));
      return asks.map(() => true);
    },
    { key: ({ tenant, eventId }) => JSON.stringify([keyOfTenant(tenant), eventId]), itemsMax: 10_000 },
  );

  /** Tells what changed for the offerings of an event. */
  const ofEvent = async (tenant: Tenant, eventId: string): Promise<void> => {
    await tellShared({ tenant, eventId });
  };

  /** Tells what changed for the events of the pools, which are those of one company. */
  const ofPools = async (tenant: Tenant, poolIds: readonly string[]): Promise<void> => {
    const offeringIds = poolIds.map(ownerOf).flatMap(({ kind, id }) => (kind === 'offering' ? [id] : []));
    if (offeringIds.length === 0) return;
    const found = await offerings.findAll(tenant, offeringIds);
    await Promise.all([...new Set(found.map(({ eventId }) => eventId))].map(async (id) => ofEvent(tenant, id)));
  };

  return {
    ofEvent,
    ofPools,

    /** Tells what a claim changed, if it took the last ticket or found none; nobody waits for that. */
    afterClaim(
      tenant: Tenant,
      claimed: readonly { pool: { id: string; limit: number | undefined } }[],
      isRefused: boolean,
    ): void {
      const poolIds = claimed.map(({ pool }) => pool.id);
      const tell = async (): Promise<void> => {
        const counts = await pools.countsOf(poolIds);
        const isFull = claimed.some(({ pool: { id, limit = Infinity } }) => (counts.get(id)?.claimed ?? 0) >= limit);
        if (isFull || isRefused) await ofPools(tenant, poolIds);
      };
      tell().catch((err: unknown) => logger.warn({ err }, 'what is left could not be told; the next order tells it'));
    },
  };
}
