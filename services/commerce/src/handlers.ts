import {
  allows,
  amendmentNotFound,
  couponNotFound,
  hasCode,
  orderNotFound,
  type Scope,
  type Tenant,
} from '@event-commerce/contracts';
import { type Caller, type ExportAll, formatsOf, type Handlers } from '@event-commerce/service-kit';
import { archiveCoupon, changeCoupon, type CouponDeps, createCoupon } from './coupons/change-coupon.ts';
import { changeOrder } from './orders/change-order.ts';
import { calledOffCsv } from './call-offs/called-off-csv.ts';
import type { CallOffOrders } from './call-offs/call-off-orders.ts';
import type { ExportOrders } from './orders/export-orders.ts';
import { amendOrder, type AmendOrderDeps, shown as withoutBefore } from './orders/amend-order.ts';
import { cancelAmendment, confirmAmendment } from './orders/move-amendment.ts';
import { previewAmendment } from './orders/preview-amendment.ts';
import { type Actor, cancelOrder, confirmOrder, extendOrder } from './orders/move-order.ts';
import { placeOrder } from './orders/place-order.ts';
import type { OrderRecord } from './orders/order-record.ts';
import { reopenOrder } from './orders/reopen-order.ts';

const CALLED_OFF_FORMATS = formatsOf(calledOffCsv);

interface HandlerDeps extends AmendOrderDeps, CouponDeps {
  exportOrders: ExportOrders;
  exportAll: ExportAll;
  callOffOrders: CallOffOrders;
  lastCallOffOf: (caller: Caller, eventId: string) => Promise<string>;
}

