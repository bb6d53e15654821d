import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import { expect, inject, test } from 'vitest';
import { sharedPlatform } from '../harness/platform.ts';

// A client that somebody else's generator makes from the served OpenAPI document.

const run = promisify(execFile);
const tsc = path.resolve(import.meta.dirname, '../node_modules/typescript/bin/tsc');

/** What a shop writes against the generated client. */
const SHOP = `
import { createClient } from './client/client/index.ts';
import { createEvent, createOffering, createOrder, setCartItem } from './client/sdk.gen.ts';

export async function placeOrder(baseUrl: string, apiKey: string): Promise<{ id: string; total: number }> {
  const client = createClient({ baseUrl, auth: apiKey, throwOnError: true });
  const { data: event } = await createEvent({ client, throwOnError: true, body: { name: 'Gala', capacity: 10 } });
  const { data: offering } = await createOffering({
    client,
    throwOnError: true,
    path: { id: event.data.id },
    body: { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } },
  });
  const { data: cart } = await setCartItem({
    client,
    throwOnError: true,
    path: { id: 'generated-' + event.data.id },
    body: { offeringId: offering.data.id, quantity: 2 },
  });
  const { data: placed } = await createOrder({
    client,
    throwOnError: true,
    headers: { 'Idempotency-Key': cart.data.id },
    body: {
      order: {
        orderNumber: cart.data.id,
        currency: 'EUR',
        companyId: event.data.companyId,
        organizerId: 'org_1',
        contextId: event.data.id,
        customer: { email: 'ada@example.com' },
        cartSessionId: cart.data.id,
        cartVersion: cart.data.version,
        expectedTotal: cart.data.total,
        context: { urn: 'urn:v1:' + event.data.companyId + ':orders:order/' + cart.data.id },
      },
    },
  });
  return { id: placed.data.order.id, total: placed.data.order.costs.total };
}

export async function codeOfMisspeltItem(baseUrl: string, apiKey: string): Promise<string> {
  const client = createClient({ baseUrl, auth: apiKey });
  // @ts-expect-error -- quantity
  const { error } = await setCartItem({ client, path: { id: 'cart-1' }, body: { offeringId: 'off_1', quantiy: 2 } });
  return error === undefined ? 'none' : error.error.code;
}
`;

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  rewriteRelativeImportExtensions: true,
  rootDir: '.',
  outDir: 'compiled',
};

test('a client that @hey-api/openapi-ts generates compiles under strict, and places an order', async () => {
  const platform = await sharedPlatform();
  const folder = await mkdtemp(path.join(inject('scratch'), 'generated-client-'));
  await generateClient({
    input: `${platform.url}/openapi.json`,
    output: { path: path.join(folder, 'client'), module: { extension: '.ts' } },
    logs: { level: 'silent' },
  });
  await Promise.all([
    writeFile(path.join(folder, 'shop.ts'), SHOP),
    writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' })),
    writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS })),
  ]);
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');

  const shop = (await import(path.join(folder, 'compiled/shop.js'))) as {
    placeOrder: (baseUrl: string, apiKey: string) => Promise<{ id: string; total: number }>;
    codeOfMisspeltItem: (baseUrl: string, apiKey: string) => Promise<string>;
  };
  const { key } = await platform.newCompany();
  expect(await shop.placeOrder(platform.url, key)).toEqual({ id: expect.stringMatching(/^ord_/), total: 10_000 });
  expect(await shop.codeOfMisspeltItem(platform.url, key)).toBe('VALIDATION_FAILED');
});
