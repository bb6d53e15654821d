import type { TicketedEvent } from '@event-commerce/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';
import { insertEvents } from './insert-events.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 1 });
});
afterAll(async () => events?.stop());

test('a list of events is refused where its conditions match more series than one list can have instances of', async () => {
  const { companyId, api } = events.newCompany();
  const seriesNamed = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({
      kind: 'series' as const,
      ownId: `evt_${from + n}`.padEnd(250, 'x'),
      own: { name: 'Gala', status: 'published' as const, tags: [] },
    }));
  const series = seriesNamed(0, 3_900);
  const [{ ownId: seriesId }] = series as [(typeof series)[0]];
  const instance = { kind: 'instance' as const, seriesId, own: {} };
  // In the order of ids, which is that of the list.
  await insertEvents(events.models, companyId, [...series, instance]);
  const names = async (query: string) => {
    const { status, body } = await api().get(`/events?limit=1&${query}`);
    return status === 200 ? body.data.map(({ name, kind }: TicketedEvent) => `${kind} ${name}`) : body.error;
  };
  for (const query of ['q=gala', 'status=published', 'sort=startsAt']) {
    expect(await names(query)).toEqual(['instance Gala']);
  }
  await insertEvents(events.models, companyId, seriesNamed(4_000, 4_200));
  for (const query of ['q=gala', 'status=published', 'kind=instance&q=gala', 'sort=startsAt']) {
    expect(await names(query)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'seriesId', message: expect.stringContaining('send kind=single or kind=series') }],
    });
  }
  expect(await names('')).toEqual(['series Gala']);
  expect(await names('kind=series&q=gala')).toEqual(['series Gala']);
  expect(await names('kind=single&status=published')).toEqual([]);
  expect(await names(`seriesId=${seriesId}&q=gala`)).toEqual(['instance Gala']);
});
