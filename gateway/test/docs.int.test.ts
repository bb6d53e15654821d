import { ALL_OPERATIONS, publicPath } from '@event-commerce/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT_KEY, startTestGateway, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({});
});

afterAll(async () => {
  await gateway?.stop();
});

const get = (route: string, headers: Record<string, string> = {}) => fetch(`${gateway.url}${route}`, { headers });

describe('the documents', () => {
  test('describe every operation that is served', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = ALL_OPERATIONS.map((operation) => `${operation.method} ${publicPath(operation)}`);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  test.each(['/openapi.json', '/v1/openapi.json', '/asyncapi.json', '/v1/asyncapi.json'])(
    'are served at %s without a key, compressed, and as 304 to clients that have them',
    async (route) => {
      const first = await get(route);
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(first.headers.get('content-encoding')).toBe('gzip');
      expect(first.headers.get('cache-control')).toBe('public, no-cache');
      expect(await first.json()).toHaveProperty('info.version', '1.0.0');

      const again = await get(route, { 'if-none-match': first.headers.get('etag') ?? '' });
      expect([again.status, await again.text()]).toEqual([304, '']);

      const plain = await get(route, { 'accept-encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.json()).toHaveProperty('info');
    },
  );

  test('name the broker of this deployment', async () => {
    const document: any = await (await get('/asyncapi.json')).json();
    expect(document.servers.nats.host).toMatch(/^[^@]+:\d+$/);
    expect(document.servers.nats.host).not.toBe('localhost:4222');
  });

  test('are read-only', async () => {
    const headersOfRoot = { authorization: `Bearer ${ROOT_KEY}` };
    const { status, headers } = await fetch(`${gateway.url}/openapi.json`, { method: 'PUT', headers: headersOfRoot });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the page', () => {
  test.each(['/docs', '/docs/', '/v1/docs'])('is served at %s, and may load nothing from elsewhere', async (route) => {
    const page = await get(route);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/(?:src|href)="(?!\/)/);
    for (const [, asset] of html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)) {
      const file = await get(asset as string);
      expect([asset, file.status, file.headers.get('cache-control')]).toEqual([
        asset,
        200,
        'public, max-age=31536000, immutable',
      ]);
      await file.arrayBuffer();
    }
  });

  test('serves only its own files, and lets those of another version be cached only briefly', async () => {
    expect((await get('/docs/old/page.js')).headers.get('cache-control')).toBe('public, no-cache');
    for (const file of ['package.json', 'swagger-ui-bundle.js.map', 'index.html', '__proto__', 'toString']) {
      expect([file, (await get(`/docs/old/${file}`)).status]).toEqual([file, 404]);
    }
  });
});

test('the root path redirects a browser to the documentation, and tells an API client where that is', async () => {
  const browser = await fetch(`${gateway.url}/`, {
    redirect: 'manual',
    headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  });
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/docs']);
  for (const path of ['/', '/v1', '/v1/']) {
    const client = await fetch(`${gateway.url}${path}`, { headers: { accept: '*/*' } });
    expect([client.status, await client.json()]).toMatchObject([
      404,
      { status: 'error', error: { code: 'NOT_FOUND', message: expect.stringContaining('/docs') as string } },
    ]);
  }
});
