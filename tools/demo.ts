import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { styleText } from 'node:util';
import { type Client, type components, createClient, dataOf } from '@event-commerce/client';
import { until } from '@event-commerce/service-kit';
import { readCommandLine } from '@event-commerce/service-kit/command-line';
import type { KeptSecrets } from '../deploy/local/keep-secrets.ts';
import { listenToOrders } from './demo-webhook.ts';
import { type Buyer, openSeason, ORGANIZER, type SeasonDate, sellToFifty } from './demo-season.ts';

type Schemas = components['schemas'];
type Evaluation = Schemas['Evaluation'];
type Modifier = Schemas['Modifier'];
type Availability = Schemas['Availability'];

const USAGE = `Usage: npm run demo

Plays the platform's story against a running one, while npm start runs in another terminal. It takes about a minute and
can be watched in the console.

BASE_URL is the gateway's address (default http://127.0.0.1:8080), API_KEY a company's key (default: the demo company's,
which npm start created). DEMO_SECONDS is how long the fifty buyers take (60).
`;

readCommandLine(USAGE, {});
const url = process.env['BASE_URL'] || `http://127.0.0.1:${process.env['PORT'] || 8080}`;
const apiKey = process.env['API_KEY'] || undefined;
/** Makes codes, ids and order numbers new in every run, so that the story can be repeated. */
const run = Date.now().toString(36).toUpperCase();
let client: Client;
let steps = 0;
let orders = 0;
/** How long the fifty buyers take, unless DEMO_SECONDS says otherwise: long enough to watch. */
const seconds = Number(process.env['DEMO_SECONDS'] || 60);

try {
  if (!(seconds >= 0)) throw new Error('DEMO_SECONDS must be a number, 0 or more.');
  client = connect();
  await play();
} catch (error) {
  process.stderr.write(`\n${styleText('red', (error as Error).message)}\n`);
  process.exitCode = 1;
}

