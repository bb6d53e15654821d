import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { pick, useConsole } from './console.ts';
import { newFestival, placeOrder } from './festival.ts';

const { openWithKey, look, agree, newCompany } = useConsole();

test('a series is created, gets dates by a rule and an offering, sells, and shows the order', async () => {
  const { key, client } = await newCompany();
  const page = await openWithKey('/console/events', key);
  await page.getByRole('heading', { name: 'No event is coming up' }).waitFor();
  await page.getByRole('link', { name: 'New series' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Tuesday jazz');
  await pick(page, 'Time zone', 'berlin');
  await page.getByLabel('Start', { exact: true }).fill('2027-01-05T20:00');
  await page.getByLabel('End', { exact: true }).fill('2027-01-05T19:00');
  await page.getByText('It must be after the start.').waitFor();
  await page.getByLabel('End', { exact: true }).fill('2027-01-05T22:30');
  await page.getByLabel('Capacity').fill('120');
  await page.getByLabel('Status').selectOption('draft');
  await look(page, 'event-new');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved.').waitFor();

  await page.getByRole('button', { name: 'Add an offering' }).click();
  await page.getByLabel('Offering', { exact: true }).fill('Entry');
  await page.getByLabel('Price').fill('25.999');
  await page.getByRole('button', { name: 'Put on sale' }).click();
  await page.getByText('Enter an amount in EUR, such as 50.').waitFor();
  await page.getByLabel('Price').fill('25');
  await page.getByLabel('Max per order').fill('6');
  await page.getByRole('button', { name: 'Put on sale' }).click();
  await page.getByRole('button', { name: 'Edit Entry' }).waitFor();
  await look(page, 'event');

  await page.getByRole('link', { name: 'Dates' }).click();
  await page.getByLabel('From', { exact: true }).fill('2027-01-05');
  await page.getByLabel('Until').fill('2027-03-31');
  await page.getByLabel('Not on').fill('2027-02-09');
  await page.getByText('FREQ=WEEKLY;BYDAY=TU;UNTIL=20270331').waitFor();
  await page.getByRole('button', { name: 'Add 12 dates' }).waitFor();
  await page.getByText('12 dates: Jan 5, 2027 to Mar 30, 2027.').waitFor();
  await page.getByRole('button', { name: 'Add 12 dates' }).click();
  await page.getByText('Done: the series has all 12 dates.').waitFor();
  const day = (label: RegExp) => page.getByRole('link', { name: label });
  await day(/^Tuesday, January 5, 2027: 20:00 Tuesday jazz, not on sale$/).waitFor();
  await page.getByText('12 dates, all of which are there already').waitFor();
  await look(page, 'dates');

  await page.getByRole('link', { name: 'Series', exact: true }).click();
  await page.getByLabel('Status').selectOption('published');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'Dates' }).click();
  // With the keyboard: to the second date, and open it.
  await day(/January 5.*on sale/).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate('document.activeElement.dataset.day')).toBe('2027-01-12');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Tuesday, January 12, 2027' }).waitFor();
  await page.getByRole('region', { name: 'The day' }).getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Jazz for beginners');
  await page.getByLabel('Capacity').fill('80');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Revert Capacity' }).waitFor();
  await look(page, 'event-date');

  const query = { kind: 'instance', limit: 200 } as const;
  const dates = await dataOf(client.GET('/v1/events', { params: { query } }));
  const second = dates.find(({ startsAt }) => startsAt === '2027-01-12T19:00:00.000Z');
  if (second === undefined) throw new Error('there is no second date');
  const params = { path: { id: second.id } };
  const [offering] = await dataOf(client.GET('/v1/events/{id}/offerings', { params }));
  if (offering === undefined) throw new Error('the second date has no offering');
  await placeOrder(client, { event: second, offering }, { orderNumber: 'JAZZ-1', quantity: 4 });
  const bar = page.locator('.bars li').filter({ hasText: 'Entry' });
  await expect.poll(() => bar.innerText()).toMatch(/4 sold[^]*76 left/);
  await page.getByRole('button', { name: 'Revert Capacity' }).click();
  expect(await agree(page, 'Revert')).toContain('It is 80 now, and becomes 120');
  await page.getByRole('button', { name: 'Revert Capacity' }).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Capacity').inputValue()).toBe('120');
  await expect.poll(() => bar.innerText()).toContain('116 left');
  await page.getByRole('link', { name: 'Sales', exact: true }).last().click();
  await page.getByRole('link', { name: 'JAZZ-1' }).waitFor();
  await page.getByRole('link', { name: 'the dates of the series' }).click();
  await day(/January 12.*Jazz for beginners, on sale, differs from the series/).click();
  await page.getByText('Series: Tuesday jazz').waitFor();
  expect(await page.getByRole('region', { name: 'The day' }).innerText()).toContain('4 sold, 116 left');
  await look(page, 'dates-day');
});

