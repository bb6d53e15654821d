import { parseArgs } from 'node:util';
import { keyEnvironment, tenantOf } from '@event-commerce/contracts';
import { connectMongo, processSettings, readConfig } from '@event-commerce/service-kit';
import { pricingModels } from './store/models.ts';
import { repairUsage } from './use-cases/repair-usage.ts';

// Compares redemption counters with the ledger: `node src/repair-usage.ts [--company ID [--environment test]]
// [--repair]`. Exits with 1 if a difference remains.

const { values } = parseArgs({
  options: {
    company: { type: 'string' },
    environment: { type: 'string', default: 'live' },
    repair: { type: 'boolean', default: false },
  },
});
const environment = keyEnvironment.parse(values.environment);
const tenant = values.company === undefined ? undefined : tenantOf({ companyId: values.company, environment });
const config = readConfig(processSettings.omit({ NATS_URL: true, NATS_STREAM_REPLICAS: true }), process.env);
const dbName = `${config.MONGO_DB_PREFIX}_pricing`;
const mongo = await connectMongo(config.MONGO_URL, { dbName, appName: 'pricing repair' });

let standing = 0;
for await (const difference of repairUsage(pricingModels(mongo), { repair: values.repair, tenant })) {
  if (!difference.repaired) standing += 1;
  process.stdout.write(`${JSON.stringify(difference)}\n`);
}
await mongo.close();
process.stdout.write(standing === 0 ? 'The counters agree with the ledger.\n' : `${standing} differences stand.\n`);
process.exitCode = standing === 0 ? 0 : 1;
