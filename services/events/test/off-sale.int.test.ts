import { rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { created } from './concert.ts';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 2 });
});
afterAll(async () => events?.stop());

const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } };

async function newCompany() {
  const { companyId, api } = events.newCompany();
  return {
    companyId,
    make: async (path: string, body: object) => created(api(), path, body),
    offer: async (eventId: string, more: object = {}): Promise<string> =>
      (await created(api(), `/events/${eventId}/offerings`, { ...ticket, ...more })).id,
    change: async (path: string, patch: object) => {
      expect((await api().patch(path, patch)).status).toBe(200);
    },
    revert: async (path: string) => {
      expect((await api().post(`${path}/revert`, { fields: ['status'] })).status).toBe(200);
    },
    /** Claims a ticket, and returns the refusal, or that there was none. */
    claim: async (offeringId: string): Promise<any> =>
      await events.claimTickets(companyId, { [offeringId]: 1 }).then(
        () => 'claimed',
        (error: unknown) => error,
      ),
  };
}

const notForSale = (offeringId: string, eventId: string, status: string) => {
  const message = `belongs to event ${eventId}, which is ${status} and sells no tickets; to sell them, set its status to published`;
  return {
    code: 'NOT_FOR_SALE',
    message: `Offering ${offeringId} ${message}.`,
    details: [{ path: 'order.items[0]', offeringId, message }],
  };
};

describe('the tickets of an event', () => {
  test.each([{}, { capacity: 10 }])('with %j are sold by its status', async (fields) => {
    const { make, offer, change, claim } = await newCompany();
    const { id } = await make('/events', { name: 'Gala', ...fields });
    const offeringId = await offer(id);
    expect(await claim(offeringId)).toBe('claimed');
    for (const status of ['cancelled', 'completed', 'archived']) {
      await change(`/events/${id}`, { status });
      expect(await claim(offeringId)).toMatchObject(notForSale(offeringId, id, status));
    }
    for (const status of ['draft', 'published', 'postponed']) {
      await change(`/events/${id}`, { status });
      expect(await claim(offeringId)).toBe('claimed');
    }
  });

  test.each([{}, { capacity: 10 }])(
    "of a series with %j are sold by an instance's own status, or else by the series'",
    async (fields) => {
      const { make, offer, change, revert, claim } = await newCompany();
      const series = `/events/${(await make('/events', { kind: 'series', name: 'Jazz', ...fields })).id}`;
      const [one, other] = [(await make(`${series}/instances`, {})).id, (await make(`${series}/instances`, {})).id];
      const [ofOne, ofOther] = [await offer(one), await offer(other)];
      await change(`${series}/instances/${one}`, { status: 'cancelled' });
      expect(await claim(ofOne)).toMatchObject(notForSale(ofOne, one, 'cancelled'));
      expect(await claim(ofOther)).toBe('claimed');
      await change(`${series}/instances/${one}`, { status: 'published' });
      await change(series, { status: 'completed' });
      expect(await claim(ofOne)).toBe('claimed');
      expect(await claim(ofOther)).toMatchObject(notForSale(ofOther, other, 'completed'));
      await revert(`${series}/instances/${one}`);
      expect(await claim(ofOne)).toMatchObject(notForSale(ofOne, one, 'completed'));
      await change(series, { status: 'published' });
      expect([await claim(ofOne), await claim(ofOther)]).toEqual(['claimed', 'claimed']);
    },
  );

  test('are not taken any more once the request that cancels the event is answered', async () => {
    const { companyId, make, offer, change, claim } = await newCompany();
    for (let round = 0; round < rounds(10); round++) {
      const { id } = await make('/events', { name: 'Gala', capacity: 100_000 });
      const offeringId = await offer(id);
      let taken = 0;
      const buyUntilRefused = async (): Promise<any> => {
        const outcome = await claim(offeringId);
        if (outcome !== 'claimed') return outcome.code;
        taken += 1;
        return await buyUntilRefused();
      };
      const buyers = Array.from({ length: 20 }, buyUntilRefused);
      await expect.poll(() => taken).toBeGreaterThan(20);
      await change(`/events/${id}`, { status: 'cancelled' });
      const [answered] = (await events.askOfferings(companyId, [offeringId])).offerings;
      expect(new Set(await Promise.all(buyers))).toEqual(new Set(['NOT_FOR_SALE']));
      expect(answered?.event).toEqual({ status: 'cancelled', left: 100_000 - taken });
    }
  });
});
