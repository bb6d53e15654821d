import {
  createServiceApp,
  type EventBytes,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  type UsageOfQuotas,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { sessionRoutes, type SessionRoutesDeps } from './http/sessions.routes.ts';
import { tableCommitmentRoutes, type TableCommitmentRoutesDeps } from './http/table-commitments.routes.ts';

export interface AppDeps extends SessionRoutesDeps, TableCommitmentRoutesDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  eventBytes: EventBytes;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  sessionRoutes(app, deps);
  tableCommitmentRoutes(app, deps);
  return app;
}
