import {
  createServiceApp,
  type EventBytes,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  type UsageOfQuotas,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { adjustmentRoutes, type AdjustmentRoutesDeps } from './http/adjustments.routes.ts';

export interface AppDeps extends AdjustmentRoutesDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  eventBytes: EventBytes;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  adjustmentRoutes(app, deps);
  return app;
}
