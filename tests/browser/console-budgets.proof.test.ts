import { dataOf } from '@event-commerce/client';
import { orderBody } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { pick, useConsole } from './console.ts';
import { newFestival } from './festival.ts';

const { openWithKey, look, newCompany } = useConsole();

test('a budget is created, pays for a campaign, and shows how much of it is used', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const page = await openWithKey('/console/campaigns', key);
  await page.getByRole('link', { name: 'Budgets' }).click();
  await page.getByText('There is no budget').waitFor();
  await page.getByRole('link', { name: 'New budget' }).click();
  await page.getByLabel('Name').fill('Summer money');
  await page.getByLabel('Limit').fill('8');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByText('€8.00 in all').waitFor();
  await look(page, 'budget');

  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('link', { name: 'New campaign' }).click();
  await pick(page, 'Applies to', 'Summer');
  await page.getByText('More about the discount').click();
  await pick(page, 'Budget', 'Summer money');
  await page.getByLabel('Percent').fill('10');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();

  const items = [{ offeringId: festival.offering.id, quantity: 1 }];
  const body = orderBody(festival.event.companyId, { contextId: festival.event.id, items });
  await dataOf(client.POST('/v1/orders', { body: body as never }));
  await page.getByRole('link', { name: 'All campaigns' }).click();
  await page.getByRole('link', { name: 'Budgets' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Summer money' });
  await expect.poll(() => row.innerText()).toContain('€5.00 €3.00 left');
  await look(page, 'budgets');

  await row.getByRole('link', { name: 'Summer money' }).click();
  await page.getByLabel('Limit').fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('exhausted', { exact: true }).waitFor();
});
