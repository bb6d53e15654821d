import { readFile } from 'node:fs/promises';
import { dataOf } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { pick, useConsole } from './console.ts';
import { newFestival, redeem, total } from './festival.ts';
import { waterfall } from './waterfall-rows.ts';

const { openWithKey, look, act, agree, newCompany, url } = useConsole();

test('a campaign is created and changed, and the price beside its form shows what it does', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const page = await openWithKey('/console/campaigns', key);
  await page.getByRole('link', { name: 'New campaign' }).click();
  await expect.poll(() => page.title()).toBe('New campaign · Event Commerce');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  await pick(page, 'Applies to', 'Summer');
  await expect.poll(() => waterfall(page)).toContain('10% off each ticket -€5.00');
  expect(await page.getByLabel('Priority').isVisible()).toBe(false);
  await look(page, 'campaign-new');
  await page.getByLabel('Name').fill('Early birds');
  await page.getByLabel('Percent').fill('10');
  await page.getByLabel('Redemptions').fill('0.5');
  await page.getByText('Enter a whole number, 0 or more.').waitFor();
  await page.getByLabel('Redemptions').fill('4');
  const change = page.locator('.change');
  await expect.poll(() => change.innerText()).toContain('€47.50 instead of €52.50');
  await expect.poll(() => waterfall(page)).toContain('Early birds -€5.00');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await expect.poll(() => change.innerText()).toContain('€47.50 same as before');

  await page.getByLabel('Effect', { exact: true }).selectOption('tiered');
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByLabel('From tickets', { exact: true }).last().fill('2');
  await page.getByLabel('Percent off', { exact: true }).last().fill('20');
  await page.getByLabel('Tickets', { exact: true }).last().fill('2');
  await expect.poll(() => change.innerText()).toContain('€82.50 instead of €92.50');
  await look(page, 'campaign');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => change.innerText()).toContain('€82.50 same as before');
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

  await act(page, 'Early birds', 'Pause');
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('paused');
  await act(page, 'Early birds', 'Activate');
  await page.getByText('No campaign matches').waitFor();
});

test('archiving says what it changes, and is taken back', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const page = await openWithKey('/console/campaigns', key);
  const row = page.getByRole('row').filter({ hasText: 'Summer sale' });
  await act(page, 'Summer sale', 'Archive');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await look(page, 'archive');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const button = page.getByRole('button', { name: 'Actions for Summer sale' });
  expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);

  await act(page, 'Summer sale', 'Archive');
  const said = await agree(page, 'Archive');
  expect(said).toContain('Archive “Summer sale”?');
  expect(said).toContain('Its code SUMMER20 becomes free for another campaign.');
  await row.waitFor({ state: 'detached' });
  expect(await total(client, festival, 1, ['SUMMER20'])).toBe(5250);
  await look(page, 'archived');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
  await page.getByText('Undone.').waitFor();
  expect(await total(client, festival, 1, ['SUMMER20'])).toBe(4250);
});

test('amounts are in the currency that the event sells in', async () => {
  const { key, client } = await newCompany();
  const event = await dataOf(client.POST('/v1/events', { body: { name: 'Gala' } }));
  const seat = { name: 'Seat', price: { amount: 12_000, currency: 'JPY' } };
  await dataOf(client.POST('/v1/events/{id}/offerings', { params: { path: { id: event.id } }, body: seat }));
  const page = await openWithKey('/console/campaigns/new', key);
  await pick(page, 'Applies to', 'Gala');
  await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('JPY');
  await page.getByText('More about the discount').click();
  await page.getByLabel('At most', { exact: true }).fill('500');
  await page.getByText('Only for some tickets and orders').click();
  await page.getByLabel('Order total, at least').fill('10000');
  const change = page.locator('.change');
  await expect.poll(() => change.innerText()).toContain('¥11,500 instead of ¥12,000');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => change.innerText()).toContain('¥11,500 same as before');
  // The groups that hold something are open when it is opened again.
  expect(await page.getByLabel('Order total, at least').isVisible()).toBe(true);
  expect(await page.getByLabel('Priority').isVisible()).toBe(false);
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
  await act(page, await rows.getByRole('link').innerText(), 'Pause');
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
  const answer = async (button: string) => {
    expect(await agree(page, button)).toContain('Leave without saving?');
  };
  const name = page.getByLabel('Name');
  await name.fill('Late birds');
  await page.getByRole('link', { name: 'All campaigns' }).click();
  await answer('Keep editing');
  await page.goBack();
  await answer('Keep editing');
  expect(await name.inputValue()).toBe('Late birds');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Late birds' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Late birds' }).waitFor();
  expect(await page.getByText('Saved.', { exact: true }).count()).toBe(0);

  await name.fill('Night owls');
  await page.getByRole('link', { name: 'All campaigns' }).click();
  await answer('Leave');
  await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
});

