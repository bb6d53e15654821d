import { companyIdOf, environmentOf, PlatformError, type Tenant } from '@event-commerce/contracts';
import { counter } from '@event-commerce/telemetry';
import { LRUCache } from 'lru-cache';
import type { Logger } from './logger.ts';

const MEGABYTE = 1_000_000;
const HOUR_MS = 60 * 60 * 1000;
const TENANTS_MAX = 50_000;

const countBytes = counter('events.bytes', 'Bytes of events that the broker took.');
const countRefused = counter('events.refused_writes', 'Writes refused because their company published too much.');

/** What a company has published with its live or its test keys, and not yet drained, as of `atMs`. */
interface Published {
  bytes: number;
  atMs: number;
  warned: boolean;
}

export type EventBytes = ReturnType<typeof createEventBytes>;

/**
 * Bounds the size of one company's events per hour, so that it cannot fill the stream that all companies share. Its
 * test keys use up nothing of its live keys'. The count drains evenly; a company that was idle for an hour may publish
 * `megabytesAnHour` at once. Each process counts separately, and forgets the count when it exits. `clock` is a
 * monotonic clock in milliseconds.
 */
export function createEventBytes(megabytesAnHour: number, logger: Logger, clock = () => performance.now()) {
  const bytesMax = megabytesAnHour * MEGABYTE;
  const bytesPerMs = bytesMax / HOUR_MS;
  const tenants = new LRUCache<Tenant, Published>({ max: TENANTS_MAX });
  countBytes(0);
  countRefused(0);

  const leftOf = ({ bytes, atMs }: Published, nowMs: number): number =>
    Math.max(0, bytes - (nowMs - atMs) * bytesPerMs);

  return {
    /** Counts a published event. */
    note: (tenant: Tenant, bytes: number): void => {
      countBytes(bytes);
      const atMs = clock();
      const before = tenants.get(tenant);
      const left = before === undefined ? 0 : leftOf(before, atMs);
      const published = { bytes: left + bytes, atMs, warned: before?.warned === true && left > bytesMax / 2 };
      if (published.bytes > bytesMax && !published.warned) {
        published.warned = true;
        logger.warn(
          { companyId: companyIdOf(tenant), environment: environmentOf(tenant), megabytesAnHour },
          "a company's events exceed EVENT_MB_PER_HOUR; its writes are refused",
        );
      }
      tenants.set(tenant, published);
    },

    /** @throws {PlatformError} RATE_LIMITED when the company has published too much to write anything now */
    refuseBeyond: (tenant: Tenant): void => {
      const published = tenants.get(tenant);
      if (published === undefined || published.bytes <= bytesMax) return;
      const tooMany = leftOf(published, clock()) - bytesMax;
      if (tooMany <= 0) return;
      countRefused(1);
      throw new PlatformError(
        'RATE_LIMITED',
        `This company's changes published more than ${megabytesAnHour} MB of events within an hour. Make fewer changes to large records; reading goes on.`,
        { retryAfterSeconds: Math.ceil(tooMany / bytesPerMs / 1_000) },
      );
    },
  };
}
