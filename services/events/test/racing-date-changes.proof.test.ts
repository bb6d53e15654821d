import { proofSize } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { tenantOf } from '@event-commerce/contracts';
import { poolIdOf } from '../src/tickets/ticket-pools.ts';
import { claimTickets, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ROUNDS = proofSize(2, 15);
const DATES = 60;
const CAPACITY = 3;

test(
  `a change of ${DATES} dates to fewer seats, while buyers order, leaves alone exactly those that sold more, ${ROUNDS} times`,
  { timeout: 300_000 },
  async () => {
    const company = services.newCompany();
    const { events: api } = company;
    const totals = { changed: 0, sold: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const series = (await api.post('/events', { kind: 'series', name: 'Jazz', capacity: 100 })).body.data;
      await api.post(`/events/${series.id}/offerings`, ticket);
      const path = `/events/${series.id}/instances`;
      const rule = { rule: `FREQ=DAILY;COUNT=${DATES}`, startsAt: '2027-01-01T20:00', offerings: 'copy' };
      const finished = async ({ body }: any) => {
        const job = async () => (await api.get(`${path.replace('instances', 'date-jobs')}/${body.data.id}`)).body.data;
        await expect.poll(async () => (await job()).status, { timeout: 60_000 }).toBe('done');
        return await job();
      };
      const made = (await finished(await api.post(`${path}/by-rule`, rule))).dates as { eventId: string }[];
      const offered = await Promise.all(
        made.map(async ({ eventId }) => (await api.get(`/events/${eventId}/offerings`)).body.data[0].id as string),
      );

      let isChanging = true;
      const outcomes: string[] = [];
      const buy = async (n: number): Promise<void> => {
        if (!isChanging) return;
        const offering = offered[(n * 7 + outcomes.length * 13) % DATES] ?? '';
        const outcome = await claimTickets(services, company, { [offering]: 1 }).then(
          () => 'held',
          ({ code }) => code as string,
        );
        outcomes.push(outcome);
        return await buy(n);
      };
      const buyers = Array.from({ length: 8 }, async (_, n) => buy(n));
      await expect.poll(() => outcomes.length, { interval: 5 }).toBeGreaterThan(DATES);
      const change = { filter: {}, change: { capacity: CAPACITY } };
      const { dates, leftAlone } = await finished(await api.replica(round % 2).patch(path, change));
      isChanging = false;
      await Promise.all(buyers);

      expect(dates.length + leftAlone.length).toBe(DATES);
      const page = await api.get(`/events?seriesId=${series.id}&availability=true&limit=200`);
      const shown = new Map<string, any>(page.body.data.map((event: any) => [event.id, event]));
      for (const { eventId } of dates) {
        const { capacity, availability } = shown.get(eventId);
        expect(capacity).toBe(CAPACITY);
        expect(availability.sold + availability.held).toBeLessThanOrEqual(CAPACITY);
      }
      for (const { eventId, reason } of leftAlone) {
        const { capacity, availability } = shown.get(eventId);
        expect([reason, capacity]).toEqual(['sold', 100]);
        expect(availability.sold + availability.held).toBeGreaterThan(CAPACITY);
      }
      expect(new Set(outcomes)).toEqual(new Set(['held', ...(outcomes.includes('SOLD_OUT') ? ['SOLD_OUT'] : [])]));
      totals.changed += dates.length;
      totals.sold += leftAlone.length;
    }
    expect(totals.changed).toBeGreaterThan(0);
    expect(totals.sold).toBeGreaterThan(0);
  },
);

test('a date that a killed change has closed is on sale again once the change leaves it alone', async () => {
  const company = services.newCompany();
  const { events: api } = company;
  const series = (await api.post('/events', { kind: 'series', name: 'Jazz', capacity: 100 })).body.data;
  const path = `/events/${series.id}/instances`;
  const date = (await api.post(path, { startsAt: '2027-01-01T20:00' })).body.data;
  const offering = (await api.post(`/events/${date.id}/offerings`, ticket)).body.data;
  await claimTickets(services, company, { [offering.id]: 1 });
  // As it is when the process is killed between the pool and the event.
  const tenant = tenantOf({ companyId: company.companyId, environment: 'live' });
  const _id = poolIdOf('event', tenant, date.id);
  const closed = { definitionVersion: date.version + 1 };
  await services.models.events.ticketPools.collection.updateOne({ _id } as never, { $set: closed });
  const { leftAlone } = (await api.patch(path, { filter: {}, change: { startsAt: '21:00' } })).body.data;
  expect(leftAlone).toMatchObject([{ eventId: date.id, reason: 'sold' }]);
  await claimTickets(services, company, { [offering.id]: 1 });
});
