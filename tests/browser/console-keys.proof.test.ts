import { createClient } from '@event-commerce/client';
import { expect, test } from 'vitest';
import { useConsole } from './console.ts';

const { openPage, openWithKey, enterKey, look, act, agree, newCompany, url } = useConsole();

test('asks for a key, says when it is wrong, and keeps it in this tab only', async () => {
  const { key } = await newCompany();
  const page = await openPage('/console/explain');
  await enterKey(page, 'eck_test_unknown');
  await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/^This API key is not valid/);
  await look(page, 'key');
  await enterKey(page, key);
  await page.getByRole('heading', { name: 'There are no events yet' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'There are no events yet' }).waitFor();
  expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0);

  await page.route('**/v1/pricing/**', async (route) => route.abort());
  await page.getByRole('link', { name: 'Campaigns' }).click();
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
  await page.unroute('**/v1/pricing/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No campaign is active' }).waitFor();
  await page.getByRole('link', { name: 'Sales' }).click();
  await page.getByRole('heading', { name: 'There are no events yet' }).waitFor();

  const otherTab = await openPage('/console/explain');
  await otherTab.getByLabel('API key').waitFor();
  await page.getByRole('button', { name: 'Forget key' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('a key is issued, shown once, rotated and revoked', async () => {
  const { key } = await newCompany();
  const page = await openWithKey('/console/keys', key);
  await page.getByLabel('Name').fill('Web shop');
  await page.getByLabel('orders:checkout').check();
  await page.getByLabel('pricing:evaluate').check();
  await page.getByRole('button', { name: 'Issue key' }).click();
  const shown = page.getByRole('region', { name: 'The new key' });
  const issued = await shown.locator('code').innerText();
  const evaluates = async (apiKey: string) => {
    const offering = { id: 'off_1', price: { amount: 5000, currency: 'EUR' } };
    const body = { offering, cartContext: { quantity: 1 } };
    const request = createClient({ baseUrl: url(), apiKey }).POST('/v1/pricing/adjustments/evaluate', {
      body,
    });
    return (await request).response.status;
  };
  expect(await evaluates(issued)).toBe(200);
  await look(page, 'keys');
  await shown.getByRole('button', { name: 'Done' }).click();
  expect(await page.locator('main').innerText()).not.toContain(issued);

  await act(page, 'Web shop', 'Rotate');
  await agree(page, 'Issue a new key');
  const rotated = await shown.locator('code').innerText();
  const menus = page.getByRole('button', { name: 'Actions for Web shop' });
  await expect.poll(() => menus.count()).toBe(2);
  await menus.first().click();
  await page.getByRole('button', { name: 'Revoke Web shop' }).click();
  expect(await page.getByRole('dialog').innerText()).toContain('Never used.');
  expect([await evaluates(issued), await evaluates(rotated)]).toEqual([200, 200]);
  await agree(page, 'Revoke the key');
  await expect.poll(() => evaluates(rotated)).toBe(401);
});

test('says in every view which scope a key lacks, and can be used with the keyboard alone', async () => {
  const { key } = await newCompany({ scopes: ['carts:read'] });
  const page = await openPage('/console/explain');
  await page.keyboard.press('Tab');
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'This key may not see this' }).waitFor();
  expect(await page.locator('.notice').innerText()).toContain('events:read');
  await look(page, 'no-permission');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  for (const [view, scope] of [
    ['Campaigns', 'pricing:read'],
    ['Sales', 'events:read'],
    ['Activity', 'activity:read'],
    ['Webhooks', 'webhooks:read'],
    ['Keys', 'keys:admin'],
  ] as const) {
    await page.getByRole('link', { name: view }).click();
    await page.locator('.notice').filter({ hasText: scope }).waitFor();
  }
});
