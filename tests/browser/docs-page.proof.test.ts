import { randomUUID } from 'node:crypto';
import { createClient } from '@event-commerce/client';
import { ALL_OPERATIONS } from '@event-commerce/contracts';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';
import { newWatchedPage, PREPARE_TIMEOUT_MS, sharedBrowser, type Watched } from './open-browser.ts';

// The page at /docs as a visitor sees it, in a real browser.

/** The page shows every operation, which a busy machine takes long to draw. */
const LOADED_WITHIN_MS = 90_000;

const eventName = `Festival ${randomUUID().slice(0, 8)}`;

let platform: SharedPlatform;
let missing: string | undefined;
let apiKey: string;

beforeAll(async () => {
  const [opened, started] = await Promise.all([sharedBrowser(), sharedPlatform()]);
  platform = started;
  if ('missing' in opened) {
    ({ missing } = opened);
    return;
  }
  ({ key: apiKey } = await platform.newCompany());
  await createClient({ baseUrl: platform.url, apiKey }).POST('/v1/events', { body: { name: eventName } });
}, PREPARE_TIMEOUT_MS);

beforeEach((context) => {
  context.skip(missing !== undefined, missing);
});

/** The loaded page, with its requests and errors. */
async function openDocs(route: string): Promise<Watched> {
  const browser = await sharedBrowser();
  if ('missing' in browser) throw new Error('there is no browser');
  const watched = await newWatchedPage(browser.context, platform.url);
  await watched.page.goto(`${platform.url}${route}`);
  await watched.page.locator('#key').and(watched.page.locator(':enabled')).waitFor();
  return watched;
}

/** Sends the request of an operation that has no response yet. */
async function send(page: Page, operationId: string): Promise<{ status: string; body: string }> {
  const operation = page.locator(`#operations-${operationId}`);
  if (!(await operation.locator('.execute').isVisible())) await operation.locator('.opblock-summary-control').click();
  await operation.locator('.execute').click();
  const live = operation.locator('.live-responses-table');
  await live.waitFor();
  return {
    status: (await live.locator('.response-col_status').nth(1).innerText()).trim(),
    body: await live.locator('.highlight-code').first().innerText(),
  };
}

/** What the page shows, and what it should not have done meanwhile. */
async function seenOn({ page, foreign, complaints }: Watched) {
  const groups = await page.locator('.opblock-tag').allInnerTexts();
  const operations = await page.locator('.opblock').count();
  return { groups: groups.map((text) => text.split('\n')[0]), operations, foreign, complaints };
}
const WHOLE = {
  groups: [
    'Events',
    'Offerings',
    'Pricing',
    'Coupons',
    'Carts',
    'Orders',
    'API keys',
    'Sales',
    'Activity',
    'Webhooks',
    'Customers',
    'Usage',
    'Health',
  ],
  operations: ALL_OPERATIONS.length,
  foreign: [],
  complaints: [],
};

describe('the page at /docs', { timeout: LOADED_WITHIN_MS }, () => {
  describe('opened once', () => {
    let opened: Watched;
    beforeAll(async () => {
      if (missing === undefined) opened = await openDocs('/v1/docs');
    }, LOADED_WITHIN_MS);
    const useKey = async (key: string) => {
      await opened.page.locator('#key').fill(key);
      await opened.page.getByRole('button', { name: 'Use key' }).click();
    };
    const keyState = () => opened.page.locator('#key-state').innerText();

    test('shows every group of operations under /v1/docs too, and loads nothing from other servers', async () => {
      expect(await seenOn(opened)).toEqual(WHOLE);
    });

    test('begins with how to make the first requests', async () => {
      const headings = await opened.page.locator('.info h2').allInnerTexts();
      expect(headings.filter((text) => !text.startsWith('Event Commerce'))).toEqual(['Getting started', 'Conventions']);
    });

    test("sends a request with the visitor's key, and shows the real response", async () => {
      await useKey(apiKey);
      await expect.poll(keyState).toBe('Requests carry this key.');
      const answer = await send(opened.page, 'Events-listEvents');
      expect(answer.status).toBe('200');
      expect(answer.body).toContain(eventName);
      expect([opened.foreign, opened.complaints]).toEqual([[], []]);
    });

    test('says when the platform does not know the key', async () => {
      await useKey('eck_test_unknown');
      await expect.poll(keyState).toMatch(/^This API key is not valid/);
      await useKey(apiKey);
      await expect.poll(keyState).toBe('Requests carry this key.');
    });
  });

  describe('opened at one operation', () => {
    let opened: Watched;
    beforeAll(async () => {
      if (missing === undefined) opened = await openDocs('/docs#/Orders/createOrder');
    }, LOADED_WITHIN_MS);

    test('shows its request and responses, and all other operations', async () => {
      const operation = opened.page.locator('#operations-Orders-createOrder');
      await operation.locator('.opblock-body').waitFor();
      const statuses = await operation.locator('.responses-table .response-col_status').allInnerTexts();
      expect(statuses.map((status) => status.trim()).filter((status) => /^\d+$/.test(status))).toEqual(
        expect.arrayContaining(['200', '201', '400', '401', '403', '409', '422', '429', '500', '503']),
      );
      expect(await seenOn(opened)).toEqual(WHOLE);
    });

    test('shows the refusal of a request without a key', async () => {
      const answer = await send(opened.page, 'Events-listEvents');
      expect(answer.status).toContain('401');
      expect(answer.body).toContain('UNAUTHORIZED');
    });
  });
});
