import { type BusConnection, runConsumer } from '@event-commerce/bus';
import { consumerOf, type CouponState, type Tenant } from '@event-commerce/contracts';
import { isOutage } from '@event-commerce/service-kit';
import { followCoupon, type FollowCouponDeps, retryConflicts } from './use-cases/follow-coupon.ts';
import { confirmClaims, releaseClaims, type SettleDeps } from './use-cases/settle-claims.ts';

/** What pricing does about domain events. Call the returned function to stop, and to wait for events in progress. */
export async function consumeEvents(
  bus: BusConnection,
  deps: SettleDeps &
    FollowCouponDeps & {
      /** Asks commerce for a coupon, whose event may leave out what the coupon applies to. */
      couponState: (tenant: Tenant, couponId: string) => Promise<CouponState | undefined>;
    },
): Promise<() => Promise<void>> {
  const shared = {
    logger: deps.logger,
    isOutage,
  };
  const stops = await Promise.all([
    runConsumer(bus, {
      ...shared,
      ...consumerOf('pricing-orders'),
      handle: async ({ type, tenant, data: { id, claims }, traceparent }) => {
        const settle = type === 'order.placed' ? confirmClaims : releaseClaims;
        await settle(deps, { tenant, id, claims }, traceparent);
      },
    }),
    runConsumer(bus, {
      ...shared,
      ...consumerOf('pricing-coupons'),
      handle: async ({ tenant, data, traceparent }) => {
        const { offeringIds, contextIds, ...small } = data;
        const whole = offeringIds !== undefined && contextIds !== undefined;
        const state = whole ? { ...small, offeringIds, contextIds } : await deps.couponState(tenant, data.id);
        if (state !== undefined) await followCoupon(deps, { tenant, traceparent }, state);
      },
    }),
    // Its own events: what a crash kept from being announced is announced now, and whatever lets go of a code says so, and a coupon
    // that waits for the code gets it.
    runConsumer(bus, {
      ...shared,
      ...consumerOf('pricing-code-conflicts'),
      handle: async ({ type, tenant, data: { id, version }, traceparent }) => {
        await deps.announce({ tenant, id, version });
        if (type !== 'adjustment.created') await retryConflicts(deps, { tenant, traceparent });
      },
    }),
  ]);
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
