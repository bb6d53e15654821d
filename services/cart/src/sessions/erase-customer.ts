import type { EraseCustomerReply, EraseCustomerRequest } from '@event-commerce/contracts';
import { forgetInParked, outboxEntry, type Relay } from '@event-commerce/outbox';
import { collectionOf, erasePage } from '@event-commerce/service-kit';
import type { CartModels, SessionDocument } from '../models.ts';

const PAGE = 50;

export type CustomerSessions = ReturnType<typeof customerSessions>;

/** The cart sessions of a customer who is erased. */
export function customerSessions(models: CartModels, relay: Relay<SessionDocument>, clock: () => Date) {
  const sessions = collectionOf(models.sessions);
  return {
    /** Erases the customer from one page of sessions. One that is being ordered waits. */
    async erase(request: EraseCustomerRequest): Promise<EraseCustomerReply> {
      const { tenant, customer, pseudonym, place, cause } = request;
      const page = await sessions
        .find({
          companyId: tenant,
          $or: [{ customerId: { $in: [...customer.ids, pseudonym] } }, { customerEmail: { $in: customer.emails } }],
          _id: { $gt: place },
        })
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray();
      const those = { collection: sessions.name, documentIds: page.map(({ _id }) => _id) };
      await forgetInParked(models.sessions.db, those, { ids: customer.ids, pseudonym });
      return await erasePage({
        model: models.sessions,
        place,
        page,
        limit: PAGE,
        isErased: ({ customerId, customerEmail }) => customerId === pseudonym && customerEmail === undefined,
        async erase({ _id, version }) {
          const now = clock();
          const erased = await sessions.findOneAndUpdate(
            { _id, version, checkout: { $exists: false } },
            {
              $set: { customerId: pseudonym, changedAt: now },
              $unset: { customerEmail: '' },
              $inc: { version: 1 },
              // Without the changes: they are what is erased.
              $push: { outbox: outboxEntry('cart.updated', now, { ...cause, after: { version: version + 1 } }) },
            },
            { returnDocument: 'after' },
          );
          if (erased !== null) relay.publish(erased);
          return erased !== null;
        },
      });
    },
  };
}
