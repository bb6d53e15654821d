import { proofSize } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ROUNDS = proofSize(3, 15);
const DATES = 60;
const CAPACITY = 3;

test(`a change of ${DATES} dates to fewer seats, while buyers order, leaves alone exactly those that sold more, ${ROUNDS} times`, async () => {
  const company = services.newCompany();
  const { events: api } = company;
  const totals = { changed: 0, sold: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const series = (await api.post('/events', { kind: 'series', name: 'Jazz', capacity: 100 })).body.data;
    await api.post(`/events/${series.id}/offerings`, ticket);
    const path = `/events/${series.id}/instances`;
    const rule = { rule: `FREQ=DAILY;COUNT=${DATES}`, startsAt: '2027-01-01T20:00', offerings: 'copy' };
    const made = (await api.post(`${path}/by-rule`, rule)).body.data.dates as { eventId: string }[];
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
    const { body } = await api.replica(round % 2).patch(path, { filter: {}, change: { capacity: CAPACITY } });
    const { id } = body.data;
    await expect
      .poll(async () => (await api.get(`${path}/jobs/${id}`)).body.data.status, { timeout: 30_000 })
      .toBe('done');
    isChanging = false;
    await Promise.all(buyers);

    const { dates, leftAlone } = (await api.get(`${path}/jobs/${id}`)).body.data;
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
});
