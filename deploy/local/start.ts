import { mkdirSync } from 'node:fs';
import path from 'node:path';
import closeWithGrace from 'close-with-grace';
import { isFree } from './free-port.ts';
import { startInfrastructure } from './infrastructure.ts';
import { keepSecrets, saveSecrets } from './keep-secrets.ts';
import { startPlatform } from './platform.ts';
import { createProgress } from './progress.ts';

/** Shorter than the 10 s in which everything must be gone, whatever hangs. */
const CLOSE_DEADLINE_MS = 9_800;
const DEMO_COMPANY = 'demo';

const root = path.resolve(import.meta.dirname, '../..');
const dataDir = path.join(root, '.data');
const progress = createProgress();
const beganMs = performance.now();
const cleanUps: (() => Promise<void>)[] = [];

closeWithGrace({ delay: CLOSE_DEADLINE_MS, logger: false }, async ({ err }) => {
  progress.done();
  if (err) process.stderr.write(`${err.stack ?? err.message}\n`);
  process.stdout.write('\nStopping ...\n');
  const stopBeganMs = performance.now();
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  process.stdout.write(`Stopped in ${seconds(stopBeganMs)}. The data stays in .data for the next start.\n`);
});

try {
  await start();
} catch (error) {
  progress.done();
  process.stderr.write(`${(error as Error).message}\n`);
  for (const cleanUp of cleanUps.toReversed()) await cleanUp().catch(() => undefined);
  process.exit(1);
}

async function start(): Promise<void> {
  const port = readPort(process.env['PORT']);
  if (!(await isFree(port))) {
    throw new Error(`Port ${port} is taken: stop what uses it, or choose another with PORT=8090 npm start.`);
  }
  mkdirSync(dataDir, { recursive: true });

  const infrastructure = await startInfrastructure({ dataDir, env: process.env, progress: progress.line });
  cleanUps.push(() => infrastructure.stop());

  const secretsFile = path.join(dataDir, 'secrets.json');
  const secrets = keepSecrets(secretsFile);
  const rootApiKey = process.env['ROOT_API_KEY'] || secrets.rootApiKey;
  progress.line('starting the services and the gateway');
  const platform = await startPlatform({
    ...infrastructure,
    identity: secrets.identity,
    rootApiKey,
    port,
    logDir: path.join(dataDir, 'logs'),
    notify: (sentence) => process.stdout.write(`${new Date().toISOString()}  ${sentence}\n`),
  });
  cleanUps.push(() => platform.stop());

  let demoApiKey = secrets.demoApiKey;
  if (demoApiKey === undefined || !(await isAccepted(platform.url, demoApiKey))) {
    demoApiKey = await createDemoKey(platform.url, rootApiKey);
    saveSecrets(secretsFile, { ...secrets, demoApiKey });
  }
  progress.done();
  process.stdout.write(welcome(platform.url, demoApiKey, process.env['ROOT_API_KEY'] ? undefined : rootApiKey));
}

function readPort(value: string | undefined): number {
  const port = Number(value || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT must be a port number, not "${value}".`);
  return port;
}

async function isAccepted(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/events?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  return response.ok;
}

async function createDemoKey(url: string, rootApiKey: string): Promise<string> {
  const response = await fetch(`${url}/v1/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ companyId: DEMO_COMPANY, name: 'npm start', scopes: ['*'] }),
  });
  const body = (await response.json()) as { data?: { key: string }; message?: string };
  if (!body.data) throw new Error(`The demo company's key could not be made: ${body.message}`);
  return body.data.key;
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

function welcome(url: string, key: string, rootApiKey: string | undefined): string {
  const post = (route: string, body: unknown) =>
    `curl -s ${url}/v1${route} -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const order = {
    orderNumber: 'A-1001',
    currency: 'EUR',
    companyId: DEMO_COMPANY,
    organizerId: 'org_1',
    contextId: 'evt_1',
    customer: { id: 'cus_1', email: 'ada@example.com' },
    items: [{ offeringId: 'off_1', name: 'Ticket', quantity: 2, unitPrice: 5000 }],
    coupons: ['SUMMER20'],
    context: { urn: `urn:v1:${DEMO_COMPANY}:orders:order/A-1001` },
  };
  const adjustment = {
    name: 'Summer sale',
    type: 'coupon',
    category: 'discount-coupon',
    stacking: 'replace-within-category',
    targets: [{ eventId: 'evt_1' }],
    conditions: { code: 'SUMMER20', maxRedemptions: 100 },
    effect: { kind: 'percentage_off', percent: 20 },
  };
  const evaluation = {
    offering: { id: 'off_1', eventId: 'evt_1', price: { amount: 5000, currency: 'EUR' } },
    cartContext: { quantity: 2, codes: ['summer20'] },
  };
  return `
Ready at ${url} after ${seconds(beganMs)}. Ctrl-C stops everything.

  company          ${DEMO_COMPANY}
  its API key      ${key}
${rootApiKey === undefined ? '' : `  operator's key   ${rootApiKey}\n`}  logs             .data/logs

Try it: create an adjustment, price two tickets with it, place an order that redeems it.

export API_KEY=${key}
${post('/pricing/adjustments', adjustment)}
${post('/pricing/adjustments/evaluate', evaluation)}
${post('/orders', { order })}

`;
}
