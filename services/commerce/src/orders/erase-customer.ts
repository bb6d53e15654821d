import {
  type CustomerIdentity,
  emailKey,
  type EraseCustomerReply,
  type EraseCustomerRequest,
  ERASED_EMAIL,
  type Tenant,
} from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import { collectionOf, erasePage } from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import type { CommerceModels, OrderDocument } from '../models.ts';
import { term } from '../search-terms.ts';
import { erasedAmendment, erasedChange, erasedOrder } from './domain/erased-order.ts';

const PAGE = 50;
/** How many of the customer's last orders are searched for other ids and addresses of the customer. */
const SEARCHED_MAX = 1_000;
/** How many of those are checked. */
const OTHERS_MAX = 20;
const PENDING_SHOWN = 5;

export type CustomerOrders = ReturnType<typeof customerOrders>;

/** The orders of a customer who is to be erased. */
export function customerOrders(models: CommerceModels, relay: Relay<OrderDocument>, clock: () => Date) {
  const orders = collectionOf(models.orders);
  const amendments = collectionOf(models.amendments);

  /** Erases earlier amendments of orders; the last ones are in the orders themselves. */
  const eraseAmendments = async (tenant: Tenant, orderIds: readonly string[]): Promise<void> => {
    for await (const { _id, ...amendment } of amendments.find({ companyId: tenant, orderId: { $in: [...orderIds] } })) {
      await amendments.replaceOne({ _id }, erasedAmendment(amendment));
    }
  };

  /** The `candidates` that appear only in the customer's orders. */
  const ofNobodyElse = async (
    candidates: readonly string[],
    elsewhere: (candidate: string) => mongo.Filter<OrderDocument>,
  ): Promise<string[]> => {
    const own: string[] = [];
    for (const candidate of new Set(candidates.slice(0, OTHERS_MAX))) {
      const other = await orders.findOne(elsewhere(candidate), { projection: { _id: 1 } });
      if (other === null) own.push(candidate);
    }
    return own;
  };

  return {
    /**
     * The ids and addresses of the customer whose id or address is `id`, and some of the customer's pending orders. An
     * id and an address belong together if no order has one of them with a different other one.
     */
    async find(tenant: Tenant, id: string): Promise<{ customer: CustomerIdentity; pendingOrders: string[] }> {
      const email = id.includes('@') && emailKey(id) !== ERASED_EMAIL ? emailKey(id) : undefined;
      const asked = { ids: [id], emails: email === undefined ? [] : [email] };
      const last = await orders
        .find(ordersOf(tenant, asked), { projection: { 'customer.id': 1, 'customer.email': 1, uid: 1 } })
        .sort({ _id: -1 })
        .limit(SEARCHED_MAX)
        .toArray();
      const ids = last.flatMap(({ customer, uid }) => [customer.id, uid].filter((one) => one !== undefined));
      const emails = last.map(({ customer }) => emailKey(customer.email));
      const isNew = (known: readonly string[]) => (one: string, at: number, all: string[]) =>
        !known.includes(one) && all.indexOf(one) === at;
      const [otherIds, otherEmails] = await Promise.all([
        ofNobodyElse(ids.filter(isNew(asked.ids)), (one) => ({
          companyId: tenant,
          $and: [{ $or: [{ 'customer.id': one }, { uid: one }] }, { $nor: conditionsOf(asked) }],
        })),
        ofNobodyElse(emails.filter(isNew(asked.emails)), (one) => ({
          companyId: tenant,
          terms: term.email(one),
          'customer.id': { $exists: true, $nin: asked.ids },
        })),
      ]);
      const customer = { ids: [...asked.ids, ...otherIds], emails: [...asked.emails, ...otherEmails] };
      const pending = await orders
        .find({ ...ordersOf(tenant, customer), status: 'pending' }, { projection: { _id: 1 } })
        .limit(PENDING_SHOWN)
        .toArray();
      return { customer, pendingOrders: pending.map(({ _id }) => _id) };
    },

    /** Erases the customer from one page of orders. Pending ones were placed since, and stay as they are. */
    async erase(request: EraseCustomerRequest): Promise<EraseCustomerReply> {
      const { tenant, customer, pseudonym, place, cause } = request;
      const page = await orders
        .find({
          ...ordersOf(tenant, { ...customer, ids: [...customer.ids, pseudonym] }),
          status: { $ne: 'pending' },
          _id: { $gt: place },
        })
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray();
      const reply = await erasePage({
        model: models.orders,
        place,
        page,
        limit: PAGE,
        isErased: (order) => order.customer.id === pseudonym,
        async erase(order) {
          const { _id, version } = order;
          const now = clock();
          const erased = await orders.findOneAndUpdate(
            { _id, companyId: tenant, version },
            {
              $set: {
                ...erasedOrder(order, customer.ids, pseudonym),
                ...(order.amended === undefined ? {} : { 'amended.last': erasedAmendment(order.amended.last) }),
                ...(order.pendingAmendment === undefined
                  ? {}
                  : {
                      'pendingAmendment.fields': erasedChange(order.pendingAmendment.fields, customer.ids, pseudonym),
                    }),
                changedAt: now,
              },
              $unset: { uid: '' },
              $inc: { version: 1 },
              // Without the changes: they are what is erased.
              $push: { outbox: outboxEntry('order.updated', now, { ...cause, after: { version: version + 1 } }) },
            },
            { returnDocument: 'after' },
          );
          if (erased !== null) relay.publish(erased);
          return erased !== null;
        },
      });
      // An order's last amendment moves there only before its next one.
      if (!reply.waits)
        await eraseAmendments(
          tenant,
          page.map(({ _id }) => _id),
        );
      return reply;
    },
  };
}

function ordersOf(tenant: Tenant, customer: CustomerIdentity): mongo.Filter<OrderDocument> {
  return { companyId: tenant, $or: conditionsOf(customer) };
}

function conditionsOf({ ids, emails }: CustomerIdentity): mongo.Filter<OrderDocument>[] {
  return [
    { 'customer.id': { $in: ids } },
    { uid: { $in: ids } },
    ...(emails.length === 0 ? [] : [{ terms: { $in: emails.map(term.email) } }]),
  ];
}
