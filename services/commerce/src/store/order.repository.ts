import type { DomainEvent, Order } from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import { isDuplicateKey } from '@event-commerce/service-kit';
import type { CommerceModels, OrderDocument, VoidOrderDocument } from './models.ts';

export type OrderRepository = ReturnType<typeof orderRepository>;

/** An order as it is kept: what the API shows, and the digest that tells a repeat. */
export interface StoredOrder {
  order: Order;
  fingerprint: string;
}

export function orderRepository({ orders }: CommerceModels, relay: Relay<OrderDocument>) {
  return {
    /**
     * Writes the order and its events in one document.
     * Answers `number-taken` when the company has an order of that number, `void` when the id was declared void before.
     */
    async insert(document: OrderDocument): Promise<'written' | 'number-taken' | 'void'> {
      try {
        await orders.collection.insertOne(document as never);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const standing = await orders.findById(document._id, { companyId: 1 }).lean<OrderDocument | null>();
        if (standing === null) return 'number-taken';
        if (standing.companyId === undefined) return 'void';
        // The driver sent the write twice over a broken connection, and the first had arrived.
      }
      relay.publish(document);
      return 'written';
    },

    async findByNumber(companyId: string, orderNumber: string): Promise<StoredOrder | undefined> {
      const document = await orders.findOne({ companyId, orderNumber }).lean<OrderDocument | null>();
      return document === null ? undefined : { order: toOrder(document), fingerprint: document.fingerprint };
    },

    /**
     * Says for good whether order `id` was written: when it was not, its id is taken, so that a write still on its way
     * fails. Answers the same however often it is asked.
     */
    async settle(id: string, now: Date): Promise<'placed' | 'void'> {
      try {
        await orders.collection.insertOne({ _id: id, voidedAt: now } satisfies VoidOrderDocument as never);
        return 'void';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const standing = await orders.findById(id, { companyId: 1 }).lean<OrderDocument | null>();
        return standing?.companyId === undefined ? 'void' : 'placed';
      }
    },
  };
}

export function toOrder(document: OrderDocument): Order {
  const {
    _id,
    fingerprint: _fingerprint,
    claims: _claims,
    version: _version,
    outbox: _outbox,
    createdAt,
    ...shown
  } = document;
  return { id: _id, ...shown, createdAt: createdAt.toISOString() };
}

/** The domain event of an order's outbox entry: the order as it is, with the redemptions it claimed. */
export function orderEvent(entry: OutboxEntry, document: OrderDocument): DomainEvent {
  return domainEvent(entry as OutboxEntry & { type: 'order.placed' }, {
    subject: document._id,
    companyId: document.companyId,
    data: { ...toOrder(document), claims: document.claims, version: document.version },
  });
}
