import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient } from '@event-commerce/client';
import { freePort } from '@event-commerce/test-kit/free-port';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

// The commands, requests and programs in README.md and docs/using-the-api.md, run as they are: only the platform's
// address, the company, and ids that stand for the reader's own are replaced.

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/** What this file runs, as "heading: language". */
const RUN_HERE = [
  'First requests: sh',
  'Trying out a price: json',
  'After the order: json',
  'Sales over time: sh',
  'Following what happens: sh',
  'Webhooks: sh',
  'Webhooks: js',
  'Erasing a customer: sh',
  'Calling off an event: sh',
  'Series: json',
  'API keys: sh',
  'The typed client: ts',
];
/** What runs the others, as far as the machine can: Compose needs Docker. */
const RUN_ELSEWHERE: Record<string, string> = {
  'Start: sh': 'deploy/local/test/first-start.proof.test.ts',
  'Test: sh': '.ci/run',
  'Deploy: sh': 'deploy/local/test/first-start.proof.test.ts',
  'Agents: json': 'tests/acceptance/mcp.proof.test.ts',
};

interface Block {
  /** Its heading and language. */
  place: string;
  text: string;
  /** The last request that the text before it names. */
  request: { method: string; url: string } | undefined;
}

const FENCE_OR_HEADING = /^## (?<heading>.*)$|^```(?<language>\w*)\n(?<text>[^]*?)^```$/gm;
function blocksOf(file: string): Block[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  let under = '';
  return [...source.matchAll(FENCE_OR_HEADING)].flatMap(({ groups = {}, index }) => {
    under = groups['heading'] ?? under;
    const { language, text } = groups;
    // A drawing has no language.
    if (!language || text === undefined) return [];
    const named = [...source.slice(0, index).matchAll(/`(POST|PATCH) ((?:\/[\w{}-]+)+)`/g)].at(-1);
    const request = named && { method: named[1] as string, url: named[2] as string };
    return [{ place: `${under}: ${language}`, text, request }];
  });
}
const readme = blocksOf('README.md');
const guide = blocksOf('docs/using-the-api.md');
const at = (blocks: readonly Block[], place: string) => blocks.filter((block) => block.place === place);
const textAt = (blocks: readonly Block[], place: string) => at(blocks, place).map(({ text }) => text);

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

/** A company with an offering of an event and a code, as the reader of the documentation has. */
async function newReader() {
  const { companyId, key } = await platform.newCompany();
  const client = createClient({ baseUrl: platform.url, apiKey: key });
  const { id: eventId } = await client.events.create({ name: 'Gala' });
  const price = { amount: 5000, currency: 'EUR' };
  const { id: offeringId } = await client.offerings.create(eventId, { name: 'Ticket', price });
  await client.coupons.create({ code: 'SUMMER20', percentOff: 20 });
  /** Runs shell commands with what the README defines, and returns what they print. */
  const shell = async (commands: string): Promise<string> => {
    const [first = ''] = textAt(readme, 'First requests: sh');
    // Without the pipe, no command of the script could write to /dev/stderr.
    const script = `set -eo pipefail; exec 2> >(cat >&2)\n${first.split('\n')[0]}\n${commands}`;
    const { stdout } = await run('bash', ['-c', onPlatform(script, companyId)], {
      cwd: root,
      env: {
        ...process.env,
        API_KEY: key,
        KEY: key,
        ROOT_API_KEY: platform.rootApiKey,
        BASE_URL: platform.url,
        URL: platform.url,
        EVENT: eventId,
      },
    });
    return stdout;
  };
  return { companyId, key, client, eventId, offeringId, shell };
}

const onPlatform = (text: string, companyId: string) =>
  text.replaceAll('http://127.0.0.1:8080', platform.url).replaceAll(/\bdemo\b/g, companyId);

/** The JSON texts among the lines that a script printed. */
const answersIn = (printed: string): any[] =>
  printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);

async function placeOrder(client: Client, companyId: string, eventId: string, offeringId: string, quantity: number) {
  const orderNumber = `DOC-${crypto.randomUUID()}`;
  const { order } = await client.orders.create({
    order: {
      orderNumber,
      currency: 'EUR',
      companyId,
      organizerId: 'org_1',
      contextId: eventId,
      customer: { email: 'ada@example.com' },
      items: [{ offeringId, quantity }],
      context: { urn: `urn:v1:${companyId}:orders:order/${orderNumber}` },
    },
  });
  return order;
}

test('every command, request and program of the README and the guide is run by a test', () => {
  const places = new Set([...readme, ...guide].map(({ place }) => place));
  expect([...places].toSorted()).toEqual([...RUN_HERE, ...Object.keys(RUN_ELSEWHERE)].toSorted());
  for (const file of Object.values(RUN_ELSEWHERE))
    expect([file, existsSync(path.join(root, file))]).toEqual([file, true]);
});

test("the README's first requests sell two tickets for the price that they show", async () => {
  const { shell } = await newReader();
  const blocks = textAt(readme, 'First requests: sh');
  const last = blocks.at(-1) ?? '';
  const printed = await shell(`${blocks.slice(0, -1).join('\n')}\necho N=$N`);
  const answers = answersIn(printed);
  expect(answers.map(({ status, ok }) => status === 'ok' || ok)).toEqual(answers.map(() => true));
  const [evaluated, , filled, confirmed] = answers.slice(3);
  expect([evaluated.data.summary.total, filled.data.total, confirmed.data.status]).toEqual([8000, 8000, 'placed']);
  const n = /^N=.*$/m.exec(printed)?.[0];
  await expect
    .poll(async () => answersIn(await shell(`${n}\n${last}`))[0].data.availability)
    .toMatchObject({ sold: 2, left: 98 });
});