/** The handlers of commerce's operations. */
export function commerceHandlers(deps: HandlerDeps): Handlers<'commerce'> {
  const { coupons, orders, clock } = deps;
  /** Changes the order with this id, or else the one with this number; with `ofKey` only one placed with that key. */
  const byIdOrNumber = async <T>(
    tenant: Tenant,
    given: string,
    change: (id: string) => Promise<T>,
    ofKey?: string,
  ): Promise<T> => {
    try {
      return await change(given);
    } catch (error) {
      if (!hasCode(error, 'ORDER_NOT_FOUND')) throw error;
      const numbered = await orders.findByNumber(tenant, given);
      if (numbered === undefined || (ofKey ?? numbered.placedBy) !== numbered.placedBy) throw error;
      return await change(numbered.order.id);
    }
  };
  /** The order with this id or number. @throws {PlatformError} ORDER_NOT_FOUND */
  const findOrder = async (tenant: Tenant, given: string): Promise<OrderRecord> => {
    const found = (await orders.find(tenant, given)) ?? (await orders.findByNumber(tenant, given));
    if (found === undefined) throw orderNotFound(given);
    return found;
  };
  /** The order. A key without orders:read sees only orders that it placed. @throws {PlatformError} ORDER_NOT_FOUND */
  const readableOrder = async (
    { tenant, originalKeyId, scopes }: { tenant: Tenant; originalKeyId: string; scopes: readonly Scope[] },
    id: string,
  ): Promise<OrderRecord> => {
    const found = await findOrder(tenant, id);
    if (found.placedBy !== originalKeyId && !allows(scopes, 'orders:read')) throw orderNotFound(id);
    return found;
  };
  return {
    createCoupon: async ({ caller, body }) => (await createCoupon(deps, caller, body)).shownAt(clock()),

    listCoupons: async ({ identity: { tenant }, query }) => {
      const now = clock();
      const { data, page } = await coupons.page(tenant, query, now);
      return { data: data.map((coupon) => coupon.shownAt(now)), page };
    },

    getCoupon: async ({ identity: { tenant }, params: { id } }) => {
      const coupon = await coupons.find(tenant, id);
      if (coupon === undefined) throw couponNotFound(id);
      return coupon.shownAt(clock());
    },

    updateCoupon: async ({ caller, ifMatch, params: { id }, body }) =>
      (await changeCoupon(deps, caller, id, body, ifMatch)).shownAt(clock()),

    archiveCoupon: async ({ caller, ifMatch, params: { id } }) =>
      (await archiveCoupon(deps, caller, id, ifMatch)).shownAt(clock()),

    createOrder: async ({ caller, identity, body: input, sentBody: body }) => {
      const mayStatePrices = allows(identity.scopes, 'orders:write');
      const buyer = { caller, placedBy: identity.originalKeyId, mayStatePrices };
      const { order, repeated } = await placeOrder(deps, buyer, { input, body });
      return { status: repeated ? 200 : 201, data: { order } };
    },

    listOrders: async ({ caller, query: { eventId, format, cursor, limit, ...query } }) => {
      const { tenant } = caller;
      const offeringIds = eventId === undefined ? undefined : await deps.offerings.idsOfEvent(caller, eventId);
      const filter = offeringIds === undefined ? query : { ...query, offeringIds };
      // All that match, not only those after the cursor.
      if (format !== undefined) return await deps.exportOrders(tenant, filter, format);
      const { data, page } = await orders.page(tenant, {
        ...filter,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { data: data.map(({ order }) => order), page };
    },

    listCalledOffOrders: async ({ caller, params, query: { format, ...query } }) => {
      const id = await deps.lastCallOffOf(caller, params.id);
      const page = async (asked: { limit: number; cursor?: string | undefined }) =>
        deps.callOffOrders.page(caller.tenant, id, { ...query, ...asked });
      if (format !== undefined) return await deps.exportAll(caller.tenant, CALLED_OFF_FORMATS[format], page);
      return await page(query);
    },

    getOrder: async ({ identity, params: { id } }) => (await readableOrder(identity, id)).order,

    updateOrder: async ({ caller, ifMatch, params, body }) =>
      byIdOrNumber(caller.tenant, params.id, async (id) => changeOrder(deps, caller, id, body, ifMatch)),

    confirmOrder: async ({ caller, ifMatch, params, body }) =>
      byIdOrNumber(caller.tenant, params.id, async (id) => confirmOrder(deps, caller, id, { ...body, ifMatch })),

    extendOrder: async ({ caller, identity, ifMatch, params, body }) => {
      const by = actorOf(caller, identity);
      const extend = async (id: string) => extendOrder(deps, by, id, { ...body, ifMatch });
      return await byIdOrNumber(caller.tenant, params.id, extend, by.ofKey);
    },

    cancelOrder: async ({ caller, identity, ifMatch, params }) => {
      const by = actorOf(caller, identity);
      return await byIdOrNumber(caller.tenant, params.id, async (id) => cancelOrder(deps, by, id, ifMatch), by.ofKey);
    },

    previewAmendment: async ({ caller, identity, params, body }) => {
      const by = actorOf(caller, identity);
      const preview = async (id: string) => previewAmendment(deps, by, id, body);
      return await byIdOrNumber(caller.tenant, params.id, preview, by.ofKey);
    },

    amendOrder: async ({ caller, identity, ifMatch, params, body }) => {
      const by = actorOf(caller, identity);
      const amend = async (id: string) => amendOrder(deps, by, id, body, ifMatch);
      const amended = await byIdOrNumber(caller.tenant, params.id, amend, by.ofKey);
      return { status: amended.amendment === undefined ? 200 : 201, data: amended };
    },

    confirmAmendment: async ({ caller, identity, ifMatch, params }) => {
      const by = actorOf(caller, identity);
      const confirm = async (id: string) => confirmAmendment(deps, by, id, params.amendmentId, ifMatch);
      return await byIdOrNumber(caller.tenant, params.id, confirm, by.ofKey);
    },

    cancelAmendment: async ({ caller, identity, ifMatch, params }) => {
      const by = actorOf(caller, identity);
      const cancel = async (id: string) => cancelAmendment(deps, by, id, params.amendmentId, ifMatch);
      return await byIdOrNumber(caller.tenant, params.id, cancel, by.ofKey);
    },

    listAmendments: async ({ identity, params: { id }, query: { limit } }) => {
      const all = await deps.amendments.all(identity.tenant, await readableOrder(identity, id));
      return { data: all.map(withoutBefore), page: { limit, next: null } };
    },

    getAmendment: async ({ identity, params: { id, amendmentId } }) => {
      const order = await readableOrder(identity, id);
      const found = await deps.amendments.find(identity.tenant, order, amendmentId);
      if (found === undefined) throw amendmentNotFound(order.id, amendmentId);
      return found;
    },

    reopenOrder: async ({ caller, ifMatch, params, body }) =>
      byIdOrNumber(caller.tenant, params.id, async (id) => reopenOrder(deps, caller, id, body, ifMatch)),
  };
}

/** A key without orders:write changes only pending orders that it placed, and states no prices. */
function actorOf(
  caller: Caller,
  { scopes, originalKeyId }: { scopes: readonly Scope[]; originalKeyId: string },
): Actor {
  return { caller, ofKey: allows(scopes, 'orders:write') ? undefined : originalKeyId };
}
