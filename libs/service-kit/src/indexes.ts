import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Connection, IndexDefinition, IndexOptions, Model, mongo } from 'mongoose';
import type { Logger } from './logger.ts';
import { openMongo } from './mongo.ts';

/** The indexes of one collection, each as the arguments of `schema.index`. */
export interface CollectionIndexes {
  collection: string;
  indexes: readonly (readonly [IndexDefinition, IndexOptions?])[];
}

/** The indexes that the schemas of `models` declare. */
export function indexesOf(models: object): CollectionIndexes[] {
  return Object.values(models as Record<string, Pick<Model<unknown>, 'collection' | 'schema'>>).map(
    ({ collection, schema }) => ({
      collection: collection.name,
      indexes: schema.indexes() as CollectionIndexes['indexes'],
    }),
  );
}

/** What decides which documents an index finds, refuses or removes. */
interface Definition {
  key: Record<string, mongo.IndexDirection>;
  unique?: true;
  sparse?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: Record<string, unknown>;
}

interface Index extends Definition {
  name: string;
}

/** What has to happen to the indexes of one collection. */
interface Plan {
  collection: string;
  missing: Index[];
  /** Indexes of earlier releases: over the fields of one that is wanted, but defined otherwise, or under a name that we give. */
  outdated: Index[];
}

/**
 * The name of an index says what it is: one that is defined otherwise has another name. So a release that changes an index makes a
 * new one beside the old, and a process that verifies its indexes finds only what is really there.
 */
function wantedIndex([key, { name, unique, sparse, expireAfterSeconds, partialFilterExpression } = {}]: readonly [
  IndexDefinition,
  IndexOptions?,
]): Index {
  const definition: Definition = {
    key: key as Definition['key'],
    ...(unique ? { unique: true } : {}),
    ...(sparse ? { sparse: true } : {}),
    ...(typeof expireAfterSeconds === 'number' ? { expireAfterSeconds } : {}),
    ...(partialFilterExpression ? { partialFilterExpression } : {}),
  };
  const fields = name ?? Object.entries(key).flat().join('_');
  const digest = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 8);
  return { name: `${fields}~${digest}`, ...definition };
}

const OURS = /~[0-9a-f]{8}$/;

const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;
/** The database cannot have both an index and the one that is to replace it. */
const CONFLICTS = new Set<unknown>([85, 86]);

async function planFor(connection: Connection, { collection, indexes }: CollectionIndexes): Promise<Plan> {
  const found = await foundIndexes(connection, collection);
  const wanted = indexes.map(wantedIndex);
  const missing = wanted.filter((index) => !found.some((other) => isSame(index, other)));
  const outdated = found.filter(
    (index) =>
      !wanted.some((other) => isSame(other, index)) &&
      (OURS.test(index.name) || wanted.some(({ key }) => sameKey(key, index.key))),
  );
  return { collection, missing, outdated };
}

