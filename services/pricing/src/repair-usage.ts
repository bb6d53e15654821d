import { parseArgs } from 'node:util';
import { connectMongo, processSettings, readConfig } from '@event-commerce/service-kit';
import type { Relay } from '@event-commerce/outbox';
import { type AdjustmentDocument, pricingModels } from './store/models.ts';
import { redemptionRepository } from './store/redemption.repository.ts';
import { repairUsage } from './use-cases/repair-usage.ts';

// Compares redemption counters with the ledger: `node src/repair-usage.ts [--company ID] [--repair]`.
// Exit code 1 when a difference stands.

const { values } = parseArgs({ options: { company: { type: 'string' }, repair: { type: 'boolean', default: false } } });
const config = readConfig(processSettings.omit({ NATS_URL: true }), process.env);
const dbName = `${config.MONGO_DB_PREFIX}_pricing`;
const mongo = await connectMongo(config.MONGO_URL, { dbName, appName: 'pricing repair' });

/** Nothing is published from here: the sweep of the pricing service publishes what it finds. */
const noRelay: Relay<AdjustmentDocument> = { publish: () => {}, stop: async () => {} };
const redemptions = redemptionRepository(pricingModels(mongo), noRelay);

let standing = 0;
for await (const difference of repairUsage(redemptions, { repair: values.repair, companyId: values.company })) {
  if (!difference.repaired) standing += 1;
  process.stdout.write(`${JSON.stringify(difference)}\n`);
}
await mongo.close();
process.stdout.write(standing === 0 ? 'The counters agree with the ledger.\n' : `${standing} differences stand.\n`);
process.exitCode = standing === 0 ? 0 : 1;
