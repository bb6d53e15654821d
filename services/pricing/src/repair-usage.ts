import { repairCommand } from '@event-commerce/claims';
import { pricingModels } from './store/models.ts';
import { redemptionCollections } from './store/redemption-pools.ts';

// Compares how often adjustments were redeemed, in all and by each customer, with the ledger: see `repairCommand`.

await repairCommand(
  'pricing',
  (mongo) => redemptionCollections(pricingModels(mongo)),
  (adjustmentId) => ({ adjustmentId }),
);
