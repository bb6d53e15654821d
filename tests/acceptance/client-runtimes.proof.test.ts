import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

// The client's package and its examples in the other runtimes of JavaScript, as npm installs them.

const run = promisify(execFile);
const clientPackage = path.resolve(import.meta.dirname, '../../libs/client');
/** A runtime is about 100 MB, once. */
const INSTALL_TIMEOUT_MS = 300_000;

const RUNTIMES = [
  { runtime: 'bun@1.4.5', options: ['run'] },
  { runtime: 'deno@2.9.6', options: ['run', '--allow-env', '--allow-net=127.0.0.1'] },
];

const MAIN = `
import process from 'node:process';
import { createClient } from '@event-commerce/client';
import { confirmPayment } from './confirm-payment.ts';
import { guestList } from './guest-list.ts';
import { returnOneTicket } from './return-a-ticket.ts';
import { checkOut } from './sell-tickets.ts';
import { createShop } from './shop.ts';

const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
const { id: eventId } = await client.events.create({ name: 'Gala', capacity: 10 });
const offering = await client.offerings.create(eventId, { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } });
const coupon = await client.coupons.create({ code: 'RUNS-' + eventId, percentOff: 20 });
const { order } = await checkOut(client, 'cart-' + eventId, offering.id, coupon.code);
await confirmPayment(client, order.id, 8000);
const back = await returnOneTicket(client, order.id);
const guests = [...(await guestList(client, eventId))];
const shop = createShop({ client, companyId: 'demo', organizerId: 'org_1', eventId });
const page = await (await shop.request('http://127.0.0.1/')).text();
console.log(JSON.stringify({ total: order.costs.total, back, guests, shows: page.includes('Ticket, €50.00') }));
`;

let platform: SharedPlatform;
let project: string;
beforeAll(async () => {
  platform = await sharedPlatform();
  project = await mkdtemp(path.join(inject('scratch'), 'runtimes-'));
  const installed = path.join(project, 'node_modules/@event-commerce/client');
  await mkdir(installed, { recursive: true });
  await run('tsc', ['-p', path.join(clientPackage, 'tsconfig.build.json'), '--outDir', path.join(installed, 'dist')]);
  const manifest = { name: '@event-commerce/client', type: 'module', exports: './dist/index.js' };
  await writeFile(path.join(installed, 'package.json'), JSON.stringify(manifest));
  for (const library of ['openapi-fetch', 'hono'])
    await symlink(path.join(clientPackage, 'node_modules', library), path.join(project, 'node_modules', library));
  await cp(path.join(clientPackage, 'examples'), project, { recursive: true });
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(path.join(project, 'main.ts'), MAIN);
});

test.each(RUNTIMES)('sells tickets in $runtime', { timeout: INSTALL_TIMEOUT_MS }, async ({ runtime, options }) => {
  const { key } = await platform.newCompany({ companyId: 'demo' });
  const { stdout } = await run('npx', ['--yes', runtime, ...options, 'main.ts'], {
    cwd: project,
    env: { ...process.env, BASE_URL: platform.url, API_KEY: key },
  });
  expect(JSON.parse(stdout)).toEqual({ total: 8000, back: 4000, guests: ['ada@example.com'], shows: true });
});
