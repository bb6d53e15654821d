import { setImmediate as turn } from 'node:timers/promises';
import { createLogger } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { poolIdOf } from './ticket-pools.ts';
import { availabilityTeller } from './tell-availability.ts';

test('any number of offerings is reported once each, with few reads and writes at the same time', async () => {
  const tenant = liveTenant('company');
  const ids = Array.from({ length: 1_050 }, (_, n) => `off_${n}`);
  const told: string[] = [];
  let reading = 0;
  let [writing, mostWriting] = [0, 0];
  const deps = {
    sellables: async (asked: { ids: readonly string[] }) => {
      reading = Math.max(reading, asked.ids.length);
      const found = asked.ids.map((id) => {
        const soldOut = told.includes(id) ? { soldOut: true, soldOutBy: 'itself' } : { soldOut: false };
        return [
          id,
          { offering: { id, ...soldOut }, own: { id: `pool of ${id}`, limit: 0 }, ofEvent: { id: 'pool of event' } },
        ] as const;
      });
      return await Promise.resolve(new Map(found));
    },
    offerings: {
      tellAvailability: async (_tenant: string, id: string) => {
        mostWriting = Math.max(mostWriting, ++writing);
        await turn();
        writing -= 1;
        told.push(id);
        return true;
      },
    },
    pools: { countsOf: async () => Promise.resolve(new Map()) },
    clock: () => new Date(),
    logger: createLogger({ service: 'test', level: 'silent' }),
  };
  const teller = availabilityTeller(deps as unknown as Parameters<typeof availabilityTeller>[0]);
  await teller.ofPools(
    tenant,
    ids.map((id) => poolIdOf('offering', tenant, id)),
  );
  expect(told).toEqual(ids);
  expect([reading, mostWriting]).toEqual([100, 100]);
});
