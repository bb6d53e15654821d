import { repairCommand } from '@event-commerce/claims';
import { eventsModels } from './models.ts';
import { ownerOf, ticketCollections, ticketPools } from './tickets/ticket-pools.ts';

// Compares how many tickets of offerings and events are taken with the ledger: see `repairCommand`.

await repairCommand({
  service: 'events',
  collectionsOf: (mongo) => ticketCollections(eventsModels(mongo)),
  poolsOf: (mongo) => ticketPools(eventsModels(mongo), () => new Date()),
  claimsOf: ({ ticketIds }) => ticketIds,
  aboutPool: (poolId) => {
    const { kind, id } = ownerOf(poolId);
    return kind === 'event' ? { eventId: id } : { offeringId: id };
  },
});
