import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import { isFree } from '@event-commerce/test-kit/free-port';
import { buildConsole, buildGuide, buildServices } from '../../tools/build.ts';
import { startInfrastructure } from './infrastructure.ts';
import { newKeysOfServices } from './keys-of-services.ts';
import { keepSecrets, saveSecrets } from './keep-secrets.ts';
import { type Platform, PROCESS_NAMES, startPlatform } from './platform.ts';
import { portHolder } from './port-holder.ts';
import { reported } from './progress.ts';

/** Shorter than the 10 s within which everything must be gone, whatever hangs. */
const STOP_DEADLINE_MS = 9_800;
const DEMO_COMPANY = 'demo';
const ROOT_KEY_LENGTH_MIN = 32;

const USAGE = `Usage: npm start [-- --inspect PROCESS]
       npm run dev [-- --inspect PROCESS]

Starts the whole platform, with the servers that it needs, until Ctrl-C. Its data stays in .data for the next start.
npm run dev runs the processes from their sources, and restarts those that a change concerns.

  --inspect PROCESS  lets a debugger attach to it, at 127.0.0.1:9229: ${PROCESS_NAMES.join(', ')}

PORT is the gateway's port (default 8080), ROOT_API_KEY the operator's key (default: npm start makes one). MONGO_URL,
NATS_URL and REDIS_URL name servers that are already running.
`;

const { watch, inspect } = readCommandLine(USAGE, {
  options: { watch: { type: 'boolean', default: false }, inspect: { type: 'string' } },
}).values;
const inspected = PROCESS_NAMES.find((name) => name === inspect);
if (inspect !== inspected) refuseCommandLine(USAGE, `There is no process ${inspect}.`);
const root = path.resolve(import.meta.dirname, '../..');
const dataDir = path.join(root, '.data');
const beganMs = performance.now();
const cleanUps: (() => Promise<void>)[] = [];
let stopping: Promise<void> | undefined;

// A closed terminal accepts no more output, but the processes must still be stopped.
process.stdout.on('error', () => undefined);
// One signal may arrive twice: from the terminal and through npm. The first stops everything, the others change
// nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopEverything(0));

try {
  await start();
} catch (error) {
  if (stopping === undefined) {
    say((error as Error).message);
    await stopEverything(1);
  }
}

function stopEverything(exitCode: number): Promise<void> {
  stopping ??= (async () => {
    const stopBeganMs = performance.now();
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    if (exitCode === 0) say('\nStopping ...');
    for (const cleanUp of cleanUps.toReversed()) await cleanUp().catch((error: unknown) => say(String(error)));
    if (exitCode === 0) say(`Stopped in ${seconds(stopBeganMs)}. The data stays in .data for the next start.`);
    process.exit(exitCode);
  })();
  return stopping;
}

async function start(): Promise<void> {
  const port = readPort(process.env['PORT']);
  const { ROOT_API_KEY: givenKey = '' } = process.env;
  if (givenKey !== '' && givenKey.length < ROOT_KEY_LENGTH_MIN) {
    throw new Error(
      `ROOT_API_KEY must have at least ${ROOT_KEY_LENGTH_MIN} characters, such as "openssl rand -hex 32" prints. Without it npm start makes one.`,
    );
  }
  if (!(await isFree(port))) {
    const holder = (await portHolder(port)) ?? 'a process of another user';
    throw new Error(`Port ${port} is taken by ${holder}. Stop it, or choose another port: PORT=8090 npm start.`);
  }
  mkdirSync(dataDir, { recursive: true });

  // Beside the servers' start, which takes longer.
  const servicesAreBuilt = buildServices();
  const allIsBuilt = servicesAreBuilt.then(buildConsole).then(buildGuide);
  allIsBuilt.catch((error: unknown) => watch && say(`The build failed: ${String(error)}`));
  const infrastructure = await startInfrastructure({ dataDir, keepsData: true, env: process.env, progress });
  cleanUps.push(() => infrastructure.stop());

  const secretsFile = path.join(dataDir, 'secrets.json');
  const secrets = keepSecrets(secretsFile);
  const rootApiKey = process.env['ROOT_API_KEY'] || secrets.rootApiKey;
  // Watched processes run from their sources; the gateway needs the rest of the build only when it is asked for it.
  if (!watch) await servicesAreBuilt;
  const platform = await reported('starting the services and the gateway', progress, () =>
    startPlatform({
      ...infrastructure,
      identity: secrets.identity,
      keysOfServices: newKeysOfServices(secrets),
      rootApiKey,
      port,
      logDir: path.join(dataDir, 'logs'),
      watch,
      ...(inspected === undefined ? {} : { inspect: inspected }),
      notify: (sentence) => say(`${new Date().toISOString()}  ${sentence}`),
    }),
  );
  cleanUps.push(() => platform.stop());

  if (!watch) await allIsBuilt;
  let demoApiKey = secrets.demoApiKey;
  if (demoApiKey === undefined || !(await isAccepted(platform.url, demoApiKey))) {
    demoApiKey = await createDemoKey(platform.url, rootApiKey);
    saveSecrets(secretsFile, { ...secrets, demoApiKey });
  }
  process.stdout.write(welcome(platform, demoApiKey, process.env['ROOT_API_KEY'] ? undefined : rootApiKey));
}