test('a coupon is created, seen in the price beside its form, changed and archived', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const page = await openWithKey('/console/campaigns', key);
  const change = page.locator('.change');
  await page.getByRole('link', { name: 'New coupon' }).click();
  await page.getByText('Enter the code that buyers type.').waitFor();
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('friends');
  await page.getByLabel('Percent', { exact: true }).fill('50');
  await pick(page, 'Applies to', 'Summer');
  await expect.poll(() => change.innerText()).toContain('€27.50 instead of €52.50');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => change.innerText()).toContain('€27.50 same as before');
  await page.getByLabel('Percent', { exact: true }).fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await total(client, festival, 1, ['friends'])).toBe(3750);
  await look(page, 'coupon', { accessible: false });
  await page.getByRole('button', { name: 'Archive' }).click();
  await agree(page, 'Archive');
  await page.getByText('archived', { exact: true }).waitFor();
  expect(await total(client, festival, 1, ['friends'])).toBe(5250);
});

test('a coupon gives each buyer a code: made, looked up, used and revoked', async () => {
  const { key, client } = await newCompany();
  const festival = await newFestival(client);
  const page = await openWithKey('/console/coupons/new', key);
  await page.getByText('A code for each buyer').click();
  await page.getByLabel('Name').fill('Raffle');
  await page.getByLabel('Percent', { exact: true }).fill('50');
  await pick(page, 'Applies to', 'Summer');
  await expect.poll(() => page.locator('.change').innerText()).toContain('€27.50 instead of €52.50');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('No codes yet').waitFor();
  await page.getByLabel('How many').fill('5');
  await page.getByLabel('Looks like').fill('RAFFLE-####-####');
  await page.getByRole('button', { name: 'Make codes' }).click();
  const row = page.getByRole('row').filter({ hasText: 'RAFFLE-####-####' });
  await row.waitFor();
  await look(page, 'codes');
  const saved = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  const [, first = ''] = (await readFile((await (await saved).path()) ?? '', 'utf8')).split('\n');
  const [code = ''] = first.split(',');
  expect(await total(client, festival, 1, [code])).toBe(2750);
  await page.getByRole('textbox', { name: 'Look up a code' }).fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText(`${code} is unused: 0 of 1 time.`).waitFor();
  await row.getByRole('button', { name: /^Revoke/ }).click();
  expect(await agree(page, 'Revoke')).toContain('Revoke 5 codes?');
  await row.getByText('revoked').waitFor();
  expect(await total(client, festival, 1, [code])).toBe(5250);
});

test('a happy hour is drawn on a week, and saved', async () => {
  const { key, client } = await newCompany();
  await newFestival(client);
  const page = await openWithKey('/console/campaigns/new', key);
  await page.getByLabel('Name').fill('Happy hour');
  await page.getByText('Only at times of the week').click();
  await page.getByRole('button', { name: 'Add a time' }).click();
  await page.getByText('Tue', { exact: true }).first().click();
  await page.getByLabel('Until', { exact: true }).last().fill('20:30');
  await page.getByRole('img', { name: 'Mon, Tue 17:00–20:30' }).waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  const saved = await dataOf(client.GET('/v1/pricing/adjustments', { params: { query: { q: 'happy' } } }));
  expect(saved[0]?.conditions.recurring).toMatchObject([{ days: ['mon', 'tue'], from: '17:00', to: '20:30' }]);
});
