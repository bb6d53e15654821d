import { keyOfTenant, type Tenant, tooManyWaiting } from '@event-commerce/contracts';

const OPEN_MAX = 20;

/** Bounds the streams and waiting requests that each company has open at this process. */
export function openSlots() {
  const open = new Map<string, number>();
  const take = (tenant: Tenant): (() => void) => {
    const key = keyOfTenant(tenant);
    const count = open.get(key) ?? 0;
    if (count >= OPEN_MAX) throw tooManyWaiting(OPEN_MAX);
    open.set(key, count + 1);
    return () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    };
  };
  return {
    /** Takes a place until the returned function is called. @throws {PlatformError} RATE_LIMITED if there is none */
    take,
    async during<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
      const release = take(tenant);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

export type OpenSlots = ReturnType<typeof openSlots>;
