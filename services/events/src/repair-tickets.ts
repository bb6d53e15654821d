import { repairCommand } from '@event-commerce/claims';
import { eventsModels } from './store/models.ts';
import { ownerOf, ticketCollections } from './store/ticket-pools.ts';

// Compares how many tickets of offerings and events are taken with the ledger: see `repairCommand`.

await repairCommand(
  'events',
  (mongo) => ticketCollections(eventsModels(mongo)),
  (poolId) => {
    const { kind, id } = ownerOf(poolId);
    return kind === 'event' ? { eventId: id } : { offeringId: id };
  },
);