/** Shows a step; on a terminal its elapsed time is updated in place. */
function progress(line: string): void {
  const underWay = line.includes(' ...');
  if (!process.stdout.isTTY) say(`  ${line}`);
  else process.stdout.write(`\r\u001b[K  ${line}${underWay ? '' : '\n'}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
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
    body: JSON.stringify({ companyId: DEMO_COMPANY, name: 'npm start', scopes: ['*'], environment: 'live' }),
  });
  const body = (await response.json()) as { data?: { key: string }; message?: string };
  if (!body.data) throw new Error(`The demo company's key could not be made: ${body.message}`);
  return body.data.key;
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

function welcome(platform: Platform, key: string, rootApiKey: string | undefined): string {
  const { url } = platform;
  const metrics = PROCESS_NAMES.map((name) => `${name} ${platform.metricsUrlOf(name)}`);
  const post = (route: string, body: unknown) =>
    `curl -s ${url}/v1${route} -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  // New at every start: only one coupon can hold a code, and an order number can be used once.
  const code = `SUMMER-${Date.now().toString(36).slice(-4).toUpperCase()}`;
  const orderNumber = `ORDER-${code.slice(-4)}`;
  const order = {
    orderNumber,
    currency: 'EUR',
    companyId: DEMO_COMPANY,
    organizerId: 'org_1',
    contextId: 'evt_1',
    customer: { id: 'cus_1', email: 'ada@example.com' },
    items: [{ offeringId: 'off_1', name: 'Ticket', quantity: 2, unitPrice: 5000 }],
    coupons: [code],
    context: { urn: `urn:v1:${DEMO_COMPANY}:orders:order/${orderNumber}` },
  };
  const adjustment = {
    name: 'Summer sale',
    type: 'coupon',
    category: 'discount-coupon',
    stacking: 'replace-within-category',
    targets: [{ eventId: 'evt_1' }],
    conditions: { code, maxRedemptions: 100 },
    effect: { kind: 'percentage_off', percent: 20 },
  };
  const evaluation = {
    offering: { id: 'off_1', eventId: 'evt_1', price: { amount: 5000, currency: 'EUR' } },
    cartContext: { quantity: 2, codes: [code.toLowerCase()] },
  };
  return `
Ready at ${url} after ${seconds(beganMs)}. Ctrl-C stops everything.

  console          ${url}/console (opens with the API key below)
  guide            ${url}/guide (the API's reference is at /docs)
  company          ${DEMO_COMPANY}
  its API key      ${key}
${rootApiKey === undefined ? '' : `  operator's key   ${rootApiKey}\n`}  logs             .data/logs
  metrics          ${metrics.join('\n                   ')}

Try it: create an adjustment, price two tickets with it, place an order that redeems it.

export API_KEY=${key}
${post('/pricing/adjustments', adjustment)}
${post('/pricing/adjustments/evaluate', evaluation)}
${post('/orders', { order })}

`;
}
