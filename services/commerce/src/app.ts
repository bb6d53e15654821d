import {
  createServiceApp,
  type EventBytes,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  type UsageOfQuotas,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { couponRoutes } from './http/coupons.routes.ts';
import { orderRoutes } from './http/orders.routes.ts';
import type { CouponDeps } from './use-cases/change-coupon.ts';
import type { PlaceOrderDeps } from './use-cases/place-order.ts';

export interface AppDeps extends PlaceOrderDeps, CouponDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  eventBytes: EventBytes;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  couponRoutes(app, deps);
  orderRoutes(app, deps);
  return app;
}
