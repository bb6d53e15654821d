import type { EraseCustomerReply, EraseCustomerRequest } from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import { collectionOf, erasePage } from '@event-commerce/service-kit';
import type { EventsModels, PurchaseGroupDocument } from '../models.ts';
import { erasedGroup, isCustomer, isErasedGroup } from './domain/erased-group.ts';

/** How many groups are searched at a time: each may have thousands of members. */
const SEARCHED = 100;

export type CustomerGroups = ReturnType<typeof customerGroups>;

/** The purchase groups of a customer who is erased. */
export function customerGroups(models: EventsModels, relay: Relay<PurchaseGroupDocument>, clock: () => Date) {
  const groups = collectionOf(models.purchaseGroups);
  return {
    /** Erases the customer from one page of the company's groups: there is no index for their members. */
    async erase(request: EraseCustomerRequest): Promise<EraseCustomerReply> {
      const { tenant, customer, pseudonym, place, cause } = request;
      const searched = await groups
        .find(
          { companyId: tenant, _id: { $gt: place } },
          { projection: { 'members.id': 1, 'members.customerId': 1, 'members.email': 1 } },
        )
        .sort({ _id: 1 })
        .limit(SEARCHED)
        .toArray();
      const everybody = { ...customer, ids: [...customer.ids, pseudonym] };
      const ids = searched
        .filter(({ members }) => members.some((member) => isCustomer(member, everybody)))
        .map(({ _id }) => _id);
      const found = ids.length === 0 ? [] : await groups.find({ _id: { $in: ids } }).toArray();
      // The note of a merge is in both groups.
      const merged = found.flatMap(({ history }) =>
        history.flatMap(({ sourceGroupId, targetGroupId }) => [sourceGroupId, targetGroupId]),
      );
      const others = merged.filter((id) => !ids.includes(id));
      const mergedWith =
        others.length === 0 ? [] : await groups.find({ _id: { $in: others }, companyId: tenant }).toArray();
      const { waits } = await erasePage({
        model: models.purchaseGroups,
        place,
        page: [...found, ...mergedWith],
        limit: Infinity,
        isErased: (group) => isErasedGroup(group, customer),
        async erase(group) {
          const { _id, version } = group;
          const now = clock();
          const erased = await groups.findOneAndUpdate(
            { _id, companyId: tenant, version },
            {
              $set: { ...erasedGroup(group, customer, pseudonym), changed: now },
              $inc: { version: 1 },
              // Without the changes: they are what is erased.
              $push: {
                outbox: outboxEntry('purchase_group.updated', now, { ...cause, after: { version: version + 1 } }),
              },
            },
            { returnDocument: 'after' },
          );
          if (erased !== null) relay.publish(erased);
          return erased !== null;
        },
      });
      if (waits) return { found: 0, next: place, waits };
      const last = searched.at(-1);
      return { found: ids.length, ...(searched.length < SEARCHED || last === undefined ? {} : { next: last._id }) };
    },
  };
}
