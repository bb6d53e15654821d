import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Client, createClient } from '@event-commerce/client';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';
import { newWatchedPage, PREPARE_TIMEOUT_MS, sharedBrowser, type Watched } from './open-browser.ts';

// The console at /console as a campaign manager sees it, in a real browser. SCREENSHOTS=keep keeps screenshots of every
// view.

const SCREENSHOTS = path.join(import.meta.dirname, 'screenshots');
const KEEPS_SCREENSHOTS = process.env['SCREENSHOTS'] === 'keep';
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

/** Pages of the console on the platform of this worker, for the tests of one file; skips them without a browser. */
export function useConsole() {
  vi.setConfig({ testTimeout: 90_000 });
  let platform: SharedPlatform;
  const open: Watched[] = [];

  beforeAll(async () => {
    [platform] = await Promise.all([sharedPlatform(), sharedBrowser()]);
    if (KEEPS_SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  }, PREPARE_TIMEOUT_MS);
  beforeEach(async (context) => {
    const browser = await sharedBrowser();
    context.skip('missing' in browser, 'missing' in browser ? browser.missing : '');
  });
  /** No page sends anything to other servers, or reports an error. */
  afterEach(async () => {
    for (const { page, foreign, complaints } of open.splice(0)) {
      await page.close();
      // The browser reports every refused request by itself.
      // oxlint-disable-next-line vitest/no-standalone-expect -- every page promises it
      expect([foreign, complaints.filter((line) => !line.startsWith('Failed to load resource'))]).toEqual([[], []]);
    }
  });

  async function openPage(route: string): Promise<Page> {
    const browser = await sharedBrowser();
    if ('missing' in browser) throw new Error('there is no browser');
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
   * `accessible` can be switched off where the parts are checked elsewhere, since it takes a second.
   */
  async function look(page: Page, name: string, { accessible = true } = {}): Promise<void> {
    for (const [kind, colorScheme, viewport] of [
      ['light', 'light', DESKTOP],
      ['dark', 'dark', DESKTOP],
      ['phone', 'light', PHONE],
    ] as const) {
      // Colours differ in the middle of a transition.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      await page.evaluate('window.scrollTo(0, 0)');
      if (KEEPS_SCREENSHOTS) {
        await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${kind}.png`), fullPage: true });
      }
      if (accessible && kind !== 'phone') {
        // No page has frames, for which each analysis would open a page of its own.
        const axe = new AxeBuilder({ page }).setLegacyMode();
        // In dark mode, only colours are different.
        const { violations } = await (kind === 'dark' ? axe.withRules('color-contrast') : axe).analyze();
        expect(violations.map(({ id, nodes }) => `${kind} ${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
      }
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([kind, overflow]).toEqual([kind, 0]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
  }

  async function newCompany(key: Record<string, unknown> = {}): Promise<{ key: string; client: Client }> {
    const { key: apiKey } = await platform.newCompany(key);
    return { key: apiKey, client: createClient({ baseUrl: platform.url, apiKey }) };
  }

  /** Chooses an action in the menu of a row. */
  async function act(page: Page, of: string, label: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${of}` }).click();
    await page.getByRole('button', { name: `${label} ${of}` }).click();
  }

  /** Agrees to what the dialog says, and returns its text. */
  async function agree(page: Page, yes: string): Promise<string> {
    const dialog = page.getByRole('dialog');
    const said = await dialog.innerText();
    await dialog.getByRole('button', { name: yes }).click();
    await dialog.waitFor({ state: 'detached' });
    return said;
  }

  return { openPage, openWithKey, enterKey, look, act, agree, newCompany, url: () => platform.url };
}

/** Picks what a search for `typed` finds first. */
export async function pick(page: Page, label: string, typed: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.fill(typed);
  await page.getByRole('listbox', { name: label }).getByRole('option').first().waitFor();
  // The options are those of the last letter once the choice is accepted.
  await expect
    .poll(async () => {
      if ((await field.getAttribute('aria-expanded')) === 'true') await field.press('Enter');
      return await field.getAttribute('aria-expanded');
    })
    .toBe('false');
}
