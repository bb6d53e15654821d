import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Connection, IndexDefinition, IndexOptions, Model, mongo } from 'mongoose';
import type { Logger } from '../process/logger.ts';
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

/** The options that decide which documents an index finds, rejects or removes. */
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

/** The changes that the indexes of one collection need. */
interface Plan {
  collection: string;
  missing: Index[];
  /** Indexes of earlier releases: over the fields of a wanted one but defined otherwise, or under a name of ours. */
  outdated: Index[];
}

/**
 * The name of an index identifies its definition: a different definition has a different name. So a release that
 * changes an index creates a new one beside the old, and a process that verifies its indexes finds exactly what exists.
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
/** The database cannot have both an index and its replacement. */
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

/** Whatever their names: the indexes of earlier releases have other names. */
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
 * Verifies the indexes that a process relies on: without a unique one two concurrent writers would both succeed.
 * `migrate` creates missing ones.
 *
 * @throws {Error} that names each missing index, and what to run
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
      'or set MONGO_INDEXES=migrate, and the process creates them when it starts.',
  );
}

/**
 * Creates missing indexes, however long that takes, while others read and write. Safe to repeat, also while other
 * processes do the same. Indexes of earlier releases stay, because processes of those may still run;
 * `dropOutdated` drops them. An index that the database does not allow beside its successor is dropped first.
 *
 * Uses its own connection, without time-outs: on a service's connection they would abort a build. In a replica set, a
 * majority must have built an index; a member that is down does not block it.
 *
 * @throws {Error} the database's error, such as that documents violate a unique index
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
    logger.info({ collection, indexes: namesOf(some) }, 'created indexes');
  };
  const drop = async (index: Index): Promise<void> => {
    try {
      await indexes.dropIndex(index.name);
      logger.info({ collection, index: index.name }, 'dropped an index');
    } catch (error) {
      // Another process was faster.
      if (codeOf(error) !== INDEX_NOT_FOUND) throw error;
    }
  };

  const inTheWay = (index: Index) => outdated.find(({ key }) => sameKey(key, index.key));
  // Indexes without a predecessor are built in one command, which reads the collection once.
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
    logger.info(about, 'indexes of an earlier release remain; `migrate --drop` drops them');
  }
}

function namesOf(indexes: readonly Index[]): string[] {
  return indexes.map(({ name }) => name);
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
