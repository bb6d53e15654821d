import { allows, couponNotFound, hasCode, orderNotFound, type Tenant } from '@event-commerce/contracts';
import type { Handlers } from '@event-commerce/service-kit';
import { archiveCoupon, changeCoupon, type CouponDeps, createCoupon } from './coupons/change-coupon.ts';
import { changeOrder } from './orders/change-order.ts';
import type { ExportOrders } from './orders/export-orders.ts';
import { cancelOrder, confirmOrder, extendOrder } from './orders/move-order.ts';
import { placeOrder, type PlaceOrderDeps } from './orders/place-order.ts';
import { reopenOrder } from './orders/reopen-order.ts';

interface HandlerDeps extends PlaceOrderDeps, CouponDeps {
  exportOrders: ExportOrders;
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
      // All that match, not those after the cursor.
      if (format !== undefined) return await deps.exportOrders(tenant, filter, format);
      const { data, page } = await orders.page(tenant, {
        ...filter,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { data: data.map(({ order }) => order), page };
    },

    getOrder: async ({ identity: { tenant, originalKeyId, scopes }, params: { id } }) => {
      const found = (await orders.find(tenant, id)) ?? (await orders.findByNumber(tenant, id));
      if (found === undefined) throw orderNotFound(id);
      if (found.placedBy !== originalKeyId && !allows(scopes, 'orders:read')) throw orderNotFound(id);
      return found.order;
    },

    updateOrder: async ({ caller, ifMatch, params, body }) =>
      byIdOrNumber(caller.tenant, params.id, async (id) => changeOrder(deps, caller, id, body, ifMatch)),

    confirmOrder: async ({ caller, ifMatch, params, body }) =>
      byIdOrNumber(caller.tenant, params.id, async (id) => confirmOrder(deps, caller, id, { ...body, ifMatch })),

    extendOrder: async ({ caller, identity: { originalKeyId, scopes }, ifMatch, params, body }) => {
      const ofKey = allows(scopes, 'orders:write') ? undefined : originalKeyId;
      const extend = async (id: string) => extendOrder(deps, caller, id, { ...body, ifMatch, ofKey });
      return await byIdOrNumber(caller.tenant, params.id, extend, ofKey);
    },

    cancelOrder: async ({ caller, identity: { originalKeyId, scopes }, ifMatch, params }) => {
      const ofKey = allows(scopes, 'orders:write') ? undefined : originalKeyId;
      const cancel = async (id: string) => cancelOrder(deps, caller, id, { ifMatch, ofKey });
      return await byIdOrNumber(caller.tenant, params.id, cancel, ofKey);
    },

    reopenOrder: async ({ caller, ifMatch, params, body }) =>
      byIdOrNumber(caller.tenant, params.id, async (id) => reopenOrder(deps, caller, id, body, ifMatch)),
  };
}
