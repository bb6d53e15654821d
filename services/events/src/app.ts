import {
  createServiceApp,
  type EventBytes,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  type UsageOfQuotas,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { eventRoutes } from './http/events.routes.ts';
import { offeringRoutes } from './http/offerings.routes.ts';
import { purchaseGroupRoutes } from './http/purchase-groups.routes.ts';
import type { ChangeEventDeps } from './use-cases/change-event.ts';
import type { ChangeOfferingDeps } from './use-cases/change-offering.ts';
import type { MergeGroupsDeps } from './use-cases/merge-groups.ts';

export interface AppDeps extends ChangeEventDeps, ChangeOfferingDeps, MergeGroupsDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  eventBytes: EventBytes;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  eventRoutes(app, deps);
  purchaseGroupRoutes(app, deps);
  offeringRoutes(app, deps);
  return app;
}