async function play(): Promise<void> {
  step('A summer festival on eight Fridays opens its sale. The organizer sets up the dates and the prices.');
  const season = await openSeason(client, run, say);
  const { opening, code, coupon } = season;
  const { eventId, standing, lounge } = opening;
  say(`watch it in the console: ${styleText('cyan', `${url}/console/sales?event=${eventId}`)}`);
  const webhook = await listenToOrders(client);

  step(`What would four tickets cost with ${code.toLowerCase()}? Evaluating changes nothing.`);
  show(await evaluate(standing, { quantity: 4, codes: [code.toLowerCase()] }));

  step('A member tries an unknown code.');
  show(await evaluate(standing, { quantity: 1, codes: ['FREE-BEER'], customerSegment: 'member' }));

  step('What if members saved 15 %? Nothing is saved to find out.');
  const { effect, ...members } = season.members;
  const proposed = [{ ...members, effect: { ...effect, percent: 15 } }];
  show(await evaluate(standing, { quantity: 1, customerSegment: 'member' }, proposed));

  step('Ada puts two tickets into her cart and adds the code.');
  const cart = `cs-ada-${run}`;
  const params = { path: { id: cart } };
  const item = { offeringId: standing.id, quantity: 2 };
  await dataOf(client.POST('/v1/cart/sessions/{id}/item', { params, body: item }));
  const filled = await dataOf(client.PATCH('/v1/cart/sessions/{id}', { params, body: { coupons: [code] } }));
  say(`the cart shows ${styleText('bold', money(filled.total))}`);

  step('She goes to pay. The order holds her tickets, the code and the price for fifteen minutes.');
  const ada = orderOf(opening, { firstName: 'Ada', lastName: 'Lovelace' });
  const { data, error } = await client.POST('/v1/orders', {
    body: {
      order: {
        ...ada,
        cartSessionId: cart,
        cartVersion: filled.version,
        expectedTotal: filled.total,
        expiresInSeconds: 900,
      },
    },
  });
  if (data === undefined) throw new Error(error.message);
  const { id, status, costs } = data.data.order;
  say(`the order is ${status}, and costs ${styleText('bold', money(costs.total))}, as the cart said`);
  await showAvailability(standing.id);

  step('The payment came through: she confirms the order.');
  await dataOf(client.POST('/v1/orders/{id}/confirm', { params: { path: { id } } }));
  await showAvailability(standing.id, ({ held }) => held === 0);

  step(
    `Grace was shown ${money(filled.total)}, but her order lacks the code. Nobody pays a price that they did not see.`,
  );
  const grace = orderOf(opening, { firstName: 'Grace', lastName: 'Hopper' });
  const changed = await client.POST('/v1/orders', {
    body: { order: { ...grace, items: [item], expectedTotal: filled.total } },
  });
  say(`refused: ${styleText('yellow', changed.error?.message ?? '')}`);

  step('Linus takes four seats of a table for six with one cart. A party of three finds too few left.');
  const table = await dataOf(client.POST('/v1/cart/table-commitments', { body: { contextId: eventId, seats: 6 } }));
  const join = async (seats: number) => {
    const session = await dataOf(client.POST('/v1/cart/sessions', { body: { contextId: eventId } }));
    const body = { tableCommitmentId: table.id, seats };
    return await client.POST('/v1/cart/sessions/{id}/join-table', { params: { path: { id: session.id } }, body });
  };
  const { data: joined } = await join(4);
  say(`his cart has ${joined?.data.seats} seats until ${joined?.data.seatHeldUntil}, unless he orders`);
  say(`refused: ${styleText('yellow', (await join(3)).error?.message ?? '')}`);

  step(`Fifty buyers come, within ${seconds} seconds. Watch the bars and the cap of ${code} move in the console:`);
  say(styleText('cyan', `${url}/console/sales?event=${eventId}`));
  const { placed, cancelled, refused } = await sellToFifty({ client, season, seconds, orderOf, say });
  const reasons = [...refused].map(([reason, count]) => `${count} ${reason}`);
  say(
    `${styleText('green', `${placed} orders placed`)}, ${[`${cancelled} cancelled`, ...reasons].join(', ')}; the VIP lounge is nearly full`,
  );

  step('Ten more want the last places of the VIP lounge at the same moment.');
  const last = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const order = orderOf(opening, { firstName: 'Buyer', lastName: `No. ${n + 1}` });
      return await client.POST('/v1/orders', {
        body: { order: { ...order, items: [{ offeringId: lounge.id }] } },
      });
    }),
  );
  const sold = last.filter(({ response }) => response.status === 201).length;
  const soldOut = last.find(({ error: refusal }) => refusal?.error.code === 'SOLD_OUT')?.error?.error.details?.[0];
  say(`${styleText('green', `${sold} orders placed`)}, ${last.length - sold} refused`);
  if (soldOut) say(`a refusal says: ${styleText('yellow', `the item ${soldOut.message}`)}`);
  await showAvailability(lounge.id, ({ held }) => held === 0);

  step('Each placed order confirms its redemption by an event. The ledger of the code is full:');
  const counted = await until('the ledger has ten redemptions', 10_000, async () => {
    const of = { path: { id: coupon.id } };
    const { usage } = await dataOf(client.GET('/v1/pricing/adjustments/{id}', { params: of }));
    return usage !== undefined && usage.redeemed >= 10 && usage.redeemed;
  });
  say(`${styleText('green', `${counted} redemptions`)} of 10`);

  step('The next buyer sees why the code no longer counts.');
  show(await evaluate(standing, { quantity: 2, codes: [code] }));
  const question = new URLSearchParams({ event: eventId, offering: standing.id, quantity: '4', codes: code });
  say(`the same in the console: ${styleText('cyan', `${url}/console/explain?${question.toString()}`)}`);
  step('A storm is forecast for the second Friday. The organizer calls it off, and its orders are cancelled.');
  const second = { params: { path: { id: season.second.eventId } } };
  const reason = 'A storm is forecast. We pay your tickets back.';
  await dataOf(client.POST('/v1/events/{id}/call-off', { ...second, body: { reason, cancelOrders: true } }));
  const { report } = await until('its orders are cancelled', 30_000, async () => {
    const callOff = await dataOf(client.GET('/v1/events/{id}/call-off', second));
    return callOff.status === 'done' && callOff;
  });
  const back = report.toPayBack.map(({ amount }) => money(amount)).join(', ');
  say(`${styleText('green', `${report.cancelled} orders cancelled`)}, ${report.tickets} tickets; to pay back: ${back}`);
  say(`the report in the console: ${styleText('cyan', `${url}/console/events/${season.second.eventId}`)}`);

  if (webhook !== undefined) {
    step('A server of the organizer heard of every order, by a webhook. Each message is signed.');
    const expected = placed + cancelled + sold;
    await until('the messages arrive', 10_000, async () => webhook.heard.size >= expected);
    const kinds = Map.groupBy(webhook.heard.values(), ({ type }) => type);
    for (const [type, events] of kinds) say(`${type} ${styleText('dim', `× ${events.length}`)}`);
    say(`${webhook.forged()} messages had a wrong signature`);
    await webhook.close();
  }
  process.stdout.write('\n');
}

