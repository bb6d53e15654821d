import type { AmendmentWithBefore, Tenant } from '@event-commerce/contracts';
import { collectionOf, withOwnNames, withStoredNames } from '@event-commerce/service-kit';
import type { AmendmentDocument, CommerceModels } from '../models.ts';
import type { OrderRecord } from './order-record.ts';

export type AmendmentRepository = ReturnType<typeof amendmentRepository>;

/**
 * The amendments of orders. An order's document has the last one, because one write decides; it is moved here before
 * the next one is written. So each is here, or in its order, or for a moment in both.
 */
export function amendmentRepository({ amendments: model }: CommerceModels) {
  const amendments = collectionOf(model);

  return {
    /** Keeps the last amendment of an order, which the next one replaces. Safe to repeat. */
    async keepLast(tenant: Tenant, { lastAmendment }: OrderRecord): Promise<void> {
      if (lastAmendment === undefined) return;
      const { id, ...amendment } = lastAmendment;
      const document: AmendmentDocument = { _id: id, companyId: tenant, ...withStoredNames(amendment) };
      await amendments.updateOne({ _id: id }, { $setOnInsert: document }, { upsert: true });
    },

    async find(
      tenant: Tenant,
      { id: orderId, lastAmendment }: OrderRecord,
      id: string,
    ): Promise<AmendmentWithBefore | undefined> {
      if (lastAmendment?.id === id) return lastAmendment;
      const found = await amendments.findOne({ _id: id, companyId: tenant, orderId });
      return found === null ? undefined : toAmendment(found);
    },

    /** All amendments of an order, newest first: there are few. */
    async all(tenant: Tenant, { id: orderId, lastAmendment }: OrderRecord): Promise<AmendmentWithBefore[]> {
      const found = await amendments.find({ companyId: tenant, orderId }).toArray();
      const byId = new Map(found.map(toAmendment).map((one) => [one.id, one]));
      if (lastAmendment !== undefined) byId.set(lastAmendment.id, lastAmendment);
      return [...byId.values()].toSorted((a, b) => b.number - a.number);
    },
  };
}

function toAmendment({ _id: id, companyId: _companyId, ...amendment }: AmendmentDocument): AmendmentWithBefore {
  return { id, ...withOwnNames(amendment) };
}
