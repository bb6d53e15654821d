import {
  createServiceApp,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { orderRoutes } from './http/orders.routes.ts';
import type { PlaceOrderDeps } from './use-cases/place-order.ts';

export interface AppDeps extends PlaceOrderDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  orderRoutes(app, deps);
  return app;
}
