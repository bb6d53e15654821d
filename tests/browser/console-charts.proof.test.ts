import { readFile } from 'node:fs/promises';
import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { useConsole } from './console.ts';
import { newFestival, placeOrder } from './festival.ts';

const { openWithKey, look, newCompany } = useConsole();

test('charts show what was sold, also to people who cannot see them, and can be saved', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  await placeOrder(client, festival, { orderNumber: 'ONLINE-1', quantity: 2, coupons: ['summer20'] });
  await placeOrder(client, festival, { orderNumber: 'ONLINE-2', quantity: 3 });
  const [newest] = await dataOf(client.GET('/v1/orders'));
  await dataOf(client.POST('/v1/orders/{id}/cancel', { params: { path: { id: newest?.id ?? '' } } }));
  const from = new Date(Date.now() - 86_400_000).toISOString();
  await expect
    .poll(async () => (await dataOf(client.GET('/v1/sales', { params: { query: { from } } }))).totals[0]?.orders)
    .toMatchObject({ placed: 2, cancelled: 1 });

  const page = await openWithKey('/console/charts', key);
  const chart = (name: string) => page.getByRole('region', { name, exact: true });
  const orders = chart('Orders').getByRole('img');
  await orders.locator('canvas').waitFor();
  expect(await orders.getAttribute('aria-label')).toMatch(
    /Placed: 2 altogether, most at .*: 2. Cancelled: 1 altogether/,
  );
  expect(await chart('Tickets').locator('.chart-legend').innerText()).toMatch(/Sold 5\s+Returned 3/);
  expect(await chart('Revenue').locator('.chart-legend').innerText()).toContain('Charged €');
  expect(await chart('Codes and campaigns').innerText()).toContain('SUMMER20 1');
  await chart('Tickets').getByText('As a table').click();
  await expect.poll(() => chart('Tickets').getByRole('table').innerText()).toMatch(/5\s+3/);
  await look(page, 'charts');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Orders, tickets and revenue as CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('sales-all-events.csv');
  expect((await readFile(await file.path(), 'utf8')).split('\n').length).toBeGreaterThan(1);

  await page.goto(`${new URL(page.url()).origin}/console/charts?event=${festival.event.id}&days=1`);
  await orders.locator('canvas').waitFor();
  expect(await page.getByRole('combobox', { name: 'Of' }).inputValue()).toContain('Summer festival');
  await chart('Orders').getByText('As a table').click();
  await expect.poll(() => chart('Orders').getByRole('rowheader').count()).toBeGreaterThan(0);
});
