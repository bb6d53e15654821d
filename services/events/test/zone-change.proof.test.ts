import { expect, test } from 'vitest';
import { startServices } from '../../../tests/harness/services.ts';
import { allPages } from './pages.ts';
import { ticket } from './tickets.ts';

const INSTANCES = 60;

test('a change of the time zone that is interrupted by a kill reaches every instance and offering exactly once', async () => {
  const services = await startServices({ replicas: { events: 1 }, asProcesses: ['events'], claimTtlMs: 500 });
  try {
    const { events: api } = services.newCompany();
    const series = (await api.post('/events', { kind: 'series', name: 'Jazz', timezone: 'Europe/Berlin' })).body.data;
    const made = await Promise.all(
      Array.from({ length: INSTANCES }, async () => {
        const startsAt = '2031-07-10T20:00:00';
        const { id } = (await api.post(`/events/${series.id}/instances`, { startsAt })).body.data;
        const sale = { ...ticket, onSaleUntil: startsAt };
        return (await api.post(`/events/${id}/offerings`, sale)).body.data.id as string;
      }),
    );
    const starts = async (): Promise<unknown[]> =>
      (await allPages(api, `/events?seriesId=${series.id}`, 100)).map(({ startsAt, version }) => [startsAt, version]);
    const windows = async (): Promise<unknown[]> =>
      Promise.all(
        made.map(async (id) => {
          const { onSaleUntil, version } = (await api.get(`/offerings/${id}`)).body.data;
          return [onSaleUntil, version];
        }),
      );
    const moved = ['2031-07-11T00:00:00.000Z', 2];

    const [process] = services.replicas.events;
    const changed = api.patch(`/events/${series.id}`, { timezone: 'America/New_York' }).catch(() => undefined);
    await expect.poll(starts, { interval: 5, timeout: 10_000 }).toContainEqual(moved);
    await process?.kill9();
    await changed;
    await process?.restart();

    const everywhere = Array.from({ length: INSTANCES }, () => moved);
    await expect.poll(starts, { timeout: 30_000 }).toEqual(everywhere);
    await expect.poll(windows, { timeout: 30_000 }).toEqual(everywhere);
  } finally {
    await services.stop();
  }
});
