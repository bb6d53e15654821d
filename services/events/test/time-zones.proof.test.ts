import type { ApiClient } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const BERLIN = { startsAt: '2031-07-10T20:00:00', endsAt: '2031-07-10T23:30:00', timezone: 'Europe/Berlin' };
const WINDOW = { onSaleFrom: '2031-01-10T10:00:00', onSaleUntil: '2031-07-10T20:00:00' };

async function made(api: ApiClient, path: string, body: object): Promise<any> {
  const reply = await api.post(path, body);
  expect([path, reply.status, reply.body.error]).toEqual([path, 201, undefined]);
  return reply.body.data;
}

async function changed(api: ApiClient, path: string, body: object): Promise<any> {
  const reply = await api.patch(path, body);
  expect([path, reply.status, reply.body.error]).toEqual([path, 200, undefined]);
  return reply.body.data;
}

const read = async (api: ApiClient, path: string) => (await api.get(path)).body.data;
const offer = async (api: ApiClient, { id }: { id: string }, more: object = WINDOW) =>
  `/offerings/${(await made(api, `/events/${id}/offerings`, { ...ticket, ...more })).id}`;

describe('a new time zone', () => {
  test('keeps the clock times of the event and of its sale windows, and the response shows the new instants', async () => {
    const api = services.newCompany().events;
    const event = await made(api, '/events', { name: 'Gala', ...BERLIN });
    const offering = await offer(api, event);
    const open = await offer(api, event, {});
    expect(await changed(api, `/events/${event.id}`, { timezone: 'America/New_York' })).toMatchObject({
      startsAt: '2031-07-11T00:00:00.000Z',
      endsAt: '2031-07-11T03:30:00.000Z',
      version: 2,
    });
    expect(await read(api, offering)).toMatchObject({
      onSaleFrom: '2031-01-10T15:00:00.000Z',
      onSaleUntil: '2031-07-11T00:00:00.000Z',
      version: 2,
    });
    expect(await read(api, open)).toMatchObject({ version: 1 });
  });

  test('keeps the clock times of an event that is sent back whole, except times changed with it', async () => {
    const api = services.newCompany().events;
    const event = await made(api, '/events', { name: 'Gala', ...BERLIN });
    const path = `/events/${event.id}`;
    const inTokyo = await changed(api, path, { ...event, timezone: 'Asia/Tokyo' });
    expect(inTokyo).toMatchObject({ startsAt: '2031-07-10T11:00:00.000Z', endsAt: '2031-07-10T14:30:00.000Z' });
    const again = { timezone: 'Europe/Berlin', startsAt: '2031-07-10T21:00:00', endsAt: '2031-07-10T22:00:00Z' };
    expect(await changed(api, path, again)).toMatchObject({
      startsAt: '2031-07-10T19:00:00.000Z',
      endsAt: '2031-07-10T22:00:00.000Z',
    });
  });

  test('of an event that had none keeps the instants, and so does removing it', async () => {
    const api = services.newCompany().events;
    const { timezone: _none, ...times } = BERLIN;
    const event = await made(api, '/events', { name: 'Gala', ...times });
    const offering = await offer(api, event);
    const path = `/events/${event.id}`;
    for (const timezone of ['Europe/Berlin', null]) {
      expect(await changed(api, path, { timezone })).toMatchObject({ startsAt: '2031-07-10T20:00:00.000Z' });
      expect(await read(api, offering)).toMatchObject({ onSaleUntil: '2031-07-10T20:00:00.000Z' });
    }
    await changed(api, path, { timezone: 'Europe/Berlin' });
    await changed(api, path, { timezone: 'Europe/London' });
    expect(await read(api, offering)).toMatchObject({ onSaleUntil: '2031-07-10T21:00:00.000Z' });
  });

  test('of a series keeps the clock times of its instances and their offerings, except those with a zone of their own', async () => {
    const api = services.newCompany().events;
    const series = await made(api, '/events', { kind: 'series', name: 'Jazz', ...BERLIN });
    const instance = async (own: object) => {
      const { id } = await made(api, `/events/${series.id}/instances`, own);
      return { path: `/events/${id}`, offering: await offer(api, { id }) };
    };
    const inheriting = await instance({});
    const moved = await instance({ startsAt: '2031-08-10T19:00:00' });
    const abroad = await instance({ startsAt: '2031-08-10T19:00:00', timezone: 'Asia/Tokyo' });
    await changed(api, `/events/${series.id}`, { timezone: 'America/New_York' });
    expect(await read(api, inheriting.path)).toMatchObject({
      startsAt: '2031-07-11T00:00:00.000Z',
      overrides: [],
      version: 1,
    });
    expect(await read(api, moved.path)).toMatchObject({
      startsAt: '2031-08-10T23:00:00.000Z',
      endsAt: '2031-08-11T02:30:00.000Z',
      overrides: ['startsAt'],
      version: 2,
    });
    expect(await read(api, abroad.path)).toMatchObject({ startsAt: '2031-08-10T10:00:00.000Z', version: 1 });
    for (const { offering } of [inheriting, moved]) {
      expect(await read(api, offering)).toMatchObject({ onSaleUntil: '2031-07-11T00:00:00.000Z', version: 2 });
    }
    expect(await read(api, abroad.offering)).toMatchObject({ onSaleUntil: '2031-07-10T11:00:00.000Z', version: 1 });
    // The instance is found by its new start.
    const found = await api.get('/events?from=2031-08-10T22:59:59Z&to=2031-08-10T23:00:01Z');
    expect(found.body.data).toMatchObject([{ startsAt: '2031-08-10T23:00:00.000Z' }]);
  });

  test('of an instance makes its inherited clock times its own, and reverting the zone moves them back', async () => {
    const api = services.newCompany().events;
    const series = await made(api, '/events', { kind: 'series', name: 'Jazz', ...BERLIN });
    const { id } = await made(api, `/events/${series.id}/instances`, {});
    const path = `/events/${series.id}/instances/${id}`;
    expect(await changed(api, path, { timezone: 'Europe/Paris' })).toMatchObject({ overrides: ['timezone'] });
    expect(await changed(api, path, { timezone: 'Europe/London' })).toMatchObject({
      startsAt: '2031-07-10T19:00:00.000Z',
      endsAt: '2031-07-10T22:30:00.000Z',
      overrides: ['startsAt', 'timezone'],
    });
    expect(await api.post(`${path}/revert`, { fields: ['timezone'] })).toMatchObject({ status: 200 });
    expect(await read(api, `/events/${id}`)).toMatchObject({
      startsAt: '2031-07-10T18:00:00.000Z',
      endsAt: '2031-07-10T21:30:00.000Z',
      overrides: ['startsAt'],
    });
  });

  test('applies to everything that is created or changed while the series gets it', async () => {
    const api = services.newCompany().events;
    const series = await made(api, '/events', { kind: 'series', name: 'Jazz', ...BERLIN });
    const zones = ['America/New_York', 'Asia/Tokyo', 'Europe/London', 'Europe/Berlin', 'Australia/Sydney'];
    const days = Array.from({ length: 12 }, (_, n) => `2031-08-${String(n + 1).padStart(2, '0')}`);
    const [instances] = await Promise.all([
      Promise.all(
        days.map(async (day) => {
          const { id } = await made(api, `/events/${series.id}/instances`, { startsAt: `${day}T19:00:00+02:00` });
          return { id, offering: await offer(api, { id }) };
        }),
      ),
      ...zones.map(async (timezone) => changed(api, `/events/${series.id}`, { timezone })),
    ]);
    const { timezone } = await read(api, `/events/${series.id}`);
    const clock = (time: string) => Temporal.Instant.from(time).toZonedDateTimeISO(timezone).toPlainDateTime();
    const { startsAt } = await read(api, `/events/${series.id}`);
    expect(clock(startsAt).toString()).toBe('2031-07-10T20:00:00');
    for (const { offering } of instances) {
      // A window without a zone is in the zone that the event had at that moment.
      const { onSaleUntil } = await read(api, offering);
      expect(clock(onSaleUntil).toString()).toBe('2031-07-10T20:00:00');
    }
  });
});
