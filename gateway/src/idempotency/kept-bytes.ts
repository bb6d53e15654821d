import { type Identity, keyOfTenant, tenantOf } from '@event-commerce/contracts';
import type { Logger } from '@event-commerce/service-kit';
import { counter } from '@event-commerce/telemetry';
import { LRUCache } from 'lru-cache';

const MEGABYTE = 1_000_000;
const HOUR_MS = 60 * 60 * 1000;
const TENANTS_MAX = 50_000;

const countBytes = counter('kept_responses.bytes', 'Bytes of responses kept for repeats of their requests.');
const countRefused = counter('kept_responses.refused', 'Responses not kept because their company kept too much.');

export type KeptBytes = ReturnType<typeof createKeptBytes>;

/**
 * Bounds the size of the responses that are kept for one company per hour, so that it cannot fill the disk that all
 * share. Its test keys use up nothing of its live keys'. The count drains evenly; a company that was idle for an hour
 * may keep `megabytesAnHour` at once. Each process counts separately, and forgets the count when it exits. `clock` is a
 * monotonic clock in milliseconds.
 */
export function createKeptBytes(megabytesAnHour: number, logger: Logger, clock = () => performance.now()) {
  const msPerByte = HOUR_MS / (megabytesAnHour * MEGABYTE);
  /** By company: when the count will have drained, and whether the log says that it was exceeded. */
  const companies = new LRUCache<string, { drainedAtMs: number; warned: boolean }>({ max: TENANTS_MAX });
  countBytes(0);
  countRefused(0);

  return {
    /** Whether `bytes` more may be kept for the company; if so, they are counted. */
    take({ companyId, environment }: Pick<Identity, 'companyId' | 'environment'>, bytes: number): boolean {
      const company = keyOfTenant(tenantOf({ companyId, environment }));
      const nowMs = clock();
      const before = companies.get(company);
      const fromMs = Math.max(before?.drainedAtMs ?? 0, nowMs);
      const untilMs = fromMs + bytes * msPerByte;
      const warned = before?.warned === true && fromMs - nowMs > HOUR_MS / 2;
      if (untilMs <= nowMs + HOUR_MS) {
        companies.set(company, { drainedAtMs: untilMs, warned });
        countBytes(bytes);
        return true;
      }
      if (!warned) {
        logger.warn(
          { companyId, environment, megabytesAnHour },
          "a company's kept responses exceed KEPT_RESPONSE_MB_PER_HOUR; further ones are not kept",
        );
      }
      companies.set(company, { drainedAtMs: fromMs, warned: true });
      countRefused(1);
      return false;
    },
  };
}
