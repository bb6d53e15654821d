import { setImmediate as turn } from 'node:timers/promises';
import { tenantOf } from '@event-commerce/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptSlots } from './attempt-slots.ts';

const tenant = (companyId: string) => tenantOf({ companyId, environment: 'live' });

/** Attempts that last until they are ended, and those that are running. */
function attempts(max: number) {
  const slots = attemptSlots({ max, maxOfCompany: max / 2 });
  const underWay: { company: string; n: number; end: () => void }[] = [];
  const seen = { most: 0, mostOfCompany: 0 };
  let begun = 0;
  const begin = async (company: string, n = begun++): Promise<void> =>
    slots.during(tenant(company), async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { company, n, end: resolve };
      underWay.push(one);
      seen.most = Math.max(seen.most, underWay.length);
      seen.mostOfCompany = Math.max(seen.mostOfCompany, of(company).length);
      await promise;
      underWay.splice(underWay.indexOf(one), 1);
    });
  const of = (company: string) => underWay.filter((one) => one.company === company);
  const end = async (which = 0): Promise<void> => {
    underWay[which % underWay.length]?.end();
    await turn();
  };
  return { begin, end, of, underWay, seen };
}

test('whatever begins and ends, no more attempts run than allowed, no company has more than half, and each gets its turn', async () => {
  const step = fc.oneof(
    fc.record({ begin: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ end: fc.nat({ max: 9 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { begin, end, underWay, seen } = attempts(6);
      const all: Promise<void>[] = [];
      for (const one of steps) {
        if ('begin' in one) all.push(begin(one.begin));
        else await end(one.end);
      }
      await turn();
      while (underWay.length > 0) await end();
      await Promise.all(all);
      expect(seen.most).toBeLessThanOrEqual(6);
      expect(seen.mostOfCompany).toBeLessThanOrEqual(3);
    }),
    { numRuns: 100 },
  );
});

test('the next attempt is for the company with the fewest running, however many others wait', async () => {
  const { begin, end, of } = attempts(4);
  for (let n = 0; n < 50; n++) {
    void begin('hanging');
    void begin('also hanging');
  }
  void begin('small');
  await turn();
  expect([of('hanging').length, of('also hanging').length, of('small').length]).toEqual([2, 2, 0]);
  await end();
  expect(of('small')).toHaveLength(1);
});

test('the attempts of one company begin in order, also after one that failed', async () => {
  const slots = attemptSlots({ max: 2, maxOfCompany: 1 });
  const begun: number[] = [];
  const all = [0, 1, 2, 3].map(async (n) =>
    slots.during(tenant('a'), async () => {
      begun.push(n);
      await turn();
      if (n === 1) throw new Error('failed');
    }),
  );
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(begun).toEqual([0, 1, 2, 3]);
});
