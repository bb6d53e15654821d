import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { useConsole } from './console.ts';
import { newFestival } from './festival.ts';
import { waterfall } from './waterfall-rows.ts';

const { openWithKey, look, newCompany, url } = useConsole();

test('explains a price from the list price to what the buyer pays, and what did not apply', async () => {
  const { key, client } = await newCompany();
  await newFestival(client);
  const page = await openWithKey('/console/explain', key);
  await expect
    .poll(() => waterfall(page))
    .toEqual(['List price €50.00', 'Booking fee +€2.50', 'The buyer pays €52.50']);

  await page.getByLabel('Tickets').fill('4');
  await page.getByLabel('Codes').fill('summer20, free-beer');
  await expect
    .poll(() => waterfall(page))
    .toEqual([
      'List price €200.00',
      'Summer sale -€40.00',
      'Groups save -€20.00',
      'Booking fee +€2.50',
      'The buyer pays €142.50',
    ]);
  const reasons = page.locator('.reasons li');
  await expect.poll(() => reasons.filter({ hasText: 'Busloads save' }).innerText()).toContain('16 more tickets');
  expect(await reasons.filter({ hasText: 'Busloads save' }).innerText()).toContain(
    'Needs at least 20 tickets, the cart has 4.',
  );
  expect(await reasons.filter({ hasText: 'Members save' }).count()).toBe(1);
  expect(await page.locator('.codes').innerText()).toContain('unknown code');
  await look(page, 'explain');

  const colleague = await openWithKey(page.url().slice(url().length), key);
  await expect.poll(() => waterfall(colleague)).toContain('The buyer pays €142.50');
});

test('explains a stored cart', async () => {
  const { key, client } = await newCompany();
  const { offering } = await newFestival(client);
  const cart = await dataOf(
    client.POST('/v1/cart/sessions', {
      body: { items: [{ offeringId: offering.id, quantity: 2 }], coupons: ['summer20'] },
    }),
  );
  const page = await openWithKey('/console/explain', key);
  await page.getByText('Cart', { exact: true }).click();
  await page.getByRole('heading', { name: 'Which cart?' }).waitFor();
  await page.getByLabel('Cart session').fill(cart.id);
  await expect
    .poll(() => waterfall(page))
    .toEqual(['List price €100.00', 'Summer sale -€20.00', 'Booking fee +€2.50', 'The buyer pays €82.50']);
  await page.getByRole('link', { name: '2 × Standing' }).click();
  await expect
    .poll(() => page.locator('.reasons li').filter({ hasText: 'Groups save' }).innerText())
    .toContain('2 more tickets');
});
