import {
  type Claim,
  companyIdOf,
  type DomainEvent,
  type Order,
  type OrderListQuery,
  type PageQuery,
  type SettleOrderReply,
  type Tenant,
  type TicketClaim,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  afterCursor,
  type Caller,
  collectionOf,
  findPage,
  type Found,
  batched,
  insertEach,
  isDuplicateKey,
  notShownYet,
  retryLost,
} from '@event-commerce/service-kit';
import type { CommerceModels, OrderDocument, VoidOrderDocument } from './models.ts';

type OrderFilter = Omit<OrderListQuery, keyof PageQuery>;

/** An order with more characters is written alone, so that no other one waits for it. */
const WRITTEN_TOGETHER_MAX = 64 * 1024;

export type OrderRepository = ReturnType<typeof orderRepository>;

/** An order as it is stored: what the API shows, the digest that identifies a repeat, and what it claimed. */
export interface StoredOrder {
  order: Order;
  fingerprint: string;
  claims: readonly Claim[];
  tickets: readonly TicketClaim[];
}

export function orderRepository(models: CommerceModels, relay: Relay<OrderDocument>) {
  const orders = collectionOf(models.orders);
  const voids = orders.conn.collection<VoidOrderDocument>(orders.name);
  const write = batched(
    async (writes: readonly { document: OrderDocument; characters: number }[]) =>
      insertEach(
        orders,
        writes.map(({ document }) => document),
      ),
    { isLarge: ({ characters }) => characters > WRITTEN_TOGETHER_MAX },
  );
  // Only what identifies a repeat: an order may be large, and a look-up by number should not delay others.
  const projection = { companyId: 1, orderNumber: 1, fingerprint: 1, claims: 1, tickets: 1 };
  const findNumbered = batched(async (wanted: readonly { tenant: Tenant; orderNumber: string }[]) => {
    const perTenant = [...Map.groupBy(wanted, ({ tenant }) => tenant)].map(async ([companyId, ofTenant]) => {
      const orderNumber = { $in: ofTenant.map((order) => order.orderNumber) };
      return orders.find<OrderDocument>({ companyId, orderNumber }, { projection }).toArray();
    });
    const found = (await Promise.all(perTenant)).flat();
    return wanted.map((order) =>
      found.find(({ companyId, orderNumber }) => companyId === order.tenant && orderNumber === order.orderNumber),
    );
  });

  const find = async (tenant: Tenant, id: string): Promise<Order | undefined> => {
    const document = await orders.findOne({ _id: id, companyId: tenant });
    return document === null ? undefined : toOrder(document);
  };

  return {
    /**
     * Writes the order, of `characters` of JSON, and its events in one document. Returns `repeated` if a copy of the
     * order was written first, `number-taken` if another order of the company has the number, `void` if the id was
     * declared void before.
     */
    async insert(
      document: OrderDocument,
      characters: number,
    ): Promise<'written' | 'repeated' | 'number-taken' | 'void'> {
      // If copies are written at once, the database may reject all of them before one exists that they duplicate.
      if (!(await retryLost(async () => write({ document, characters })))) {
        const standing = await orders.findOne({ _id: document._id }, { projection: { companyId: 1 } });
        if (standing === null) return 'number-taken';
        return standing.companyId === undefined ? 'void' : 'repeated';
      }
      relay.publish(document);
      return 'written';
    },

    async findByNumber(tenant: Tenant, orderNumber: string): Promise<StoredOrder | undefined> {
      const document = await findNumbered({ tenant, orderNumber });
      const order = document && (await find(tenant, document._id));
      if (order === undefined || document === undefined) return undefined;
      const { fingerprint, claims, tickets = [] } = document;
      return { order, fingerprint, claims, tickets };
    },

    find,

    /** Newest first. */
    async list(tenant: Tenant, filter: OrderFilter, query: PageQuery): Promise<Found<Order>> {
      const after = afterCursor(query, 'orders');
      const { status, contextId, customerId, from, to } = filter;
      const filters = {
        companyId: tenant,
        ...(status === undefined ? {} : { status }),
        ...(contextId === undefined ? {} : { contextId }),
        ...(customerId === undefined ? {} : { 'customer.id': customerId }),
        ...(from === undefined && to === undefined
          ? {}
          : {
              createdAt: {
                ...(from === undefined ? {} : { $gte: new Date(from) }),
                ...(to === undefined ? {} : { $lt: new Date(to) }),
              },
            }),
        ...(after === undefined ? {} : { _id: { $lt: after } }),
      };
      const { records, more } = await findPage<OrderDocument>(orders, filters, query);
      return { records: records.map(toOrder), more };
    },

    /** Cancels the order and stores the event; undefined if there is no such order or it is already cancelled. */
    async cancel(caller: Caller, id: string, now: Date): Promise<Order | undefined> {
      const document = await orders.findOneAndUpdate(
        { _id: id, companyId: caller.tenant, status: { $ne: 'cancelled' } },
        {
          $set: { status: 'cancelled' },
          $inc: { version: 1 },
          $push: { outbox: outboxEntry('order.cancelled', now, caller) },
        },
        { returnDocument: 'after' },
      );
      if (document === null) return undefined;
      relay.publish(document);
      return toOrder(document);
    },

    /** The ids of those orders, of any company, that were written and are not cancelled. */
    async standing(ids: readonly string[]): Promise<string[]> {
      const found = await orders
        .find(
          { _id: { $in: [...ids] }, companyId: { $exists: true }, status: { $ne: 'cancelled' } },
          {
            projection: { _id: 1 },
          },
        )
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /**
     * Decides for good whether order `id` was written, and with which redemptions and tickets. If it was not, its id is taken, so
     * that a write still in flight fails. The result is the same however often it is called.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while that is unknown: ask again
     */
    async settle(id: string, now: Date): Promise<SettleOrderReply> {
      try {
        await voids.insertOne({ _id: id, voidedAt: now });
        return { outcome: 'void' };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const standing = await orders.findOne({ _id: id }, { projection: { companyId: 1, claims: 1, tickets: 1 } });
        if (standing === null) throw notShownYet(error);
        if (standing.companyId === undefined) return { outcome: 'void' };
        const { claims, tickets = [] } = standing;
        return {
          outcome: 'placed',
          redemptionIds: claims.map(({ redemptionId }) => redemptionId),
          ticketIds: tickets.map(({ claimId }) => claimId),
        };
      }
    },
  };
}

export function toOrder(document: OrderDocument): Order {
  const {
    _id,
    companyId: tenant,
    fingerprint: _fingerprint,
    claims: _claims,
    tickets: _tickets,
    version: _version,
    outbox: _outbox,
    createdAt,
    ...shown
  } = document;
  return { id: _id, companyId: companyIdOf(tenant), ...shown, createdAt: createdAt.toISOString() };
}

/** The domain event of an order's outbox entry: the order as it is, with the redemptions and tickets it claimed. */
export function orderEvent(entry: OutboxEntry, document: OrderDocument): DomainEvent {
  return domainEvent(entry as OutboxEntry & { type: 'order.placed' | 'order.cancelled' }, {
    subject: document._id,
    tenant: document.companyId,
    data: {
      ...toOrder(document),
      claims: document.claims,
      tickets: document.tickets ?? [],
      version: document.version,
    },
  });
}
