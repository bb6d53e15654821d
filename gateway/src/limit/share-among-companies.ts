import type { ServiceName } from '@event-commerce/contracts';
import type { FastifyInstance, preHandlerHookHandler } from 'fastify';
import { companyOf } from '../forward/identity-of.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { Places } from './places.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The responding service, unless the gateway itself responds. */
    service?: ServiceName;
  }
}

/** Bounds what one company may use of this process: memory before a body is read, places before it is forwarded. */
export function shareAmongCompanies(
  app: FastifyInstance,
  { places, heldBytes }: { places: Readonly<Record<ServiceName, Places>>; heldBytes: HeldBytes },
): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.routeOptions.config.service === undefined) {
      done(null, payload);
      return;
    }
    try {
      done(null, heldBytes.holdBody(companyOf(request).companyId, request, payload, reply.raw));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onRoute', (route) => {
    const service = route.config?.service;
    if (service === undefined) return;
    // The last hook of all: a response without the service takes no place there.
    const takePlace: preHandlerHookHandler = (request, reply, done) =>
      places[service].take(companyOf(request).companyId, reply.raw, done);
    route.preHandler = [route.preHandler ?? [], takePlace].flat();
  });
}
