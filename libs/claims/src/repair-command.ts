import { parseArgs } from 'node:util';
import {
  companyIdOf,
  environmentOf,
  keyEnvironment,
  type ServiceName,
  type Tenant,
  tenantOf,
} from '@event-commerce/contracts';
import { askCommerce, connectMongo, processSettings, readConfig } from '@event-commerce/service-kit';
import type { Connection } from 'mongoose';
import type { Pools } from './create-pools.ts';
import type { PoolCollections } from './documents.ts';
import type { Commerce } from './order-claims.ts';
import { compareCounters } from './repair.ts';
import { compareHeld } from './repair-held.ts';

interface Repaired {
  service: ServiceName;
  collectionsOf: (mongo: Connection) => PoolCollections;
  /** The running processes find the events that are written with it, and publish them. */
  poolsOf: (mongo: Connection) => Pools;
  claimsOf: Commerce['claimsOf'];
  /** What is printed of a pool. */
  aboutPool: (poolId: string) => object;
}

/**
 * The command with which an operator compares a service's counters with its ledger:
 * `[--company ID [--environment test]] [--orders] [--repair]`; with `--orders` also what is held with its orders, which
 * needs commerce. Prints each difference as a line of JSON. Exits with 1 if one remains.
 */
export async function repairCommand({ service, collectionsOf, poolsOf, claimsOf, aboutPool }: Repaired): Promise<void> {
  const { values } = parseArgs({
    options: {
      company: { type: 'string' },
      environment: { type: 'string', default: 'live' },
      orders: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
    },
  });
  const environment = keyEnvironment.parse(values.environment);
  const asked = values.company === undefined ? undefined : tenantOf({ companyId: values.company, environment });
  const config = readConfig(processSettings.omit({ NATS_URL: true, NATS_STREAM_REPLICAS: true }), process.env);
  const dbName = `${config.MONGO_DB_PREFIX}_${service}`;
  const mongo = await connectMongo(config.MONGO_URL, { dbName, appName: `${service} repair` });

  const scope = { repair: values.repair, companyId: asked };
  let remaining = 0;
  const report = (
    poolId: string,
    companyId: Tenant,
    difference: { repaired: boolean; [fact: string]: unknown },
  ): void => {
    if (!difference.repaired) remaining += 1;
    const where = { companyId: companyIdOf(companyId), environment: environmentOf(companyId) };
    process.stdout.write(`${JSON.stringify({ ...aboutPool(poolId), ...where, ...difference })}\n`);
  };
  if (values.orders) {
    const commerce = await askCommerce(service);
    const unsettled = compareHeld(
      poolsOf(mongo),
      { settleOrder: commerce.settleOrder, claimsOf },
      { ...scope, now: new Date() },
    );
    for await (const { claim, ...difference } of unsettled) {
      const { id: claimId, orderId, poolId, companyId } = claim;
      report(poolId, companyId, { claimId, orderId, status: 'held', ...difference });
    }
    await commerce.close();
  }
  for await (const { companyId, poolId, ...difference } of compareCounters(collectionsOf(mongo), scope)) {
    report(poolId, companyId, difference);
  }
  await mongo.close();
  const remain = remaining === 1 ? '1 difference remains' : `${remaining} differences remain`;
  process.stdout.write(remaining === 0 ? 'The counters agree with the ledger.\n' : `${remain}.\n`);
  process.exitCode = remaining === 0 ? 0 : 1;
}
