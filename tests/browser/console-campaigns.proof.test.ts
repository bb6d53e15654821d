import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { useConsole } from './console.ts';
import { newFestival, redeem, total } from './festival.ts';
import { waterfall } from './waterfall-rows.ts';

const { openWithKey, look, newCompany, url } = useConsole();

test('a campaign is created and changed, and the price beside its form shows what it does', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const { event } = festival;
  const page = await openWithKey('/console/campaigns', key);
  await page.getByRole('link', { name: 'New campaign' }).click();
  await expect.poll(() => page.title()).toBe('New campaign · Event Commerce');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.getByLabel('Name').fill('Early birds');
  await page.getByLabel('Percent').fill('10');
  await page.getByLabel('Applies to').selectOption(`event/${event.id}`);
  await page.getByLabel('Redemptions').fill('0.5');
  await page.getByText('Enter a whole number, 0 or more.').waitFor();
  await page.getByLabel('Redemptions').fill('4');
  const change = page.locator('.change');
  await expect.poll(() => change.innerText()).toContain('€47.50 instead of €52.50');
  expect(await waterfall(page)).toContain('Early birds -€5.00');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await expect.poll(() => change.innerText()).toContain('€47.50 as without the change');

  await page.getByLabel('Effect', { exact: true }).selectOption('tiered');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByLabel('From tickets', { exact: true }).last().fill('2');
  await page.getByLabel('Percent off', { exact: true }).last().fill('20');
  await page.getByLabel('Tickets', { exact: true }).last().fill('2');
  await expect.poll(() => change.innerText()).toContain('€82.50 instead of €92.50');
  await look(page, 'campaign');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => change.innerText()).toContain('€82.50 as without the change');
  expect(await total(client, festival, 2)).toBe(8250);
  await page.getByRole('link', { name: 'All campaigns' }).click();
  await page.getByRole('row').filter({ hasText: 'Early birds' }).waitFor();
});

test('the list of campaigns counts what is redeemed, and pauses and activates', async () => {
  const { key, client } = await newCompany();
  const effect = { kind: 'percentage_off' as const, percent: 10 };
  const targets = [{ urn: 'urn:v1::events:event/*' }];
  const body = { name: 'Early birds', targets, effect, conditions: { maxRedemptions: 4 } };
  const { id } = await dataOf(client.POST('/v1/pricing/adjustments', { body }));
  const page = await openWithKey('/console/campaigns', key);
  const row = page.getByRole('row').filter({ hasText: 'Early birds' });
  await expect.poll(() => row.innerText()).toContain('0 of 4');
  await redeem(client, id);
  await expect.poll(() => row.innerText()).toContain('1 of 4');
  await look(page, 'campaigns');

  await row.getByRole('button', { name: 'Pause' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('paused');
  await row.getByRole('button', { name: 'Activate' }).click();
  await page.getByText('No campaign matches').waitFor();
});

test('amounts are in the currency that the event sells in', async () => {
  const { key, client } = await newCompany();
  const event = await dataOf(client.POST('/v1/events', { body: { name: 'Gala' } }));
  const seat = { name: 'Seat', price: { amount: 12_000, currency: 'JPY' } };
  await dataOf(client.POST('/v1/events/{id}/offerings', { params: { path: { id: event.id } }, body: seat }));
  const page = await openWithKey('/console/campaigns/new', key);
  await page.getByLabel('Applies to').selectOption(`event/${event.id}`);
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('JPY');
  await page.getByLabel('At most', { exact: true }).fill('500');
  await page.getByLabel('Order total, at least').fill('10000');
  const change = page.locator('.change');
  await expect.poll(() => change.innerText()).toContain('¥11,500 instead of ¥12,000');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => change.innerText()).toContain('¥11,500 as without the change');
  const stored = await dataOf(client.GET('/v1/pricing/adjustments'));
  expect(stored).toMatchObject([
    {
      effect: { maxAmount: 500, currency: 'JPY' },
      conditions: { minOrderTotal: { amount: 10_000, currency: 'JPY' } },
    },
  ]);

  await page.goto(`${url()}/console/coupons/new`);
  await page.getByText('Amount', { exact: true }).click();
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('JPY');
});

test('a page of a list whose last row is gone links to the page before', async () => {
  const { key, client } = await newCompany();
  const fees = Array.from({ length: 51 }, async (_, n) => {
    const effect = { kind: 'amount_surcharge' as const, amount: 100, currency: 'EUR' };
    const targets = [{ urn: 'urn:v1::events:event/*' }];
    await dataOf(client.POST('/v1/pricing/adjustments', { body: { name: `Fee ${n}`, targets, effect } }));
  });
  await Promise.all(fees);
  const page = await openWithKey('/console/campaigns', key);
  await page.getByRole('button', { name: 'Older' }).click();
  const rows = page.locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Nothing is left on this page').waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect.poll(() => rows.count()).toBe(50);
});

test('a form asks before its changes are lost, and says when they are saved', async () => {
  const { key, client } = await newCompany();
  const effect = { kind: 'percentage_off' as const, percent: 10 };
  const targets = [{ urn: 'urn:v1::events:event/*' }];
  const body = { name: 'Early birds', status: 'paused' as const, targets, effect };
  await dataOf(client.POST('/v1/pricing/adjustments', { body }));
  const page = await openWithKey('/console/campaigns', key);
  await page.getByLabel('Status').selectOption('paused');
  await page.getByRole('link', { name: 'Early birds' }).click();
  const asked: string[] = [];
  let leaves = false;
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (leaves ? dialog.accept() : dialog.dismiss());
  });
  const name = page.getByLabel('Name');
  await name.fill('Late birds');
  await page.getByRole('link', { name: 'All campaigns' }).click();
  await page.goBack();
  expect(await name.inputValue()).toBe('Late birds');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Late birds' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Late birds' }).waitFor();
  expect(await page.getByText('Saved.', { exact: true }).count()).toBe(0);

  await name.fill('Night owls');
  leaves = true;
  await page.getByRole('link', { name: 'All campaigns' }).click();
  await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'Leave without saving your changes?'));
});

test('a coupon is created, seen in the price beside its form, changed and archived', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const page = await openWithKey('/console/campaigns', key);
  const change = page.locator('.change');
  await page.getByRole('link', { name: 'New coupon' }).click();
  await page.getByText('Enter the code that buyers type.').waitFor();
  await page.getByLabel('Code').fill('friends');
  await page.getByLabel('Percent', { exact: true }).fill('50');
  await page.getByLabel('Applies to').selectOption(`event/${festival.event.id}`);
  await expect.poll(() => change.innerText()).toContain('€27.50 instead of €52.50');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => change.innerText()).toContain('€27.50 as without the change');
  await page.getByLabel('Percent', { exact: true }).fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await total(client, festival, 1, ['friends'])).toBe(3750);
  await look(page, 'coupon', { accessible: false });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('archived', { exact: true }).waitFor();
  expect(await total(client, festival, 1, ['friends'])).toBe(5250);
});
