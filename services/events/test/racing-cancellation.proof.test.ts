import { proofSize } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { created } from './concert.ts';
import { askOfferings, claimTickets, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ROUNDS = proofSize(4, 10);

test(`no ticket is sold once the request that cancels the event is answered, ${ROUNDS} times against 20 buyers`, async () => {
  const company = services.newCompany();
  const { events: api } = company;
  for (let round = 0; round < ROUNDS; round++) {
    const event = await created(api, '/events', { name: 'Gala', capacity: 100_000 });
    const offering = await created(api, `/events/${event.id}/offerings`, ticket);
    let taken = 0;
    const buyUntilRefused = async (): Promise<string> => {
      const refusal = await claimTickets(services, company, { [offering.id]: 1 }).then(
        () => undefined,
        (error: any) => error.code as string,
      );
      if (refusal !== undefined) return refusal;
      taken += 1;
      return await buyUntilRefused();
    };
    const buyers = Array.from({ length: 20 }, buyUntilRefused);
    await expect.poll(() => taken).toBeGreaterThan(20);
    expect((await api.patch(`/events/${event.id}`, { status: 'cancelled' })).status).toBe(200);
    const [answered] = (await askOfferings(services, company, [offering.id])).offerings;
    expect(new Set(await Promise.all(buyers))).toEqual(new Set(['NOT_FOR_SALE']));
    expect(answered?.event).toEqual({ status: 'cancelled', left: 100_000 - taken });
  }
});
