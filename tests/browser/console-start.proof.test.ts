import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { useConsole } from './console.ts';
import { newFestival, placeOrder } from './festival.ts';

const { openWithKey, look, newCompany } = useConsole();

test('a new company is led to its first order, and then sees what it sells', async () => {
  const { key, client } = await newCompany();
  const page = await openWithKey('/console', key);
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  await expect.poll(() => steps.count()).toBe(4);
  const current = async () => await page.locator('[aria-current="step"] h3').innerText();
  expect(await current()).toBe('Create an event');
  await look(page, 'start-empty');

  const event = await dataOf(client.POST('/v1/events', { body: { name: 'Gala', startsAt: '2027-12-31T20:00' } }));
  await page.reload();
  await expect.poll(current).toBe('Add what it sells');
  const params = { path: { id: event.id } };
  const price = { amount: 12_000, currency: 'EUR' };
  const body = { name: 'Seat', price, capacity: 10 };
  const offering = await dataOf(client.POST('/v1/events/{id}/offerings', { params, body }));
  await page.reload();
  await expect.poll(current).toBe('Make a code');
  await dataOf(client.POST('/v1/coupons', { body: { code: 'EARLY', percentOff: 10 } }));
  await page.reload();
  await expect.poll(current).toBe('Take the first order');
  await look(page, 'start-steps', { accessible: false });

  await placeOrder(client, { event, offering }, { orderNumber: 'GALA-1', quantity: 9 });
  await page.reload();
  const section = (name: string) => page.getByRole('region', { name });
  await expect.poll(() => section('Nearly sold out').innerText()).toMatch(/Gala[^]*9 sold, 1 left/);
  await expect.poll(() => section('What sells most').innerText()).toMatch(/Gala[^]*9 sold/);
  await expect
    .poll(async () => {
      // Sales are counted a moment after they happen.
      if (!(await section('What sells').first().innerText()).includes('1,080')) await page.reload();
      return await section('What sells').first().innerText();
    })
    .toMatch(/Today\s+€1,080.00\s+1 order, 9 tickets/);
  await expect.poll(() => section('What needs attention').innerText()).toContain('Nothing:');
});

test('the start page names what is wrong, and leads there', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  await placeOrder(client, festival, { orderNumber: 'FESTIVAL-1', quantity: 3 });
  await dataOf(client.POST('/v1/events', { body: { name: 'Nothing to buy', startsAt: '2027-12-31T20:00' } }));
  const page = await openWithKey('/console', key);
  const wrong = page.getByRole('region', { name: 'What needs attention' });
  await wrong.getByRole('link', { name: /Nothing to buy.* sells nothing yet/ }).waitFor();
  await look(page, 'start');
  await wrong.getByRole('link', { name: /Nothing to buy/ }).click();
  await page.getByRole('heading', { name: 'Nothing to buy' }).waitFor();
  await expect.poll(() => page.getByText('Nothing is sold yet').isVisible()).toBe(true);
});
