import { repairCommand } from '@event-commerce/claims';
import { poolNamed } from './adjustments/domain/pools-of.ts';
import { pricingModels } from './models.ts';
import { redemptionCollections, redemptionPools } from './redemptions/redemption-pools.ts';

// Compares how often adjustments were redeemed, in total and by each customer, with the ledger: see `repairCommand`.

await repairCommand({
  service: 'pricing',
  collectionsOf: (mongo) => redemptionCollections(pricingModels(mongo)),
  poolsOf: (mongo) =>
    redemptionPools(pricingModels(mongo), { publish: () => {}, stop: async () => {} }, () => new Date()),
  claimsOf: ({ redemptionIds }) => redemptionIds,
  aboutPool: poolNamed,
});
