import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Client, type components, createClient, dataOf } from '@event-commerce/client';
import { buildConsole } from '@event-commerce/console/build';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../start-test-platform.ts';
import { type Browser, newWatchedPage, openBrowser, PREPARE_TIMEOUT_MS, type Watched } from './open-browser.ts';

// The console at /console as somebody who runs a campaign sees it, in a real browser. Each run keeps screenshots.

type Schemas = components['schemas'];

const SCREENSHOTS = path.join(import.meta.dirname, 'screenshots');
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

let platform: TestPlatform;
let browser: Browser | undefined;
let missing: string | undefined;
const open: Watched[] = [];

beforeAll(async () => {
  const [opened, started] = await Promise.all([openBrowser(), startTestPlatform(), buildConsole()]);
  platform = started;
  if ('missing' in opened) ({ missing } = opened);
  else browser = opened;
  mkdirSync(SCREENSHOTS, { recursive: true });
}, PREPARE_TIMEOUT_MS);

afterAll(async () => {
  await browser?.close();
  await platform?.stop();
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
 * Looks at the page in light and dark, and on a phone: no accessibility violation, nothing wider than the screen. `accessible`
 * can be left out where the parts were looked at elsewhere, since it takes a second.
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
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${kind}.png`), fullPage: true });
    if (accessible && kind !== 'phone') {
      const axe = new AxeBuilder({ page });
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

interface Festival {
  event: Schemas['Event'];
  offering: Schemas['Offering'];
}

/** A festival with an offering at 50.00 EUR, and five price rules. */
async function newFestival(client: Client): Promise<Festival> {
  const event = await dataOf(
    client.POST('/v1/events', {
      body: {
        name: 'Summer festival',
        status: 'published',
        startsAt: '2027-07-10T18:00',
        timezone: 'Europe/Berlin',
      },
    }),
  );
  const price = { amount: 5000, currency: 'EUR' };
  const offering = await dataOf(
    client.POST('/v1/events/{id}/offerings', {
      params: { path: { id: event.id } },
      body: { name: 'Standing', price, capacity: 100 },
    }),
  );
  const rules: Omit<Schemas['AdjustmentInput'], 'targets'>[] = [
    {
      name: 'Summer sale',
      type: 'coupon',
      category: 'discount-coupon',
      stacking: 'replace-within-category',
      conditions: { code: 'SUMMER20', maxRedemptions: 100 },
      effect: { kind: 'percentage_off', percent: 20 },
    },
    {
      name: 'Groups save',
      category: 'group',
      conditions: { minQuantity: 4 },
      effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
    },
    {
      name: 'Busloads save',
      category: 'group',
      conditions: { minQuantity: 20 },
      effect: { kind: 'percentage_off', percent: 30 },
    },
    {
      name: 'Members save',
      category: 'membership',
      conditions: { customerSegments: ['member'] },
      effect: { kind: 'percentage_off', percent: 10 },
    },
    {
      name: 'Booking fee',
      category: 'fee',
      effect: { kind: 'amount_surcharge', amount: 250, currency: 'EUR', per: 'order' },
    },
  ];
  for (const rule of rules) {
    await dataOf(client.POST('/v1/pricing/adjustments', { body: { targets: [{ eventId: event.id }], ...rule } }));
  }
  return { event, offering };
}

async function placeOrder(
  client: Client,
  { event, offering }: Festival,
  { quantity, ...given }: { orderNumber: string; quantity: number; expiresInSeconds?: number; coupons?: string[] },
): Promise<void> {
  const { companyId } = event;
  const { error } = await client.POST('/v1/orders', {
    body: {
      order: {
        ...given,
        currency: 'EUR',
        companyId,
        organizerId: 'org_1',
        contextId: event.id,
        customer: { email: 'ada@example.com' },
        items: [{ offeringId: offering.id, quantity }],
        context: { urn: `urn:v1:${companyId}:orders:order/${given.orderNumber}` },
      },
    },
  });
  expect(error).toBeUndefined();
}

/** As an order does. */
async function redeem(client: Client, id: string): Promise<void> {
  const params = { path: { id } };
  await dataOf(client.POST('/v1/pricing/adjustments/{id}/redemptions', { params, body: { orderId: 'shop-1' } }));
}

/** What tickets of the festival cost now. */
async function total(client: Client, { offering }: Festival, quantity: number, codes: string[] = []): Promise<number> {
  const body = { offering, cartContext: { quantity, codes } };
  return (await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { body }))).summary.total;
}

/** The rows of the waterfall: what each step is called, and what it adds. */
async function waterfall(page: Page): Promise<string[]> {
  const rows = await page.locator('.waterfall tbody tr').all();
  return await Promise.all(
    rows.map(async (row) => {
      const label = (await row.locator('th').innerText()).split('\n')[0];
      return `${label} ${await row.locator('.amount').innerText()}`;
    }),
  );
}

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

describe('the console', () => {
  beforeEach((context) => {
    context.skip(missing !== undefined, missing);
  });

  test('asks for a key, says when it is wrong, and keeps it in this tab only', async () => {
    const { key } = await newCompany();
    const page = await openPage('/console');
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

    const otherTab = await openPage('/console');
    await otherTab.getByLabel('API key').waitFor();
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('explains a price from the list price to what the buyer pays, and what did not apply', async () => {
    const { key, client } = await newCompany();
    await newFestival(client);
    const page = await openWithKey('/console', key);
    await expect
      .poll(() => waterfall(page))
      .toEqual(['List price €50.00', 'Booking fee +€2.50', 'The buyer pays €52.50']);

    await page.getByLabel('Tickets').fill('4');
    await page.getByLabel('Codes').fill('summer20, free-beer');
    await expect
      .poll(() => waterfall(page))
      .toEqual([
        'List price €200.00',
        'Summer sale -€40.00',
        'Groups save -€20.00',
        'Booking fee +€2.50',
        'The buyer pays €142.50',
      ]);
    const reasons = page.locator('.reasons li');
    await expect.poll(() => reasons.filter({ hasText: 'Busloads save' }).innerText()).toContain('16 more tickets');
    expect(await reasons.filter({ hasText: 'Busloads save' }).innerText()).toContain(
      'Needs at least 20 tickets, the cart has 4.',
    );
    expect(await reasons.filter({ hasText: 'Members save' }).count()).toBe(1);
    expect(await page.locator('.codes').innerText()).toContain('unknown code');
    await look(page, 'explain');

    const colleague = await openWithKey(page.url().slice(platform.url.length), key);
    await expect.poll(() => waterfall(colleague)).toContain('The buyer pays €142.50');
  });

  test('explains a stored cart', async () => {
    const { key, client } = await newCompany();
    const { offering } = await newFestival(client);
    const cart = await dataOf(
      client.POST('/v1/cart/sessions', {
        body: { items: [{ offeringId: offering.id, quantity: 2 }], coupons: ['summer20'] },
      }),
    );
    const page = await openWithKey('/console', key);
    await page.getByText('Cart', { exact: true }).click();
    await page.getByRole('heading', { name: 'Which cart?' }).waitFor();
    await page.getByLabel('Cart session').fill(cart.id);
    await expect
      .poll(() => waterfall(page))
      .toEqual(['List price €100.00', 'Summer sale -€20.00', 'Booking fee +€2.50', 'The buyer pays €82.50']);
    await page.getByRole('link', { name: '2 × Standing' }).click();
    await expect
      .poll(() => page.locator('.reasons li').filter({ hasText: 'Groups save' }).innerText())
      .toContain('2 more tickets');
  });

  test('a campaign is created, seen in the price beside its form, changed, paused, and its use counted', async () => {
    const { key, client } = await newCompany();
    const festival = await newFestival(client);
    const { event } = festival;
    const page = await openWithKey('/console/campaigns', key);
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Name').fill('Early birds');
    await page.getByLabel('Percent').fill('10');
    await page.getByLabel('Applies to').selectOption(`event/${event.id}`);
    await page.getByLabel('Redemptions').fill('0.5');
    await page.getByText('Write a whole number, 0 or more.').waitFor();
    await page.getByLabel('Redemptions').fill('4');
    const change = page.locator('.change');
    await expect.poll(() => change.innerText()).toContain('€47.50 instead of €52.50');
    expect(await waterfall(page)).toContain('Early birds -€5.00');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Saved: it applies from now on.').waitFor();
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
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByRole('link', { name: 'All campaigns' }).click();
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

  test('a coupon is created, seen in the price beside its form, changed and archived', async () => {
    const { key, client } = await newCompany();
    const festival = await newFestival(client);
    const page = await openWithKey('/console/campaigns', key);
    const change = page.locator('.change');
    await page.getByRole('link', { name: 'New coupon' }).click();
    await page.getByText('Write the code that buyers enter.').waitFor();
    await page.getByLabel('Code').fill('friends');
    await page.getByLabel('Percent', { exact: true }).fill('50');
    await page.getByLabel('Applies to').selectOption(`event/${festival.event.id}`);
    await expect.poll(() => change.innerText()).toContain('€27.50 instead of €52.50');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => change.innerText()).toContain('€27.50 as without the change');
    await page.getByLabel('Percent', { exact: true }).fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: it applies from now on.').waitFor();
    expect(await total(client, festival, 1, ['friends'])).toBe(3750);
    await look(page, 'coupon', { accessible: false });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('archived', { exact: true }).waitFor();
    expect(await total(client, festival, 1, ['friends'])).toBe(5250);
  });

  test('a sale moves while orders come in; an order is found, explained, confirmed, cancelled and reopened', async () => {
    const { key, client } = await newCompany();
    const festival = await newFestival(client);
    const params = { path: { id: festival.event.id } };
    await dataOf(client.PATCH('/v1/events/{id}', { params, body: { capacity: 120 } }));
    const seated = { name: 'Seated', price: { amount: 9000, currency: 'EUR' }, capacity: 40 };
    await dataOf(client.POST('/v1/events/{id}/offerings', { params, body: seated }));
    const page = await openWithKey('/console/sales', key);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
    const tickets = (name: string) => page.locator('.bars li').filter({ hasText: name }).locator('.counts');
    await expect.poll(() => tickets('Standing').innerText()).toContain('100 left');
    await placeOrder(client, festival, { orderNumber: 'ONLINE-1', quantity: 20, coupons: ['summer20'] });
    await placeOrder(client, festival, { orderNumber: 'ONLINE-2', quantity: 10, expiresInSeconds: 600 });
    await expect.poll(() => tickets('Standing').innerText()).toMatch(/20 sold[^]*10 held[^]*70 left/);
    expect(await tickets('All tickets together').innerText()).toMatch(/20 sold[^]*10 held[^]*90 left/);
    const row = (orderNumber: string) => page.getByRole('row').filter({ hasText: orderNumber });
    expect(await row('ONLINE-1').innerText()).toContain('20 tickets');
    await look(page, 'sales');

    await page.getByRole('button', { name: 'Confirm ONLINE-2' }).click();
    await expect.poll(() => row('ONLINE-2').innerText()).toContain('placed');
    await page.getByLabel('Search').fill('online-1');
    await row('ONLINE-2').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'ONLINE-1' }).click();
    await expect
      .poll(() => waterfall(page))
      .toEqual([
        'List price €1,000.00',
        'Summer sale -€200.00',
        'Groups save -€100.00',
        'Busloads save -€300.00',
        'Booking fee +€2.50',
        'The buyer paid €402.50',
      ]);
    await look(page, 'order');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await page.getByRole('link', { name: 'Why did nothing else apply?' }).click();
    await page.getByRole('link', { name: '20 × Standing' }).click();
    await expect
      .poll(() => page.locator('.reasons li').filter({ hasText: 'Members save' }).innerText())
      .toContain('segment');
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: 'All orders' }).click();
    await expect.poll(() => row('ONLINE-1').innerText()).toContain('cancelled');
    await expect.poll(() => tickets('Standing').innerText()).toMatch(/10 sold[^]*0 held[^]*90 left/);
    await page.getByRole('button', { name: 'Reopen ONLINE-1' }).click();
    await expect.poll(() => tickets('Standing').innerText()).toMatch(/30 sold[^]*70 left/);
  });

  test('tables are closed, groups merged, and what a date of a series overrides reverted', async () => {
    const { key, client } = await newCompany();
    const series = await dataOf(
      client.POST('/v1/events', {
        body: { kind: 'series', name: 'Tuesday jazz', timezone: 'Europe/Berlin', capacity: 120, status: 'published' },
      }),
    );
    const date = await dataOf(
      client.POST('/v1/events/{seriesId}/instances', {
        params: { path: { seriesId: series.id } },
        body: { name: 'New Year special', startsAt: '2027-01-05T20:00', capacity: 80 },
      }),
    );
    const params = { path: { id: date.id } };
    for (const [name, size] of [
      ['The choir', 12],
      ['The orchestra', 8],
    ] as const) {
      await dataOf(client.POST('/v1/events/{id}/purchase-groups', { params, body: { name, size } }));
    }
    const page = await openWithKey(`/console/sales?event=${date.id}&show=tables`, key);
    page.on('dialog', (dialog) => void dialog.accept());
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await page.getByLabel('Name').fill('table-7');
    await page.getByRole('button', { name: 'Add a table' }).click();
    await row('table-7').waitFor();
    const session = await dataOf(client.POST('/v1/cart/sessions', { body: { contextId: date.id } }));
    await dataOf(
      client.POST('/v1/cart/sessions/{id}/join-table', {
        params: { path: { id: session.id } },
        body: { tableCommitmentId: 'table-7' },
      }),
    );
    await expect.poll(() => row('table-7').innerText()).toContain('1 of 8');
    await page.getByRole('button', { name: 'Close table-7' }).click();
    await expect.poll(() => row('table-7').innerText()).toContain('closed');
    await look(page, 'tables', { accessible: false });

    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('button', { name: 'Merge The choir' }).click();
    await page.getByText('20 people together.').waitFor();
    await page.getByLabel('Why').fill('They want to sit together');
    await look(page, 'groups');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await row('The choir').waitFor({ state: 'detached' });
    expect(await row('The orchestra').innerText()).toContain('20 people');

    await page.getByRole('link', { name: 'Dates' }).click();
    await expect.poll(() => row('New Year special').innerText()).toContain('Series: 120');
    await look(page, 'dates');
    await page.getByRole('button', { name: 'Revert Name of New Year special' }).click();
    await page.getByRole('button', { name: /^Revert Name/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Event', { exact: true }).innerText()).not.toContain('New Year special');
    expect(await dataOf(client.GET('/v1/events/{id}', { params }))).toMatchObject({
      name: 'Tuesday jazz',
      overrides: ['startsAt', 'capacity'],
    });
  });

  test('a key is issued, shown once, rotated and revoked', async () => {
    const { key } = await newCompany();
    const page = await openWithKey('/console/keys', key);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByLabel('Name').fill('Web shop');
    await page.getByLabel('orders:checkout').check();
    await page.getByLabel('pricing:evaluate').check();
    await page.getByRole('button', { name: 'Issue key' }).click();
    const shown = page.getByRole('region', { name: 'The new key' });
    const issued = await shown.locator('code').innerText();
    const evaluates = async (apiKey: string) => {
      const offering = { id: 'off_1', price: { amount: 5000, currency: 'EUR' } };
      const body = { offering, cartContext: { quantity: 1 } };
      const request = createClient({ baseUrl: platform.url, apiKey }).POST('/v1/pricing/adjustments/evaluate', {
        body,
      });
      return (await request).response.status;
    };
    expect(await evaluates(issued)).toBe(200);
    await look(page, 'keys');
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(await page.locator('main').innerText()).not.toContain(issued);

    await page.getByRole('button', { name: 'Rotate Web shop' }).click();
    const rotated = await shown.locator('code').innerText();
    expect([await evaluates(issued), await evaluates(rotated)]).toEqual([200, 200]);
    const revoke = page.getByRole('button', { name: 'Revoke Web shop' });
    await expect.poll(() => revoke.count()).toBe(2);
    await revoke.first().click();
    await expect.poll(() => evaluates(rotated)).toBe(401);
  });

  test('says in every view which scope a key lacks, and can be used with the keyboard alone', async () => {
    const { key } = await newCompany({ scopes: ['carts:read'] });
    const page = await openPage('/console');
    await page.keyboard.press('Tab');
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This key may not see this' }).waitFor();
    expect(await page.locator('.notice').innerText()).toContain('events:read');
    await look(page, 'no-permission');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    for (const [view, scope] of [
      ['Campaigns', 'pricing:read'],
      ['Sales', 'events:read'],
      ['Keys', 'keys:admin'],
    ] as const) {
      await page.getByRole('link', { name: view }).click();
      await page.locator('.notice').filter({ hasText: scope }).waitFor();
    }
  });
});
