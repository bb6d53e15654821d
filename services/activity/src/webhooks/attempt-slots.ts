import { keyOfTenant, type Tenant } from '@event-commerce/contracts';

/**
 * Bounds how many attempts this process makes at once, and how many of them for one company. The next one is for the
 * company with the fewest running: a company with many hanging endpoints delays only its own.
 */
export function attemptSlots({ max, maxOfCompany }: { max: number; maxOfCompany: number }) {
  const taken = new Map<string, number>();
  let all = 0;
  const waiting: { key: string; go: () => void }[] = [];

  const underWay = (key: string) => taken.get(key) ?? 0;
  const isFree = (key: string) => all < max && underWay(key) < maxOfCompany;
  const take = (key: string) => {
    all += 1;
    taken.set(key, underWay(key) + 1);
  };
  const release = (key: string) => {
    all -= 1;
    const left = underWay(key) - 1;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
    let next: (typeof waiting)[number] | undefined;
    for (const one of waiting) {
      if (isFree(one.key) && (next === undefined || underWay(one.key) < underWay(next.key))) next = one;
    }
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    take(next.key);
    next.go();
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
