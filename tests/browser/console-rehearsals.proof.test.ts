import { dataOf } from '@event-commerce/client';
import { orderBody } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { useConsole } from './console.ts';
import { newFestival } from './festival.ts';

const { openWithKey, look, newCompany } = useConsole();

test('a campaign is rehearsed on past orders, as in the form and as if it were not there', async () => {
  const { key, client } = await newCompany();
  const { event, offering } = await newFestival(client);
  const campaign = await dataOf(
    client.POST('/v1/pricing/adjustments', {
      body: {
        name: 'Friends',
        targets: [{ eventId: event.id }],
        conditions: { minQuantity: 2, maxRedemptions: 2 },
        effect: { kind: 'percentage_off', percent: 10 },
      },
    }),
  );
  for (const quantity of [1, 2, 3]) {
    const items = [{ offeringId: offering.id, quantity }];
    const body = orderBody(event.companyId, { contextId: event.id, items });
    await dataOf(client.POST('/v1/orders', { body: body as never }));
  }
  const page = await openWithKey(`/console/campaigns/${campaign.id}`, key);
  const rehearsal = page.getByRole('region', { name: 'Rehearsal' });
  const report = page.getByRole('region', { name: 'Report' });
  await page.getByLabel('Percent').fill('30');
  await rehearsal.getByRole('button', { name: 'Rehearse' }).click();
  await report.getByText('2 of 3 orders would have cost something else.').waitFor();
  await report.getByText('Pay less').waitFor();
  await report.locator('summary').first().click();
  const sides = report.locator('details[open] .waterfall');
  const paid = async () => (await sides.allInnerTexts()).map((text) => text.split('\n').at(-1));
  const before = (await sides.first().innerText()).replaceAll(/\s+/g, ' ');
  expect(before).toContain('Friends');
  expect(before).toContain('The buyer paid');
  expect(new Set(await paid()).size).toBe(2);
  await look(page, 'rehearsal');

  await rehearsal.getByLabel('If it had been').selectOption('without');
  await rehearsal.getByRole('button', { name: 'Rehearse' }).click();
  await report.getByText('Pay more').waitFor();
  await report.getByText('What this does not know').click();
  await report.getByText('Whether buyers would have bought more').waitFor();
  // Nothing was changed.
  const params = { path: { id: campaign.id } };
  const { data } = await client.GET('/v1/pricing/adjustments/{id}', { params });
  expect(data?.data).toMatchObject({ version: campaign.version, status: 'active', usage: { claimed: 2 } });
});
