import { tenantOf } from '@event-commerce/contracts';
import { connectMongo, noQuotas } from '@event-commerce/service-kit';
import { eventsModels } from '../src/models.ts';
import { purchaseGroupRepository } from '../src/groups/purchase-group.repository.ts';
import { mergeGroups } from '../src/groups/merge-groups.ts';

/**
 * One merge, by the service's own code, in a process that stops at a chosen point, reports it on standard output, and
 * waits to be killed: `between` the two writes, `before-commit` after both, or `before-publish` when everything is
 * written but nothing is published.
 */
const {
  MONGO_URL = '',
  DB_NAME = '',
  STOP_AT,
  COMPANY_ID = '',
  EVENT_ID = '',
  TARGET_ID = '',
  SOURCE_ID = '',
} = process.env;

async function waitToBeKilled(): Promise<never> {
  process.stdout.write('stopped\n');
  return await new Promise<never>(() => setInterval(() => {}, 1_000));
}

const mongo = await connectMongo(MONGO_URL, { dbName: DB_NAME, appName: 'killed' });
const models = eventsModels(mongo);
const { collection } = models.purchaseGroups;
const write = collection.findOneAndUpdate.bind(collection) as (...args: unknown[]) => Promise<unknown>;
let writes = 0;
collection.findOneAndUpdate = (async (...args: unknown[]) => {
  const written = await write(...args);
  if (++writes === (STOP_AT === 'between' ? 1 : 2) && STOP_AT !== 'before-publish') await waitToBeKilled();
  return written;
}) as never;

await mergeGroups(
  {
    purchaseGroups: purchaseGroupRepository(models, { publish: () => {}, stop: async () => {} }, noQuotas),
    clock: () => new Date(),
  },
  {
    tenant: tenantOf({ companyId: COMPANY_ID, environment: 'live' }),
    companyId: COMPANY_ID,
    keyId: 'key_killed',
    requestId: 'r',
    identityToken: '',
    traceparent: undefined,
  },
  EVENT_ID,
  TARGET_ID,
  { sourceGroupId: SOURCE_ID, combinedSize: 5, note: 'before the crash' },
  undefined,
);
await waitToBeKilled();
