import { isFull, type PoolDocument } from '@event-commerce/claims';
import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { batched, type Logger } from '@event-commerce/service-kit';
import { ownerOf } from '../store/ticket-pools.ts';
import { availabilities, type LimitDeps } from './ticket-limits.ts';

/** Publishes that nothing is left of an offering, or something again. */
export type TellAvailability = ReturnType<typeof availabilityTeller>;

/**
 * The offering keeps what was told last. Whoever changes what is left looks again after telling, so that of two who
 * tell different things the last one is right. That nothing is left is told when the last claim is settled, with what
 * that reads anyway, or by the sweep while it is pending; what a crash kept from being told, also by whoever reads the
 * offering.
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
    const owners = poolIds.map(ownerOf);
    const eventIds = new Set(owners.flatMap(({ kind, id }) => (kind === 'event' ? [id] : [])));
    const offeringIds = owners.flatMap(({ kind, id }) => (kind === 'offering' ? [id] : []));
    const found = offeringIds.length === 0 ? [] : await offerings.findAll(tenant, offeringIds);
    for (const { eventId } of found) eventIds.add(eventId);
    await Promise.all([...eventIds].map(async (id) => ofEvent(tenant, id)));
  };

  const soon = (telling: () => Promise<void>): void => {
    Promise.try(telling).catch((err: unknown) =>
      logger.warn({ err }, 'whether an offering is sold out could not be told; the next sweep or reader tells it'),
    );
  };

  return {
    ofEvent,
    ofPools,

    /**
     * Tells soon what changed for events: of an offering of theirs, a reader saw that it was not told, or an order was
     * refused.
     */
    afterRead: (tenant: Tenant, eventIds: Iterable<string>): void => {
      for (const eventId of eventIds) soon(async () => ofEvent(tenant, eventId));
    },

    /** Tells soon that pools have no place left, if that was not told. */
    afterSeen: (seen: readonly PoolDocument[]): void => {
      for (const [tenant, full] of Map.groupBy(seen.filter(isFull), ({ companyId }) => companyId)) {
        soon(async () =>
          ofPools(
            tenant,
            full.map(({ _id }) => _id),
          ),
        );
      }
    },
  };
}
