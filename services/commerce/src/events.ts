import { type BusConnection, runConsumer } from '@event-commerce/bus';
import { consumerOf } from '@event-commerce/contracts';
import { isOutage, type Logger } from '@event-commerce/service-kit';
import type { CouponRepository } from './store/coupon.repository.ts';

/** Follows what pricing says of coupons: how often they were redeemed, and whether their code was free. */
export async function consumePricing(
  bus: BusConnection,
  deps: { coupons: CouponRepository; logger: Logger },
): Promise<() => Promise<void>> {
  const stops = await Promise.all([
    runConsumer(bus, {
      ...consumerOf('commerce-redemptions'),
      logger: deps.logger,
      isOutage,
      handle: async ({ tenant, data: { couponId, usage } }) => {
        if (couponId === undefined) return;
        await deps.coupons.setQuantitySold(tenant, couponId, usage.redeemed, usage.version);
      },
    }),
    runConsumer(bus, {
      ...consumerOf('commerce-adjustments'),
      logger: deps.logger,
      isOutage,
      handle: async ({ tenant, data: { couponId, couponVersion, codeConflict = false, version } }) => {
        if (couponId === undefined || couponVersion === undefined) return;
        await deps.coupons.setCodeConflict(tenant, couponId, {
          couponVersion,
          adjustmentVersion: version,
          codeConflict,
        });
      },
    }),
  ]);
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
