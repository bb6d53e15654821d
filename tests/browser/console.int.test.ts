import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Client, createClient } from '@event-commerce/client';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { leaveSharedPlatform, sharedTestPlatform, type TestPlatform } from '../start-test-platform.ts';
import { type Browser, newWatchedPage, openBrowser, PREPARE_TIMEOUT_MS, type Watched } from './open-browser.ts';
import type { Pages } from './pages.ts';
import { describeKeysInConsole } from './keys.cases.ts';
import { describePricesInConsole } from './explained-prices.cases.ts';
import { describeCampaigns } from './campaigns.cases.ts';
import { describeSales } from './sales.cases.ts';

// The console at /console as somebody who runs a campaign sees it, in a real browser. With SCREENSHOTS=keep, the run keeps
// what it looked at.

const SCREENSHOTS = path.join(import.meta.dirname, 'screenshots');
const KEEPS_SCREENSHOTS = process.env['SCREENSHOTS'] === 'keep';
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

let platform: TestPlatform;
let browser: Browser | undefined;
let missing: string | undefined;
const open: Watched[] = [];

beforeAll(async () => {
  const [opened, started] = await Promise.all([openBrowser(), sharedTestPlatform()]);
  platform = started;
  if ('missing' in opened) ({ missing } = opened);
  else browser = opened;
  if (KEEPS_SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
}, PREPARE_TIMEOUT_MS);
afterAll(leaveSharedPlatform);

afterAll(async () => {
  await browser?.close();
});

/** Whatever was done with it, a page sends nothing to other servers and reports no error. */
afterEach(async () => {
  for (const { page, foreign, complaints } of open.splice(0)) {
    await page.close();
    // The browser reports every refused request by itself.
    // oxlint-disable-next-line vitest/no-standalone-expect -- every page promises it
    expect([foreign, complaints.filter((line) => !line.startsWith('Failed to load resource'))]).toEqual([[], []]);
  }
});

async function openPage(route: string): Promise<Page> {
  if (browser === undefined) throw new Error('there is no browser');
  const watched = await newWatchedPage(browser.context, platform.url);
  open.push(watched);
  await watched.page.setViewportSize(DESKTOP);
  // Shorter than a test may take, so that a failure names what was missing.
  watched.page.setDefaultTimeout(10_000);
  await watched.page.goto(`${platform.url}${route}`);
  return watched.page;
}

async function openWithKey(route: string, apiKey: string): Promise<Page> {
  const page = await openPage(route);
  await enterKey(page, apiKey);
  return page;
}

async function enterKey(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Open the console' }).click();
}

/**
 * Looks at the page in light and dark, and on a phone: no accessibility violation, nothing wider than the screen.
 * `accessible` can be left out where the parts were looked at elsewhere, since it takes a second.
 */
async function look(page: Page, name: string, { accessible = true } = {}): Promise<void> {
  for (const [kind, colorScheme, viewport] of [
    ['light', 'light', DESKTOP],
    ['dark', 'dark', DESKTOP],
    ['phone', 'light', PHONE],
  ] as const) {
    // Half a transition has colours of its own.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.evaluate('window.scrollTo(0, 0)');
    if (KEEPS_SCREENSHOTS) {
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${kind}.png`), fullPage: true });
    }
    if (accessible && kind !== 'phone') {
      // No page has frames, for which each analysis would open a page of its own.
      const axe = new AxeBuilder({ page }).setLegacyMode();
      // In the dark, only colours are different.
      const { violations } = await (kind === 'dark' ? axe.withRules('color-contrast') : axe).analyze();
      expect(violations.map(({ id, nodes }) => `${kind} ${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    }
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect([kind, overflow]).toEqual([kind, 0]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
}

async function newCompany(key: Record<string, unknown> = {}): Promise<{ key: string; client: Client }> {
  const { key: apiKey } = await platform.newCompany(key);
  return { key: apiKey, client: createClient({ baseUrl: platform.url, apiKey }) };
}

const pages: Pages = { openPage, openWithKey, enterKey, look, newCompany, url: () => platform.url };

describe('the files of the console', () => {
  const get = async (route: string, encoding = 'identity') =>
    await fetch(`${platform.url}${route}`, { headers: { 'accept-encoding': encoding } });

  test('every view is served under a policy that allows nothing foreign and nothing inline', async () => {
    for (const route of ['/console', '/console/explain', '/v1/console']) {
      const page = await get(route);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|http/);
    }
  });

  test('assets are immutable, compressed beforehand and below 200 kB together; there are no others', async () => {
    const html = await (await get('/console')).text();
    const assets = [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, route = '']) => route);
    expect(assets).toHaveLength(3);
    let bytes = 0;
    for (const route of assets) {
      const asset = await get(route, 'gzip, br');
      expect(asset.headers.get('content-encoding')).toBe('br');
      expect(asset.headers.get('cache-control')).toContain('immutable');
      bytes += Number(asset.headers.get('content-length'));
    }
    expect(bytes).toBeLessThan(200_000);
    expect((await get('/console/assets/other.js')).status).toBe(404);
  });
});

describe('the console', { timeout: 90_000 }, () => {
  beforeEach((context) => {
    context.skip(missing !== undefined, missing);
  });
  describeKeysInConsole(pages);
  describePricesInConsole(pages);
  describeCampaigns(pages);
  describeSales(pages);
});
