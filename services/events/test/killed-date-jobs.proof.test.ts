import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { startServices } from '../../../tests/harness/services.ts';
import { ticket } from './tickets.ts';

const KILLS = proofSize(1, 20);
const DATES = proofSize(150, 1_200);
/** Dates with a capacity of their own, which stay. */
const BY_HAND = 30;

test(
  `the dates of a rule, and a change of all of them, are exact although each job is killed (kills: ${KILLS})`,
  { timeout: 1_800_000 },
  async ({ onTestFinished }) => {
    const services = await startServices({ replicas: { events: 1 }, asProcesses: ['events'] });
    onTestFinished(async () => services.stop());
    const company = services.newCompany();
    const { events: api } = company;
    const [service] = services.replicas.events;
    const { events, offerings, dateJobs } = services.models.events;
    const body = {
      kind: 'series',
      name: 'Jazz',
      timezone: 'Europe/Berlin',
      startsAt: '2027-01-01T20:00',
      capacity: 100,
    };
    const series = (await api.post('/events', body)).body.data;
    for (const name of ['Hall', 'Balcony']) await api.post(`/events/${series.id}/offerings`, { ...ticket, name });
    const path = `/events/${series.id}/instances`;

    /** Kills the service whenever more of the work is written, and returns the finished job. */
    const killDuring = async (request: Promise<unknown>, written: () => Promise<number>, whole: number) => {
      // Its response is lost with the first kill.
      const lost = request.catch(() => undefined);
      const after: number[] = [];
      for (let kill = 1; kill <= KILLS; kill++) {
        const until = Math.max(Math.floor((whole * kill) / (KILLS + 1)), (after.at(-1) ?? 0) + 1);
        await expect.poll(written, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(until);
        await service?.kill9();
        after.push(await written());
        await service?.restart();
      }
      await lost;
      // Each kill was in the middle of the work.
      expect(after.at(-1)).toBeLessThan(whole);
      const running = { 'progress.seriesId': series.id, status: 'running' } as const;
      await expect.poll(() => dateJobs.countDocuments(running), { timeout: 120_000 }).toBe(0);
      const [job] = await dateJobs.find({ 'progress.seriesId': series.id }).sort({ created: -1 }).limit(1).lean();
      return (await api.get(`${path.replace('instances', 'date-jobs')}/${job?._id}`)).body.data;
    };
    const told = (type: 'event.created' | 'event.updated') =>
      company
        .published(type)
        .flatMap(({ data: { id } }) => (id === series.id ? [] : [id]))
        .toSorted();
    const idsOf = (dates: { eventId: string }[]) => dates.map(({ eventId }) => eventId).toSorted();

    const rule = { rule: `FREQ=DAILY;COUNT=${DATES}`, startsAt: '2027-01-01T20:00', offerings: 'copy', capacity: 80 };
    const copies = async () => offerings.countDocuments({ seriesId: series.id, eventId: { $ne: series.id } });
    const made = await killDuring(api.post(`${path}/by-rule`, rule), copies, 2 * DATES);
    expect(made).toMatchObject({ status: 'done', total: DATES, leftAlone: [] });
    const all = await events.find({ seriesId: series.id }).sort({ 'own.startsAt': 1 }).lean();
    expect(made.dates.map(({ eventId }: any) => eventId)).toEqual(all.map(({ _id }) => _id));
    expect([all.length, await copies()]).toEqual([DATES, 2 * DATES]);
    await expect.poll(() => told('event.created'), { timeout: 30_000 }).toEqual(idsOf(made.dates));

    const byHand = all
      .filter((_, index) => index % (DATES / BY_HAND) === 0)
      .map(({ _id }) => _id)
      .toSorted();
    for (const id of byHand) await api.patch(`/events/${id}`, { capacity: 40 });
    const change = { filter: {}, change: { startsAt: '20:30', capacity: 90 } };
    const later = async () => events.countDocuments({ seriesId: series.id, 'own.capacity': 90 });
    const changed = await killDuring(api.patch(path, change), later, DATES - BY_HAND);
    const { dates, leftAlone } = changed;
    expect(changed).toMatchObject({ status: 'done', total: DATES });
    expect(idsOf(leftAlone)).toEqual(byHand);
    expect(new Set(leftAlone.map(({ reason }: any) => reason))).toEqual(new Set(['overridden']));
    const clocks = dates.map(({ movedTo }: any) =>
      new Date(movedTo).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' }),
    );
    expect([dates.length, new Set(clocks)]).toEqual([DATES - BY_HAND, new Set(['20:30'])]);
    const stored = { seriesId: series.id, version: 2, 'own.capacity': 90 };
    expect(idsOf(dates)).toEqual((await events.find(stored).lean()).map(({ _id }) => _id).toSorted());
    await expect
      .poll(() => told('event.updated'), { timeout: 30_000 })
      .toEqual([...byHand, ...idsOf(dates)].toSorted());
  },
);
