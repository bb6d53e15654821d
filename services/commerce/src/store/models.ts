import type { Claim, Order } from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type Connection, type Model, Schema } from 'mongoose';

/** An order that was placed. */
export interface OrderDocument extends Omit<Order, 'id' | 'createdAt'>, WithOutbox {
  /** Digest of what was sent, so that the same order number with the same content is known as a repeat. */
  fingerprint: string;
  claims: Claim[];
  version: number;
  createdAt: Date;
}

/** Says for good that an order was never written: takes its id, so that a late write of the order fails. */
export interface VoidOrderDocument {
  _id: string;
  voidedAt: Date;
}

export interface CommerceModels {
  orders: Model<OrderDocument>;
}

const VOID_KEPT_SECONDS = 7 * 24 * 60 * 60;
const required = { required: true } as const;
const free = { type: Schema.Types.Mixed, ...required };

const orderSchema = new Schema<OrderDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    orderNumber: { type: String, ...required },
    currency: { type: String, ...required },
    organizerId: { type: String, ...required },
    contextId: { type: String, ...required },
    customer: free,
    status: { type: String, ...required },
    items: { type: [Schema.Types.Mixed], ...required } as never,
    costs: free,
    coupons: { type: [Schema.Types.Mixed], ...required } as never,
    agreements: free,
    answers: free,
    forwarded: free,
    meta: free,
    uid: String,
    context: free,
    fingerprint: { type: String, ...required },
    claims: { type: [Schema.Types.Mixed], ...required } as never,
    version: { type: Number, ...required },
    createdAt: { type: Date, ...required },
    outbox: outboxPath,
  },
  { collection: 'orders', versionKey: false, minimize: false },
)
  .index(
    { companyId: 1, orderNumber: 1 },
    { unique: true, partialFilterExpression: { orderNumber: { $exists: true } } },
  )
  .index({ companyId: 1, _id: -1 })
  .index(outboxIndex, { sparse: true });
orderSchema.index({ voidedAt: 1 } as never, { expireAfterSeconds: VOID_KEPT_SECONDS });

/** The collections of the commerce database. */
export function commerceModels(connection: Connection): CommerceModels {
  return { orders: connection.model<OrderDocument>('Order', orderSchema) };
}
