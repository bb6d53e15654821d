import {
  createServiceApp,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  type VerifyIdentity,
} from '@event-commerce/service-kit';

export interface AppDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
}

export function buildApp(deps: AppDeps): ServiceApp {
  return createServiceApp(deps);
}
