import { pageQuery } from '@event-commerce/contracts';
import {
  createServiceApp,
  type Logger,
  type ReadinessChecks,
  type ServiceApp,
  toPage,
  type VerifyIdentity,
} from '@event-commerce/service-kit';

export interface AppDeps {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
}

export function buildApp(deps: AppDeps): ServiceApp {
  const app = createServiceApp(deps);
  app.get('/events', { schema: { querystring: pageQuery } }, (request) => toPage([], request.query));
  return app;
}
