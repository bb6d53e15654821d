import { PlatformError, type ServiceName } from '@event-commerce/contracts';
import type { FastifyInstance, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { companyKey } from '../auth/tenant-key.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { MemoryBudget } from './memory-budget.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The service that responds; 'gateway' for operations of its own that need a key. */
    service?: ServiceName | 'gateway';
  }

  interface FastifyRequest {
    /** Its slot among the requests in flight; null before it has one. */
    slot: Slot | null;
  }
}

interface Slot {
  /**
   * Call this once the service has responded or failed. A service keeps working for a client that has disconnected, so
   * the request stays in flight until then.
   */
  markAnswered: () => void;
  /**
   * Resolves when the request is over: the service has answered, and the client has its response or has disconnected.
   */
  released: Promise<void>;
}

/** Limits what one company may use of this process: memory for bodies, and requests in flight to each service. */
export function limitCompanies(
  app: FastifyInstance,
  options: {
    limiters: Readonly<Record<ServiceName | 'gateway', ConcurrencyLimiter>>;
    memoryBudget: MemoryBudget;
  },
): void {
  const { limiters, memoryBudget } = options;

  app.decorateRequest('slot', null);
  app.addHook('preParsing', (request, reply, payload, done) => {
    // A request that needs no key has no body.
    if (request.caller === null) {
      done(null, payload);
      return;
    }
    try {
      done(null, memoryBudget.holdBody(companyKey(request.caller.identity), request, payload, reply.raw));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onRoute', (route) => {
    const service = route.config?.service;
    if (service === undefined) return;
    const limiter = limiters[service];
    const takeSlot: preHandlerHookHandler = (request, reply, done) => {
      if (reply.raw.closed) {
        throw new PlatformError('BAD_REQUEST', 'The client disconnected before its request was forwarded.');
      }
      const company = companyKey(request.caller?.identity);
      limiter.enter(company);
      const closed = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<void>();
      reply.raw.once('close', closed.resolve);
      // The only place where a slot is released.
      const released = Promise.all([closed.promise, answered.promise]).then(() => limiter.leave(company));
      request.slot = { markAnswered: answered.resolve, released };
      done();
    };
    const markAnswered: onSendHookHandler = (request, _reply, payload, done) => {
      request.slot?.markAnswered();
      done(null, payload);
    };
    // The last hook before the handler: a stored response takes no slot.
    route.preHandler = [route.preHandler ?? [], takeSlot].flat();
    route.onSend = [route.onSend ?? [], markAnswered].flat();
  });
}
