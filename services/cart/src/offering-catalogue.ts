import { type BusConnection, call } from '@event-commerce/bus';
import {
  ARRAY_LENGTH_MAX,
  type DomainEvent,
  type Offering,
  type OfferingsReply,
  type OfferingsRequest,
  parseDomainEvent,
  RPC,
  subjectOf,
} from '@event-commerce/contracts';
import type { Caller, Logger } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import type { Catalogue } from './domain/cart.ts';
import { asUnavailable } from './as-unavailable.ts';

/** How old an answer may get when the event that makes it stale is lost. */
const KNOWN_MS = 10_000;
const UNKNOWN_MS = 5_000;
const OFFERINGS_MAX = 50_000;

/** What is held of one offering: an answer, or that answers below `version` are stale. */
type Held = { offering: Offering | undefined } | { staleBelow: number };

export interface OfferingCatalogue {
  /**
   * What the caller's company sells under `ids`; those it does not know are left out.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE when the events service has to be asked and does not answer
   */
  find(caller: Caller, ids: readonly string[]): Promise<Catalogue>;
}

/**
 * The events service's offerings over request-reply, kept for a while. Every replica hears when an offering changes and forgets
 * it; while the broker is away nothing is heard, so all is forgotten when it is back.
 */
export function offeringCatalogue(bus: BusConnection, logger: Logger): OfferingCatalogue {
  const cache = new LRUCache<string, Held>({ max: OFFERINGS_MAX, ttl: KNOWN_MS });

  const forget = ({ data }: DomainEvent<'offering.created' | 'offering.updated'>): void => {
    cache.set(cacheKey(data.companyId, data.id), { staleBelow: data.version });
  };
  for (const type of ['offering.created', 'offering.updated'] as const) {
    // Not a durable consumer, of which one replica would hear each event: each holds a cache of its own.
    bus.nats.subscribe(subjectOf(type), {
      callback: (error, message) => {
        if (error) return;
        try {
          forget(parseDomainEvent(message.json()) as DomainEvent<typeof type>);
        } catch (err) {
          logger.warn(
            { err, subject: message.subject },
            'an offering event could not be read; its price stays until it is old',
          );
        }
      },
    });
  }
  const forgetAfterOutages = async (): Promise<void> => {
    for await (const { type } of bus.nats.status()) if (type === 'reconnect') cache.clear();
  };
  forgetAfterOutages().catch((err: unknown) => logger.error({ err }, 'lost sight of the broker connection'));

  const ask = async (caller: Caller, ids: string[], found: Map<string, Offering>): Promise<void> => {
    const { identityToken, requestId, traceparent } = caller;
    const request: OfferingsRequest = { ids };
    const { offerings } = await call<OfferingsReply>(bus, RPC.offerings, request, {
      identityToken,
      requestId,
      traceparent,
    });
    const answered = new Map(offerings.map((offering) => [offering.id, offering]));
    for (const id of ids) {
      const offering = answered.get(id);
      if (offering !== undefined) found.set(id, offering);
      const key = cacheKey(caller.companyId, id);
      const held = cache.get(key);
      const stale = held !== undefined && 'staleBelow' in held && (offering?.version ?? 0) < held.staleBelow;
      if (!stale) cache.set(key, { offering }, { ttl: offering === undefined ? UNKNOWN_MS : KNOWN_MS });
    }
  };

  return {
    async find(caller, ids) {
      const found = new Map<string, Offering>();
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const held = cache.get(cacheKey(caller.companyId, id));
        if (held === undefined || 'staleBelow' in held) missing.push(id);
        else if (held.offering !== undefined) found.set(id, held.offering);
      }
      try {
        for (let from = 0; from < missing.length; from += ARRAY_LENGTH_MAX) {
          await ask(caller, missing.slice(from, from + ARRAY_LENGTH_MAX), found);
        }
      } catch (error) {
        throw asUnavailable(error, 'Prices of the catalogue cannot be read now; try again shortly.');
      }
      return found;
    },
  };
}

function cacheKey(companyId: string, id: string): string {
  return `${companyId}/${id}`;
}
