import { beforeAll, describe, expect, test } from 'vitest';
import { created } from './concert.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

async function newCompany() {
  const company = services.newCompany();
  const { events: api } = company;
  return {
    make: async (path: string, body: object) => created(api, path, body),
    offer: async (eventId: string, more: object = {}): Promise<string> =>
      (await created(api, `/events/${eventId}/offerings`, { ...ticket, ...more })).id,
    change: async (path: string, patch: object) => {
      expect((await api.patch(path, patch)).status).toBe(200);
    },
    revert: async (path: string) => {
      expect((await api.post(`${path}/revert`, { fields: ['status'] })).status).toBe(200);
    },
    /** Claims a ticket, and returns the refusal, if any. */
    claim: async (offeringId: string): Promise<any> =>
      await claimTickets(services, company, { [offeringId]: 1 }).then(
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
  test.each([{}, { capacity: 10 }])('with %j are sold according to its status', async (fields) => {
    const { make, offer, change, claim } = await newCompany();
    const { id } = await make('/events', { name: 'Gala', ...fields });
    const offeringId = await offer(id);
    expect(await claim(offeringId)).toBe('claimed');
    for (const status of ['draft', 'cancelled', 'completed', 'archived']) {
      await change(`/events/${id}`, { status });
      expect(await claim(offeringId)).toMatchObject(notForSale(offeringId, id, status));
    }
    for (const status of ['published', 'postponed']) {
      await change(`/events/${id}`, { status });
      expect(await claim(offeringId)).toBe('claimed');
    }
  });

  test.each([{}, { capacity: 10 }])(
    "of a series with %j are sold according to an instance's own status, or else the series'",
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
});
