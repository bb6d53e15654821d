import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A series in Berlin from 20:00 to 22:30, with two offerings. */
async function newSeries() {
  const { events } = services.newCompany();
  const series = await events.post('/events', {
    kind: 'series',
    name: 'Jazz',
    timezone: 'Europe/Berlin',
    startsAt: '2027-01-01T20:00',
    endsAt: '2027-01-01T22:30',
  });
  const { id } = series.body.data;
  const offer = async (name: string, more: object = {}) =>
    (await events.post(`/events/${id}/offerings`, { name, price: { amount: 2_000, currency: 'EUR' }, ...more })).body
      .data;
  const [hall, balcony] = [
    await offer('Hall', { capacity: 80, onSaleUntil: '2027-01-01T18:00', tags: ['hall'] }),
    await offer('Balcony', { capacity: 20 }),
  ];
  const path = `/events/${id}/instances`;
  return {
    events,
    hall,
    balcony,
    make: async (body: object) => events.post(`${path}/by-rule`, body),
    job: async (jobId: string) => (await events.get(`${path.replace('instances', 'date-jobs')}/${jobId}`)).body.data,
    instances: async () =>
      (await events.get(`/events?seriesId=${id}&sort=startsAt&limit=200`)).body.data.map((event: any) => [
        event.startsAt,
        event.endsAt,
      ]),
    offeringsOf: async (eventId: string) =>
      (await events.get(`/events/${eventId}/offerings`)).body.data.toSorted((a: any, b: any) =>
        a.name < b.name ? 1 : -1,
      ),
  };
}

const MARCH = { rule: 'FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20270403', startsAt: '2027-03-26T20:00' };

