import {
  createServiceApp,
  type EventBytes,
  type Logger,
  type ReadinessChecks,
  serveOperations,
  type ServiceApp,
  type UsageOfQuotas,
  type VerifyIdentity,
} from '@event-commerce/service-kit';
import { type HandlerDeps, commerceHandlers } from './handlers.ts';

export interface AppDeps extends HandlerDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  eventBytes: EventBytes;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  serveOperations(app, 'commerce', commerceHandlers(deps));
  return app;
}
