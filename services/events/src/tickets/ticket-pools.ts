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

/** The ledger's name for the pool of a ticket. */
const POOL_FIELD = 'poolId' satisfies keyof TicketDocument;

/** A pool of tickets, and how many of them one customer may have. */
export interface TicketPool extends PoolDefinition {
  perCustomer: number | undefined;
}

export function ticketCollections({ ticketPools: pools, customerTickets, tickets }: EventsModels): PoolCollections {
  const { db } = pools;
  return {
    pools: db.collection<PoolDocument>(pools.collection.name),
    shares: db.collection<PoolDocument>(customerTickets.collection.name),
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
    // The order's own events report the outcome of its tickets.
    toEntry: () => undefined,
    clock,
  });
}

/**
 * Ids of offerings and events are chosen by companies, and an offering may have the same id as an event. No id has a
 * line break.
 */
export function poolIdOf(kind: 'offering' | 'event', tenant: Tenant, id: string): string {
  return [kind, keyOfTenant(tenant), id].join('\n');
}

/** The id of the offering or event that a pool belongs to. */
export function ownerOf(poolId: string): { kind: string; id: string } {
  const [kind = '', , id = ''] = poolId.split('\n');
  return { kind, id };
}

/** The pool of an offering's tickets. */
export function offeringPool(
  tenant: Tenant,
  { id, version, capacity, maxPerCustomer }: Pick<OfferingRecord, 'id' | 'version' | 'capacity' | 'maxPerCustomer'>,
): TicketPool {
  const poolId = poolIdOf('offering', tenant, id);
  return { id: poolId, companyId: tenant, version, limit: capacity, perCustomer: maxPerCustomer };
}

/** The pool of an event's tickets. An instance's inherited values change with its `series`. */
export function eventPool(event: EventRecord, series: EventRecord | undefined): TicketPool {
  return {
    id: poolIdOf('event', event.tenant, event.id),
    companyId: event.tenant,
    version: event.version,
    ...(series === undefined ? {} : { parentVersion: series.version }),
    limit: event.own.capacity ?? series?.own.capacity,
    perCustomer: event.own.maxPerCustomer ?? series?.own.maxPerCustomer,
  };
}
