import {
  createPools,
  type LedgerEntry,
  type PoolCollections,
  type PoolDefinition,
  type PoolDocument,
  type Pools,
} from '@event-commerce/claims';
import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import type { EventRecord } from '../events/domain/event-record.ts';
import type { EventsModels, TicketDocument } from '../models.ts';
import type { OfferingRecord } from '../offerings/offering-record.ts';

/** How many tickets of offerings and events are taken. */
export type TicketPools = Pools;

/** What the ledger calls the pool of a ticket. */
const POOL_FIELD = 'poolId' satisfies keyof TicketDocument;

export function ticketCollections({ ticketPools: pools, tickets }: EventsModels): PoolCollections {
  const { db } = pools;
  return {
    pools: db.collection<PoolDocument>(pools.collection.name),
    shares: undefined,
    ledger: db.collection<LedgerEntry>(tickets.collection.name),
    poolField: POOL_FIELD,
  };
}

/** `changed` is called with a pool after a claim in it was settled. */
export function ticketPools(
  models: EventsModels,
  clock: () => Date,
  changed: (pool: PoolDocument) => void = () => {},
): TicketPools {
  return createPools({
    ...ticketCollections(models),
    relay: { publish: changed },
    // The order's own events tell what became of its tickets.
    toEntry: () => undefined,
    clock,
  });
}

/**
 * Ids of offerings and events are a company's own, and an offering may be called as an event is. None has a line break.
 */
export function poolIdOf(kind: 'offering' | 'event', tenant: Tenant, id: string): string {
  return [kind, keyOfTenant(tenant), id].join('\n');
}

/** The id of the offering or event that a pool is of. */
export function ownerOf(poolId: string): { kind: string; id: string } {
  const [kind = '', , id = ''] = poolId.split('\n');
  return { kind, id };
}

/** The pool of an offering's tickets. */
export function offeringPool(tenant: Tenant, { id, version, capacity }: OfferingRecord): PoolDefinition {
  return { id: poolIdOf('offering', tenant, id), companyId: tenant, version, limit: capacity };
}

/**
 * The pool of an event's tickets. What an instance inherits changes with its `series`.
 */
export function eventPool(event: EventRecord, series: EventRecord | undefined): PoolDefinition {
  return {
    id: poolIdOf('event', event.tenant, event.id),
    companyId: event.tenant,
    version: event.version,
    ...(series === undefined ? {} : { parentVersion: series.version }),
    limit: event.own.capacity ?? series?.own.capacity,
  };
}
