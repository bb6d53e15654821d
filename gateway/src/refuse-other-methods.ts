import { ALL_OPERATIONS, PlatformError } from '@event-commerce/contracts';
import type { FastifyInstance } from 'fastify';
import { CONSOLE_PATHS } from './console/console-routes.ts';
import { DOCS_PATHS } from './docs/docs-routes.ts';
import { GUIDE_PATHS } from './guide/guide-routes.ts';

const GET_PAGES = [...DOCS_PATHS, ...CONSOLE_PATHS, ...GUIDE_PATHS].map((path) => ['GET', path] as const);

/** Responds with 405 and `Allow` to a path that only exists for other methods. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const [method, path] of [
    ...GET_PAGES,
    ...ALL_OPERATIONS.map((operation) => [operation.method, operation.url] as const),
  ]) {
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  for (const [url, methods] of methodsByPath) {
    const allow = [...methods].join(', ');
    app.route({
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      url,
      config: { allow },
      // Not in the handler: the body would be read first, and its errors reported instead.
      onRequest: (request, reply) => {
        reply.header('allow', allow);
        throw new PlatformError('METHOD_NOT_ALLOWED', `This path takes only ${allow}, not ${request.method}.`);
      },
      handler: () => {},
    });
  }
}
