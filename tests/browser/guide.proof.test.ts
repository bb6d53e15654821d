import { expect, test } from 'vitest';
import { useConsole } from './console.ts';

// The documentation at /guide as a reader sees it. Pages are watched and looked at as in the console's tests.

const { openPage, look, url } = useConsole();

test('every page and file of the guide is served, and may load nothing foreign and nothing inline', async () => {
  const known = new Set(['/guide']);
  let pages = 0;
  for (const route of known) {
    const answer = await fetch(`${url()}${route}`);
    const isFile = route.startsWith('/guide/assets/');
    const caching = isFile ? 'public, max-age=31536000, immutable' : 'public, no-cache';
    expect([route, answer.status, answer.headers.get('cache-control')]).toEqual([route, 200, caching]);
    const text = await answer.text();
    if (isFile) continue;
    pages += 1;
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; (?!.*(?:unsafe|http))/);
    expect(text).not.toMatch(
      /<[^>]+ (?:style|on\w+)=|<script(?! type="module" src="\/guide\/assets\/[^"]+"><\/script>)/,
    );
    for (const [, linked = ''] of text.matchAll(/(?:href|src|data-index)="(\/guide[^"#]*)/g)) known.add(linked);
  }
  expect(pages).toBeGreaterThan(80);
  expect((await fetch(`${url()}/guide/no-such-page`)).status).toBe(404);
});

test('a reader goes from page to page, and to a heading', async () => {
  const page = await openPage('/v1/guide');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Using the API' }).click();
  await page.waitForURL('**/guide/using-the-api');
  await page.getByRole('link', { name: 'quotas', exact: true }).first().click();
  await page.waitForURL('**/guide/operating/quotas');
  await page.goto(`${url()}/guide/using-the-api`);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Webhooks' }).click();
  await expect
    .poll(async () => await page.evaluate("document.querySelector('#webhooks').getBoundingClientRect().top"))
    .toBeLessThan(200);
});

test('a search finds a section by the words in it, and leads there with the keyboard alone', async () => {
  const page = await openPage('/guide');
  await page.keyboard.press('/');
  await page.keyboard.type('rotate overlap');
  await page.locator('#results a', { hasText: 'API keys' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => await page.evaluate("document.activeElement.closest('#results') !== null")).toBe(true);
  await page.keyboard.press('Escape');
  expect(await page.locator('#results').isVisible()).toBe(false);

  await page.locator('#search').fill('standard webhooks');
  await page.locator('#results a', { hasText: 'Webhooks (Using the API)' }).waitFor();
  await page.locator('#search').press('Enter');
  await page.waitForURL('**/guide/using-the-api#webhooks');
  await page.locator('#search').fill('zzzzzz');
  await page.getByText('Nothing was found.').waitFor();
});

test('the pages are accessible in light and dark, and fit on a phone, where a button opens the menu', async () => {
  const page = await openPage('/guide');
  await look(page, 'guide');
  await page.goto(`${url()}/guide/using-the-api`);
  await look(page, 'guide-using-the-api');
  await page.setViewportSize({ width: 390, height: 844 });
  const menu = page.getByRole('navigation', { name: 'Pages' });
  expect(await menu.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await menu.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL('**/guide/settings');
  await look(page, 'guide-settings');
});
