import type { ServiceName } from '@event-commerce/contracts';
import type { FastifyInstance } from 'fastify';
import { companyOf } from '../forward/identity-of.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { Places } from './places.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who answers, where that is not the gateway itself. */
    service?: ServiceName;
  }
}

/** Bounds what one company may take of this process: of its memory before a body is read, of its places before it is handed on. */
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
  app.addHook('preHandler', (request, reply, done) => {
    const { service } = request.routeOptions.config;
    if (service === undefined) {
      done();
      return;
    }
    places[service].take(companyOf(request).companyId, reply.raw, done);
  });
}
