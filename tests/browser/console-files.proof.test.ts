import { beforeAll, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

const get = async (route: string, encoding = 'identity') =>
  await fetch(`${platform.url}${route}`, { headers: { 'accept-encoding': encoding } });

test('every view of the console is served under a policy that allows nothing foreign and nothing inline', async () => {
  for (const route of ['/console', '/console/explain', '/v1/console']) {
    const page = await get(route);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|http/);
  }
});

test('the assets of the console are immutable, compressed beforehand and below 120 kB together; there are no others', async () => {
  const html = await (await get('/console')).text();
  const assets = [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, route = '']) => route);
  expect(assets).toHaveLength(3);
  const script = assets.find((route) => route.endsWith('.js')) ?? '';
  // The code that draws charts is loaded with the first one.
  const later = (await (await get(script)).text()).matchAll(/import\(["'`]\.\/([^"'`]+)["'`]\)/g);
  const lazy = [...later].map(([, file = '']) => `/console/assets/${file}`);
  expect(lazy).toEqual([expect.stringMatching(/draw-/)]);
  let bytes = 0;
  for (const route of [...assets, ...lazy]) {
    const asset = await get(route, 'gzip, br');
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    bytes += Number(asset.headers.get('content-length'));
  }
  expect(bytes).toBeLessThan(120_000);
  expect((await get('/console/assets/other.js')).status).toBe(404);
});