async function showAvailability(offeringId: string, isSettled?: (of: Availability) => boolean): Promise<void> {
  const params = { path: { id: offeringId } };
  const availability = await until('the tickets are counted', 10_000, async () => {
    const { availability: now } = await dataOf(client.GET('/v1/offerings/{id}', { params }));
    return now !== undefined && (isSettled?.(now) ?? true) && now;
  });
  const { sold, held, left } = availability;
  say(`tickets: ${sold} sold, ${held} held, ${left} left`);
}

function orderOf({ eventId, standing: { companyId } }: SeasonDate, buyer: Buyer) {
  orders += 1;
  const orderNumber = `${run}-${String(orders).padStart(3, '0')}`;
  const { firstName, lastName } = buyer;
  const name = `${firstName}.${lastName}`.toLowerCase().replaceAll(/[^a-z.0-9]/g, '');
  return {
    orderNumber,
    currency: 'EUR',
    companyId,
    organizerId: ORGANIZER,
    contextId: eventId,
    customer: { id: `cus_${name}`, email: `${name}@example.com`, firstName, lastName },
    context: { urn: `urn:v1:${companyId}:orders:order/${orderNumber}` },
  };
}

function connect(): Client {
  return createClient({
    baseUrl: url,
    apiKey: apiKey ?? keptDemoKey(),
    retries: 2,
    fetch: async (request) => {
      try {
        return await fetch(request);
      } catch (cause) {
        const advice = 'start the platform first with npm start, or set BASE_URL and API_KEY.';
        throw new Error(`Nothing responds at ${url}: ${advice}`, { cause });
      }
    },
  });
}

async function evaluate(
  { id, eventId, price }: Schemas['Offering'],
  cartContext: Schemas['EvaluateRequest']['cartContext'],
  proposed?: Schemas['ProposedAdjustment'][],
): Promise<Evaluation> {
  const params = { query: { dropped: 'candidates' } } as const;
  const body = { offering: { id, eventId, price }, cartContext, ...(proposed === undefined ? {} : { proposed }) };
  return await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { params, body }));
}

function show(evaluation: Evaluation): void {
  const { summary } = evaluation;
  line('list price', summary.subtotal);
  for (const modifier of evaluation.perUnitModifiers) line(modifierName(modifier), modifier.total, 'green');
  for (const modifier of evaluation.perOrderModifiers) line(modifierName(modifier), modifier.total, 'green');
  line('the buyer pays', summary.total, 'bold');
  for (const { name, detail } of evaluation.droppedAdjustments)
    say(styleText('dim', `not counted: ${name}: ${detail}`));
  for (const { code, status } of evaluation.codes) {
    if (status === 'unknown') say(styleText('yellow', `the code ${code} is unknown`));
  }

  function line(label: string, amount: number, style?: 'green' | 'bold'): void {
    const text = `${label.padEnd(44)}${(amount / 100).toFixed(2).padStart(9)} ${summary.currency}`;
    say(style === undefined ? text : styleText(style, text));
  }
}

function money(amount: number): string {
  return `${(amount / 100).toFixed(2)} EUR`;
}

function modifierName(modifier: Modifier): string {
  return modifier.code === undefined ? modifier.name : `${modifier.name} (${modifier.code})`;
}

function step(sentence: string): void {
  steps += 1;
  process.stdout.write(`\n${styleText('bold', `${steps}. ${sentence}`)}\n`);
}

function say(sentence: string): void {
  process.stdout.write(`   ${sentence}\n`);
}

function keptDemoKey(): string {
  const file = path.resolve(import.meta.dirname, '../.data/secrets.json');
  const key = existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets).demoApiKey;
  if (key) return key;
  throw new Error('There is no demo key yet: start the platform first with npm start, or set API_KEY and BASE_URL.');
}
