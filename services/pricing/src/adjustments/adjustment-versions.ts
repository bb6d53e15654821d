import { isDeepStrictEqual } from 'node:util';
import type { Adjustment, AdjustmentInput, Tenant } from '@event-commerce/contracts';
import { collectionOf, isDuplicateKey } from '@event-commerce/service-kit';
import type { AdjustmentVersionDocument, PricingModels } from '../models.ts';
import { type AdjustmentRecord, definition, toRecord } from './adjustment-record.ts';

/** Names a definition that an adjustment had, or has. */
export interface AdjustmentVersion {
  id: string;
  version: number;
}

export type AdjustmentVersions = ReturnType<typeof adjustmentVersions>;

/**
 * Former definitions of adjustments, kept forever, because orders may have been priced with them. A definition is
 * stored once, under the last version that had it, so versions that differ only in status, or not at all, take no room.
 */
export function adjustmentVersions({ adjustments, adjustmentVersions: versions }: PricingModels) {
  const current = collectionOf(adjustments);
  const former = collectionOf(versions);

  /** The definition of `version`: the earliest one stored for it or a later version, otherwise the present one. */
  const definitionAt = async (companyId: Tenant, { id, version }: AdjustmentVersion, present: AdjustmentRecord) => {
    if (present.version <= version) return present;
    const found = await former.findOne(
      { adjustmentId: id, version: { $gte: version }, companyId },
      { sort: { version: 1 } },
    );
    if (found === null) return present;
    const { adjustmentId: _, ...fields } = found;
    return { ...toRecord({ ...fields, _id: id, terms: [], outbox: [] }), version };
  };

  return {
    /**
     * Stores the definition `before`, unless `after` has the same one. Called before `after` is written, so that a
     * reader that sees `after` finds it.
     */
    async keep(before: AdjustmentRecord, after: AdjustmentInput, now: Date): Promise<void> {
      const { tenant, id, version, couponId, created, changed } = before;
      const defined = priced(tenant, before, now);
      if (isDeepStrictEqual(defined, priced(tenant, after, now))) return;
      const document: AdjustmentVersionDocument = {
        _id: `${id}@${version}`,
        adjustmentId: id,
        ...defined,
        status: before.status,
        ...(couponId === undefined ? {} : { couponId }),
        created: new Date(created),
        changed: new Date(changed),
        version,
      };
      try {
        await former.insertOne(document);
      } catch (error) {
        // Another writer has stored it, and a version never changes.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /**
     * The definitions of the company's adjustments at these versions, and the adjustments as they are now, both by id.
     * Unknown ones are left out.
     */
    async read(
      companyId: Tenant,
      wanted: readonly AdjustmentVersion[],
    ): Promise<{ frozen: Map<string, Adjustment>; present: Map<string, AdjustmentRecord> }> {
      const ids = wanted.map(({ id }) => id);
      // Read first: a definition that is replaced after this read is already stored as a former one.
      const documents = await current.find({ _id: { $in: ids }, companyId }).toArray();
      const present = new Map(documents.map((document) => [document._id, toRecord(document)]));
      const frozen = await Promise.all(
        wanted.flatMap((one) => {
          const record = present.get(one.id);
          return record === undefined ? [] : [definitionAt(companyId, one, record)];
        }),
      );
      return { frozen: new Map(frozen.map((record) => [record.id, record])), present };
    },
  };
}

/** What affects prices: everything but the status. */
function priced(tenant: Tenant, input: AdjustmentInput, now: Date) {
  const { status: _status, codeKey: _key, heldCode: _held, ...defined } = definition(tenant, input, now);
  return defined;
}