describe('the dates of a series by a rule', () => {
  test('are instances at the same clock time, each with the duration, and a capacity, of their own', async () => {
    const series = await newSeries();
    const { status, body } = await series.make({ ...MARCH, exclude: ['2027-04-02'], capacity: 60 });
    expect([status, body.data]).toMatchObject([201, { status: 'done', total: 3, leftAlone: [] }]);
    expect(await series.instances()).toEqual([
      ['2027-03-26T19:00:00.000Z', '2027-03-26T21:30:00.000Z'],
      ['2027-03-27T19:00:00.000Z', '2027-03-27T21:30:00.000Z'],
      ['2027-04-03T18:00:00.000Z', '2027-04-03T20:30:00.000Z'],
    ]);
    const first = (await series.events.get(`/events/${body.data.dates[0].eventId}`)).body.data;
    expect(first).toMatchObject({ name: 'Jazz', kind: 'instance', capacity: 60, overrides: ['startsAt', 'capacity'] });
    expect(await series.job(body.data.id)).toEqual(body.data);
  });

  test('are shown by a dry run, which makes none', async () => {
    const series = await newSeries();
    const { status, body } = await series.make({ ...MARCH, dryRun: true });
    expect([status, body.data]).toEqual([
      200,
      {
        status: 'preview',
        total: 4,
        dates: ['2027-03-26T19', '2027-03-27T19', '2027-04-02T18', '2027-04-03T18'].map((hour) => ({
          startsAt: `${hour}:00:00.000Z`,
        })),
        leftAlone: [],
      },
    ]);
    expect(await series.instances()).toEqual([]);
  });

  test('are made once: a repeat leaves each as it is, even if it was moved, and a longer rule adds what is missing', async () => {
    const series = await newSeries();
    const { dates } = (await series.make(MARCH)).body.data;
    await series.events.patch(`/events/${dates[0].eventId}`, { startsAt: '2027-03-25T20:00' });
    const byHand = await series.events.post('/events', {
      seriesId: (await series.events.get(`/events/${dates[0].eventId}`)).body.data.seriesId,
      startsAt: '2027-04-09T20:00',
    });
    const longer = (await series.make({ ...MARCH, rule: 'FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20270410' })).body.data;
    expect([longer.total, longer.dates.length]).toEqual([6, 1]);
    const existing = { reason: 'existing', why: 'The series has this date already.' };
    expect(longer.leftAlone.slice(0, 4)).toEqual(dates.map((date: object) => ({ ...date, ...existing })));
    expect(longer.leftAlone[4]).toMatchObject({ eventId: byHand.body.data.id, ...existing });
    expect(await series.instances()).toHaveLength(6);
    const all = await Promise.all(Array.from({ length: 4 }, async () => series.make(MARCH)));
    expect(all.map(({ body }) => body.data.dates)).toEqual([[], [], [], []]);
  });

  test('have the offerings of the series, each with its own count and the end of its sale', async () => {
    const series = await newSeries();
    const { dates } = (await series.make({ ...MARCH, offerings: 'copy' })).body.data;
    const [first, last] = [await series.offeringsOf(dates[0].eventId), await series.offeringsOf(dates[3].eventId)];
    expect(first).toMatchObject([
      { name: 'Hall', capacity: 80, tags: ['hall'], onSaleUntil: '2027-03-26T17:00:00.000Z', version: 1 },
      { name: 'Balcony', capacity: 20, price: { amount: 2_000, currency: 'EUR' } },
    ]);
    expect(last[0]).toMatchObject({ onSaleUntil: '2027-04-03T16:00:00.000Z', availability: { left: 80 } });
    expect(new Set([...first, ...last].map(({ id }) => id)).size).toBe(4);
    await series.make({ ...MARCH, offerings: 'copy' });
    expect(await series.offeringsOf(dates[0].eventId)).toEqual(first);

    const later = (
      await series.make({ rule: 'FREQ=DAILY;COUNT=1', startsAt: '2027-05-01T20:00', offerings: [series.balcony.id] })
    ).body.data;
    expect(await series.offeringsOf(later.dates[0].eventId)).toMatchObject([{ name: 'Balcony' }]);
  });

  test('may take longer than a request if there are many', async () => {
    const series = await newSeries();
    const { status, body } = await series.make({ rule: 'FREQ=DAILY;COUNT=365', startsAt: '2027-01-01T20:00' });
    expect([201, 202]).toContain(status);
    expect(body.data.total).toBe(365);
    await expect.poll(async () => (await series.job(body.data.id)).status, { timeout: 30_000 }).toBe('done');
    const { dates } = await series.job(body.data.id);
    expect([dates.length, new Set(dates.map(({ eventId }: any) => eventId)).size]).toEqual([365, 365]);
  });

  test.each([
    [{ rule: 'FREQ=WEEKLY', startsAt: '2027-01-01T20:00' }, 'rule', 'must have an end'],
    [{ rule: 'FREQ=DAILY;COUNT=2' }, 'startsAt', ''],
    [{ ...MARCH, exclude: ['24.12.2027'] }, 'exclude[0]', 'must be a day, such as 2027-12-24'],
    [{ ...MARCH, offerings: ['off_other'] }, 'offerings[0]', 'is off_other, which is no offering of the series'],
    [{ ...MARCH, rrule: 'x' }, 'rrule', 'rule'],
  ])('are refused for %j, naming the field', async (body, path, message) => {
    const series = await newSeries();
    const refused = await series.make(body);
    expect([refused.status, refused.body.error.details[0]]).toMatchObject([
      400,
      { path, message: expect.stringContaining(message) },
    ]);
    expect(await series.instances()).toEqual([]);
  });

  test('are found only in their own series and company', async () => {
    const series = await newSeries();
    const { id } = (await series.make({ ...MARCH, rule: 'FREQ=DAILY;COUNT=1' })).body.data;
    const other = await newSeries();
    expect(await other.job(id)).toBeUndefined();
    const single = (await series.events.post('/events', { name: 'Gala' })).body.data;
    const refused = await series.events.post(`/events/${single.id}/instances/by-rule`, MARCH);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'SERIES_NOT_FOUND']);
  });
});