async function foundIndexes(connection: Connection, collection: string): Promise<Index[]> {
  try {
    const found = await connection.collection(collection).listIndexes().toArray();
    return (found as (Index & { [K in 'unique' | 'sparse']?: boolean })[]).filter(({ name }) => name !== '_id_');
  } catch (error) {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

/** Whatever they are called: the indexes of earlier releases have other names. */
function isSame(one: Definition, other: Definition): boolean {
  return (
    sameKey(one.key, other.key) &&
    Boolean(one.unique) === Boolean(other.unique) &&
    Boolean(one.sparse) === Boolean(other.sparse) &&
    one.expireAfterSeconds === other.expireAfterSeconds &&
    isDeepStrictEqual(one.partialFilterExpression ?? {}, other.partialFilterExpression ?? {})
  );
}

function sameKey(one: Definition['key'], other: Definition['key']): boolean {
  return isDeepStrictEqual(Object.entries(one), Object.entries(other));
}

async function plansFor(connection: Connection, wanted: readonly CollectionIndexes[]): Promise<Plan[]> {
  return await Promise.all(wanted.map(async (of) => planFor(connection, of)));
}

/** All indexes of a process's database. */
export type IndexesOn = (connection: Connection) => readonly CollectionIndexes[];

/**
 * Makes sure of the indexes that a process relies on: without a unique one two writers would both win. `migrate` makes those that are
 * missing.
 *
 * @throws {Error} that names each index that is missing, and what to run
 */
export async function ensureIndexes(
  connection: Connection,
  indexesOn: IndexesOn,
  migrate: (() => Promise<void>) | undefined,
): Promise<void> {
  const missing = (await plansFor(connection, indexesOn(connection))).flatMap((plan) =>
    plan.missing.map(({ name }) => `${plan.collection}.${name}`),
  );
  if (missing.length === 0) return;
  if (migrate !== undefined) return await migrate();
  throw new Error(
    `The database ${connection.name} lacks indexes of this release: ${missing.join(', ')}. ` +
      'Run `npm run migrate` (in a container: this process with the argument `migrate`), then start again; ' +
      'or set MONGO_INDEXES=migrate, and the process makes them when it starts.',
  );
}

/**
 * Makes the indexes that are missing, however long that takes, while others read and write. Safe to repeat, and beside other
 * processes that do the same. Indexes of earlier releases stay, because processes of those may still run: they are dropped with
 * `dropOutdated`. One that the database does not allow beside its successor is dropped first.
 *
 * Uses a connection of its own, which waits: on that of a service a build would be cut off by its time-outs. Of a replica set, a
 * majority has to have built an index; a member that is down holds nothing up.
 *
 * @throws {Error} what the database answers, such as that documents contradict a unique index
 */
export async function migrateIndexes(
  url: string,
  options: { dbName: string; appName: string; logger: Logger; dropOutdated?: boolean },
  indexesOn: IndexesOn,
): Promise<void> {
  const { logger, dropOutdated = false, ...of } = options;
  const connection = await openMongo(url, { ...of, socketTimeoutMS: 0 });
  try {
    const hello = await connection.db?.command({ hello: 1 });
    const quorum = hello?.['setName'] === undefined ? {} : { commitQuorum: 'majority' };
    const plans = await plansFor(connection, indexesOn(connection));
    await Promise.all(plans.map(async (plan) => carryOut(connection, plan, { logger, dropOutdated, quorum })));
  } finally {
    await connection.close();
  }
}

async function carryOut(
  connection: Connection,
  { collection, missing, outdated }: Plan,
  { logger, dropOutdated, quorum }: { logger: Logger; dropOutdated: boolean; quorum: object },
): Promise<void> {
  const indexes = connection.collection(collection);
  const create = async (some: readonly Index[]): Promise<void> => {
    await indexes.createIndexes([...some], quorum);
    logger.info({ collection, indexes: namesOf(some) }, 'indexes were made');
  };
  const drop = async (index: Index): Promise<void> => {
    try {
      await indexes.dropIndex(index.name);
      logger.info({ collection, index: index.name }, 'an index was dropped');
    } catch (error) {
      // Another process was quicker.
      if (codeOf(error) !== INDEX_NOT_FOUND) throw error;
    }
  };

  const inTheWay = (index: Index) => outdated.find(({ key }) => sameKey(key, index.key));
  // What has no predecessor is built in one go, for which the collection is read once.
  const plain = missing.filter((index) => inTheWay(index) === undefined);
  if (plain.length > 0) await create(plain);
  const left = new Set(outdated);
  for (const index of missing) {
    const before = inTheWay(index);
    if (before === undefined) continue;
    try {
      await create([index]);
    } catch (error) {
      if (!CONFLICTS.has(codeOf(error))) throw error;
      left.delete(before);
      await drop(before);
      await create([index]);
    }
  }
  if (dropOutdated) for (const index of left) await drop(index);
  else if (left.size > 0) {
    const about = { collection, indexes: namesOf([...left]) };
    logger.info(about, 'indexes of an earlier release are left; `migrate --drop` drops them');
  }
}

function namesOf(indexes: readonly Index[]): string[] {
  return indexes.map(({ name }) => name);
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
