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
import { type HandlerDeps, eventsHandlers } from './handlers.ts';

export interface AppDeps extends HandlerDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  eventBytes: EventBytes;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  serveOperations(app, 'events', eventsHandlers(deps));
  return app;
}
