import { createExports, createQuotas, declareService } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { commerceHandlers } from './handlers.ts';
import { knownOfferings } from './orders/offerings.ts';
import {
  cartCheckouts,
  eventsTickets,
  eventTimeZones,
  pricingCoupons,
  pricingPurchases,
  readCallOffOfEvent,
} from './other-services.ts';
import { callOffOrders } from './call-offs/call-off-orders.ts';
import { commerceAnswers } from './rpc.ts';
import { couponEvent } from './coupons/coupon-record.ts';
import { couponAmounts, couponRepository } from './coupons/coupon.repository.ts';
import { customerOrders } from './orders/erase-customer.ts';
import { commerceModels } from './models.ts';
import { amendmentRepository } from './orders/amendment.repository.ts';
import { orderEvent } from './orders/order-record.ts';
import { orderNumbers } from './orders/order-number.repository.ts';
import { orderRepository } from './orders/order.repository.ts';
import { replayOrders } from './orders/replay-orders.ts';
import { createExport } from './orders/export-orders.ts';
import { amendmentExpirySweep, orderExpirySweep } from './orders/expire-orders.ts';

/** Coupons and orders. */
export const commerce = declareService({
  name: 'commerce',
  loadConfig,
  models: commerceModels,
  assemble({ config, mongo, models, bus, relay, logger, clock }) {
    const quotas = createQuotas(mongo, { limits: config.QUOTAS, recount: couponAmounts(models), logger });
    const orderRelay = relay(models.orders, orderEvent);
    const deps = {
      orders: orderRepository(models, orderRelay),
      amendments: amendmentRepository(models),
      customerOrders: customerOrders(models, orderRelay, clock),
      numbers: orderNumbers(models),
      coupons: couponRepository(models, relay(models.coupons, couponEvent), quotas),
      purchases: pricingPurchases(bus, logger),
      tickets: eventsTickets(bus, logger),
      adjustments: pricingCoupons(bus),
      timeZones: eventTimeZones(bus),
      carts: cartCheckouts(bus, logger),
      offerings: knownOfferings(bus),
      clock,
    };
    const exportAll = createExports();
    const calledOff = callOffOrders(models, deps);
    return {
      quotas,
      operations: commerceHandlers({
        ...deps,
        exportAll,
        exportOrders: createExport(deps, exportAll),
        callOffOrders: calledOff,
        lastCallOffOf: async (caller, eventId) => readCallOffOfEvent(bus, caller, eventId),
      }),
      answers: commerceAnswers({ ...deps, callOffOrders: calledOff, replayOrders: replayOrders(models) }),
      follows: {
        // How often a coupon was redeemed.
        'commerce-redemptions': async ({ tenant, data: { couponId, usage } }) => {
          if (couponId === undefined) return;
          await deps.coupons.setQuantitySold(tenant, couponId, usage.redeemed, usage.version);
        },
        // Whether a coupon's code was free.
        'commerce-adjustments': async ({ tenant, data }) => {
          const { couponId, couponVersion, codeConflict = false, version: adjustmentVersion } = data;
          if (couponId === undefined || couponVersion === undefined) return;
          await deps.coupons.setCodeConflict(tenant, couponId, { couponVersion, adjustmentVersion, codeConflict });
        },
      },
      sweeps: [orderExpirySweep({ ...deps, logger }), amendmentExpirySweep({ ...deps, logger })],
    };
  },
});