test('the requests of the guide that a shell sends succeed', async () => {
  const { companyId, client, eventId, offeringId, shell } = await newReader();
  const { id: subject } = await placeOrder(client, companyId, eventId, offeringId, 2);
  const sales = textAt(guide, 'Sales over time: sh').join('').replaceAll('evt_summer_festival', eventId);
  const counted = await shell(sales);
  expect(answersIn(counted)).toMatchObject([{ data: { interval: 'day' } }, { data: { interval: 'hour' } }]);
  expect(counted).toContain('adjustmentId');

  // What happens is in the log within a second: from now on, only what follows is new.
  const logged = async () => (await client.GET('/v1/activity', { params: { query: { subject } } })).data?.data;
  await expect.poll(logged).toHaveLength(1);
  const [now = '', next = ''] = textAt(guide, 'Following what happens: sh').join('').split('\n');
  const { page } = answersIn(await shell(now))[0];
  const waiting = shell(next.replace('MWdoNXA', page.next));
  await placeOrder(client, companyId, eventId, offeringId, 1);
  expect(answersIn(await waiting)[0].data).toMatchObject([{ type: 'order.placed' }]);

  const [webhook] = answersIn(await shell(textAt(guide, 'Webhooks: sh').join('')));
  expect(webhook.data).toMatchObject({ id: expect.stringMatching(/^whk_/), secret: expect.stringMatching(/^whsec_/) });
  const [erased] = answersIn(await shell(textAt(guide, 'Erasing a customer: sh').join('')));
  expect(erased.data).toMatchObject({ status: 'done', found: { orders: 2 } });
  const [calledOff] = answersIn(await shell(textAt(guide, 'Calling off an event: sh').join('')));
  expect(calledOff.data).toMatchObject({ id: expect.stringMatching(/^cof_/) });
});

test('the requests of the guide that are shown as JSON succeed', async () => {
  const { companyId, key, client, eventId, offeringId } = await newReader();
  const series = await client.events.create({ name: 'Jazz', kind: 'series', timezone: 'Europe/Berlin' });
  const order = await placeOrder(client, companyId, eventId, offeringId, 4);
  const idOf: Record<string, string> = { seriesId: series.id, id: order.id };
  for (const { place, text, request } of guide.filter((block) => block.place.endsWith(': json'))) {
    if (place in RUN_ELSEWHERE) continue;
    const url = request?.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf[name] ?? name);
    const response = await fetch(`${platform.url}${url}`, {
      method: request?.method ?? '',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: text.replace('ln_1', order.items[0]?.lineId ?? '').replaceAll('evt_1', eventId),
    });
    expect([place, response.status, await response.text()]).toEqual([
      place,
      expect.closeTo(200, -1),
      expect.any(String),
    ]);
  }
});

test('the commands of the guide issue and rotate keys', async () => {
  const { shell } = await newReader();
  const [issue = '', commands = '', rotate = ''] = textAt(guide, 'API keys: sh');
  const [issued] = answersIn(await shell(issue));
  expect(issued.data).toMatchObject({ companyId: 'acme', id: expect.stringMatching(/^key_/) });
  const [rotated] = answersIn(await shell(rotate.replace('key_01...', issued.data.id)));
  expect(rotated.data.key).toMatch(/^eck_live_/);
  const [first = '', second = ''] = commands.split('\n');
  const id = /key_\w+/.exec(await shell(first))?.[0] ?? '';
  expect(await shell(second.replace('key_01...', id))).toContain('eck_live_');
});

test('the receiver of the guide takes a signed message, and refuses any other', async () => {
  const secret = `whsec_${Buffer.from('a secret of the tests, 24 bytes').toString('base64')}`;
  const port = await freePort();
  const [source = ''] = textAt(guide, 'Webhooks: js');
  const { child, printed, end } = await runProgram(source.replace('9000', String(port)), { WEBHOOK_SECRET: secret });
  try {
    const body = JSON.stringify({ id: 'evt-1', type: 'order.placed', subject: 'ord_1' });
    const signedAt = new Date();
    const send = async (signature: string) => {
      const headers = {
        'webhook-id': 'evt-1',
        'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1_000)),
        'webhook-signature': signature,
      };
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status;
    };
    await expect.poll(async () => await send('v1,AAAA').catch(() => child.exitCode)).toBe(401);
    expect(await send(new Webhook(secret).sign('evt-1', signedAt, body))).toBe(204);
    await expect.poll(printed).toBe('order.placed ord_1 evt-1\n');
  } finally {
    await end();
  }
});

test('the programs of the typed client order a cart, confirm the order and poll', async () => {
  const { companyId, key, offeringId } = await newReader();
  const programs = textAt(guide, 'The typed client: ts').join('\n');
  const source = `
    let orderId, lastTag = 'W/"0"';
    const redirectToPayment = (order) => { orderId = order.id; };
    const show = (orders) => console.log(orders.map(({ status, costs }) => status + ' ' + costs.total).join());
    ${onPlatform(programs, companyId).replace('off_1', offeringId)}`;
  const { child, printed, end } = await runProgram(source, { API_KEY: key, BACK_OFFICE_KEY: key });
  try {
    await expect.poll(() => child.exitCode).toBe(0);
    expect(printed()).toBe('placed 8000\n');
  } finally {
    await end();
  }
});

/** Runs a program beside the tests, whose libraries it finds. */
async function runProgram(source: string, env: Record<string, string>) {
  const folder = await mkdtemp(path.join(import.meta.dirname, '../node_modules/documented-'));
  const file = path.join(folder, 'program.mjs');
  await writeFile(file, source);
  const child: ChildProcess = spawn(process.execPath, [file], { env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const end = async () => {
    child.kill();
    await rm(folder, { recursive: true });
  };
  return { child, printed: () => output, end };
}
