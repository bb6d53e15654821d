import {
  companyIdOf,
  environmentOf,
  keyEnvironment,
  type ServiceName,
  type Tenant,
  tenantOf,
} from '@event-commerce/contracts';
import { askCommerce, connectMongo, processSettings, readConfig } from '@event-commerce/service-kit';
import { readCommandLine, refuseCommandLine, SCRIPT } from '@event-commerce/service-kit/command-line';
import type { Connection } from 'mongoose';
import type { Pools } from './create-pools.ts';
import type { PoolCollections } from './documents.ts';
import type { Commerce } from './order-claims.ts';
import { compareCounters } from './repair.ts';
import { compareKept } from './repair-kept.ts';

interface Repaired {
  service: ServiceName;
  collectionsOf: (mongo: Connection) => PoolCollections;
  /** The running processes find the events that are written with a repair, and publish them. */
  poolsOf: (mongo: Connection) => Pools;
  claimsOf: Commerce['claimsOf'];
  /** What is printed about a pool. */
  aboutPool: (poolId: string) => object;
}

const USAGE = `Usage: node ${SCRIPT} [OPTION ...]

Compares the counters with the ledger, and prints each difference as a line of JSON. Exits with 1 if one remains. Safe
while processes run.

  --company ID        only those of this company
  --environment NAME  live (default) or test: the company's world
  --orders            also finds what is kept for orders that are over or need less, or held for placed ones; commerce must
                      be running
  --repair            sets right what is found
`;

/** The command with which an operator compares a service's counters with its ledger. */
export async function repairCommand({ service, collectionsOf, poolsOf, claimsOf, aboutPool }: Repaired): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      company: { type: 'string' },
      environment: { type: 'string', default: 'live' },
      orders: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
    },
  });
  const { data: environment } = keyEnvironment.safeParse(values.environment);
  if (environment === undefined) refuseCommandLine(USAGE, `There is no environment ${values.environment}.`);
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
    const unsettled = compareKept(poolsOf(mongo), { ...commerce, claimsOf }, { ...scope, now: new Date() });
    for await (const { claim, ...difference } of unsettled) {
      const { id: claimId, orderId, poolId, companyId, status } = claim;
      report(poolId, companyId, { claimId, orderId, status, ...difference });
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