test('many dates are changed after a preview of which change, and which are left alone', async () => {
  const { key, client } = await newCompany();
  const startsAt = '2027-01-05T20:00';
  const body = { kind: 'series', name: 'Tuesday jazz', timezone: 'Europe/Berlin', startsAt } as const;
  const { id } = await dataOf(client.POST('/v1/events', { body }));
  const params = { path: { seriesId: id } };
  const rule = { rule: 'FREQ=WEEKLY;COUNT=12', startsAt };
  const made = await dataOf(client.POST('/v1/events/{seriesId}/instances/by-rule', { params, body: rule }));
  const last = { id: made.dates.at(-1)?.eventId ?? '' };
  await dataOf(client.PATCH('/v1/events/{id}', { params: { path: last }, body: { startsAt: '2027-03-23T18:00' } }));
  const page = await openWithKey(`/console/events/${id}?show=dates&year=2027`, key);
  await page.getByRole('button', { name: 'Change many dates' }).click();
  await page.getByLabel('From', { exact: true }).fill('2027-03-01');
  await page.getByLabel('New start').fill('20:30');
  await page.getByText('3 dates would be changed: Mar 2, 2027 to Mar 16, 2027. 1 date would be left alone:').waitFor();
  await page.getByText('It has values that were set for this date alone: startsAt "18:00".').waitFor();
  await look(page, 'dates-change');
  await page.getByRole('button', { name: 'Change 3 dates' }).click();
  await page.getByText('3 dates changed: Mar 2, 2027 to Mar 16, 2027. 1 date left alone:').waitFor();
  await page.getByRole('link', { name: /March 16.*: 20:30 Tuesday jazz/ }).waitFor();
  const moved = { id: made.dates.at(-2)?.eventId ?? '' };
  expect(await dataOf(client.GET('/v1/events/{id}', { params: { path: moved } }))).toMatchObject({
    startsAt: '2027-03-16T19:30:00.000Z',
  });
});

test('events are found by name, status and kind, and what the platform refuses is shown at its field', async () => {
  const { key, client } = await newCompany();
  const { event } = await newFestival(client);
  await dataOf(
    client.POST('/v1/events', { body: { name: 'Winter gala', status: 'draft', startsAt: '2027-12-01T19:00' } }),
  );
  const page = await openWithKey('/console/events', key);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('Winter gala').waitFor();
  expect(await page.getByRole('row').nth(1).innerText()).toContain('Summer festival');
  await page.getByLabel('Status').selectOption('draft');
  await row('Summer festival').waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('');
  await page.getByLabel('Search').fill('fest');
  await row('Winter gala').waitFor({ state: 'detached' });
  expect(await row('Summer festival').innerText()).toMatch(/0 sold, 100 left[^]*From €50.00/);
  await look(page, 'events');
  await page.getByRole('link', { name: 'Summer festival', exact: true }).click();
  await page.getByLabel('Tags').fill(`${'x'.repeat(300)}, open-air`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Nothing was saved: see the marked fields.').waitFor();
  expect(await page.getByLabel('Tags').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Tags').fill('open-air');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  const params = { path: { id: event.id } };
  expect(await dataOf(client.GET('/v1/events/{id}', { params }))).toMatchObject({
    tags: ['open-air'],
    startsAt: event.startsAt,
  });
});

test('an event is called off once a dialog says what will happen; the report says what to pay back; it is undone', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  await placeOrder(client, festival, { orderNumber: 'STORM-1', quantity: 2 });
  const page = await openWithKey(`/console/events/${festival.event.id}`, key);
  await page.getByRole('link', { name: 'Call off' }).click();
  await page.getByText('1 placed order with 2 tickets is cancelled.').waitFor();
  await page.getByText('It was placed for €102.50.').waitFor();
  await page.getByLabel('Reason').fill('A storm is coming');
  await look(page, 'call-off');
  await page.getByRole('button', { name: 'Call off' }).click();
  const report = page.getByRole('region', { name: 'Called off' });
  await expect.poll(() => report.innerText()).toMatch(/1 order with 2 tickets[^]*€102.50/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the report (CSV)' }).click();
  expect((await download).suggestedFilename()).toBe(`called-off-${festival.event.id}.csv`);
  await look(page, 'called-off');
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await agree(page, 'Undo the call-off')).toContain('reopen one order at a time');
  await page.getByRole('link', { name: 'Call off' }).waitFor();
});
