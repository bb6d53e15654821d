import { parseArgs } from 'node:util';
import { companyIdOf, environmentOf, keyEnvironment, type ServiceName, tenantOf } from '@event-commerce/contracts';
import { connectMongo, processSettings, readConfig } from '@event-commerce/service-kit';
import type { Connection } from 'mongoose';
import type { PoolCollections } from './documents.ts';
import { compareCounters } from './repair.ts';

/**
 * The command with which an operator compares a service's counters with its ledger:
 * `[--company ID [--environment test]] [--repair]`. Prints each difference as a line of JSON, with what `aboutPool`
 * says of its pool. Exits with 1 if one remains.
 */
export async function repairCommand(
  service: ServiceName,
  collectionsOf: (mongo: Connection) => PoolCollections,
  aboutPool: (poolId: string) => object,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      company: { type: 'string' },
      environment: { type: 'string', default: 'live' },
      repair: { type: 'boolean', default: false },
    },
  });
  const environment = keyEnvironment.parse(values.environment);
  const asked = values.company === undefined ? undefined : tenantOf({ companyId: values.company, environment });
  const config = readConfig(processSettings.omit({ NATS_URL: true, NATS_STREAM_REPLICAS: true }), process.env);
  const dbName = `${config.MONGO_DB_PREFIX}_${service}`;
  const mongo = await connectMongo(config.MONGO_URL, { dbName, appName: `${service} repair` });

  const differences = compareCounters(collectionsOf(mongo), { repair: values.repair, companyId: asked });
  let remaining = 0;
  for await (const { companyId, poolId, ...difference } of differences) {
    if (!difference.repaired) remaining += 1;
    const where = { companyId: companyIdOf(companyId), environment: environmentOf(companyId) };
    process.stdout.write(`${JSON.stringify({ ...aboutPool(poolId), ...where, ...difference })}\n`);
  }
  await mongo.close();
  const remain = remaining === 1 ? '1 difference remains' : `${remaining} differences remain`;
  process.stdout.write(remaining === 0 ? 'The counters agree with the ledger.\n' : `${remain}.\n`);
  process.exitCode = remaining === 0 ? 0 : 1;
}
