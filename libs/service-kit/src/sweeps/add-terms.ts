import type mongoose from 'mongoose';
import type { Tenant } from '@event-commerce/contracts';
import type { StoredDocument } from '../collection.ts';
import type { Logger } from '../logger.ts';
import type { Loop } from '../concurrency/loop.ts';

const EVERY_MS = 600_000;

/** How many are read in one round trip: at a few kilobytes each, a small part of a process's memory. */
const READ_TOGETHER = 200;
/** How many terms are held until they are written: a few megabytes, however many each document has. */
const TERMS_TOGETHER = 10_000;

/** A document that is found by its terms. One of an earlier release has none. */
interface Findable extends StoredDocument {
  companyId: Tenant;
  version: number;
  terms?: string[];
}

/**
 * Gives the records of an earlier release the terms that they are found by, by the `addTerms` of their store. Repeated,
 * because during an upgrade the replicas of the earlier release still write records without terms.
 *
 * @until 0.2.0
 */
export function termsSweep(
  logger: Logger,
  stores: Record<string, { addTerms: (stopped: AbortSignal) => Promise<number> }>,
): Loop {
  return {
    name: `terms sweep of ${Object.keys(stores).join(' and ')}`,
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    async run(stopped) {
      const all = Object.entries(stores).map(async ([what, store]) => {
        const added = await store.addTerms(stopped);
        if (added > 0) logger.info({ added }, `${what} of an earlier release can be found by what they say`);
      });
      await Promise.all(all);
    },
  };
}

/**
 * Gives the documents of an earlier release, of any company, the terms that they are found by, until it is `stopped`.
 * Safe to repeat, also while other replicas do it. Needs an index on the company and the terms. Returns how many
 * documents it changed.
 *
 * @throws what `termsOf` throws for a document, once all others have their terms
 * @until 0.2.0
 */
export async function addTerms<Doc extends Findable>(
  collection: mongoose.Collection<Doc>,
  termsOf: (document: Doc) => string[],
  stopped?: AbortSignal,
): Promise<number> {
  const documents = collection as unknown as mongoose.Collection<Findable>;
  let added = 0;
  let failure: { cause: unknown } | undefined;
  let held: (Pick<Findable, '_id' | 'version'> & { terms: string[] })[] = [];
  let heldTerms = 0;
  const write = async (): Promise<void> => {
    if (held.length === 0) return;
    const writes = held.map(({ _id, version, terms }) => ({
      // One that changes meanwhile gets its terms in the next run.
      updateOne: { filter: { _id, version }, update: { $set: { terms } } },
    }));
    added += (await documents.bulkWrite(writes, { ordered: false })).modifiedCount;
    held = [];
    heldTerms = 0;
  };
  const add = async (document: Findable): Promise<void> => {
    try {
      const terms = termsOf(document as Doc);
      held.push({ _id: document._id, version: document.version, terms });
      heldTerms += terms.length;
    } catch (error) {
      failure ??= { cause: error };
    }
    if (held.length === READ_TOGETHER || heldTerms >= TERMS_TOGETHER) await write();
  };
  for (let last: Tenant | undefined; ;) {
    // Each is a read of an index, however many documents there are.
    const next = await documents.findOne(
      { companyId: last === undefined ? { $exists: true } : { $gt: last } },
      { projection: { companyId: 1 }, sort: { companyId: 1 } },
    );
    if (next === null || stopped?.aborted) {
      if (failure !== undefined) throw failure.cause;
      return added;
    }
    const { companyId } = next;
    last = companyId;
    const lacking = documents.find({ companyId, terms: { $exists: false } }).batchSize(READ_TOGETHER);
    for await (const document of lacking) {
      await add(document);
      if (stopped?.aborted) break;
    }
    await write();
  }
}
