import { keyOfTenant, type Tenant } from '@event-commerce/contracts';

/** Bounds how many attempts this process makes at once, and how many of them for one company. */
export function attemptSlots({ max, maxOfCompany }: { max: number; maxOfCompany: number }) {
  const taken = new Map<string, number>();
  let all = 0;
  const waiting: { key: string; go: () => void }[] = [];

  const isFree = (key: string) => all < max && (taken.get(key) ?? 0) < maxOfCompany;
  const take = (key: string) => {
    all += 1;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  };
  const release = (key: string) => {
    all -= 1;
    const left = (taken.get(key) ?? 1) - 1;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
    const next = waiting.findIndex((one) => isFree(one.key));
    if (next === -1) return;
    const [first] = waiting.splice(next, 1);
    if (first === undefined) return;
    take(first.key);
    first.go();
  };

  return {
    async during<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
      const key = keyOfTenant(tenant);
      if (isFree(key)) take(key);
      else await new Promise<void>((resolve) => waiting.push({ key, go: resolve }));
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
}

export type AttemptSlots = ReturnType<typeof attemptSlots>;
