import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { styleText } from 'node:util';
import { type Client, type components, createClient, dataOf } from '@event-commerce/client';
import { until } from '@event-commerce/service-kit';
import type { KeptSecrets } from '../deploy/local/keep-secrets.ts';

type Schemas = components['schemas'];
type Evaluation = Schemas['Evaluation'];
type Modifier = Schemas['Modifier'];
type Availability = Schemas['Availability'];

// Plays the platform's story against a running one: `npm run demo` beside `npm start`.

const url = process.env['BASE_URL'] || `http://127.0.0.1:${process.env['PORT'] || 8080}`;
const apiKey = process.env['API_KEY'] || undefined;
/** Makes codes, ids and order numbers new in every run, so that the story can be repeated. */
const run = Date.now().toString(36).toUpperCase();
let client: Client;
let steps = 0;

try {
  client = connect();
  await play();
} catch (error) {
  process.stderr.write(`\n${styleText('red', (error as Error).message)}\n`);
  process.exitCode = 1;
}

async function play(): Promise<void> {
  step('A summer festival sells 60 tickets at 50.00 EUR. The organiser sets up three price rules.');
  const { eventId, offeringId } = await openSale();
  const code = `SUMMER-${run}`;
  const coupon = await createAdjustment(eventId, {
    name: '20 % with a code, ten times',
    type: 'coupon',
    category: 'discount-coupon',
    stacking: 'replace-within-category',
    conditions: { code, maxRedemptions: 10 },
    effect: { kind: 'percentage_off', percent: 20 },
  });
  await createAdjustment(eventId, {
    name: '5.00 EUR off each of four or more',
    category: 'group',
    conditions: { minQuantity: 4 },
    effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
  });
  await createAdjustment(eventId, {
    name: 'Members save 10 %',
    category: 'membership',
    conditions: { customerSegments: ['member'] },
    effect: { kind: 'percentage_off', percent: 10 },
  });

  step(`What would two tickets cost with ${code.toLowerCase()}? Evaluating changes nothing.`);
  const evaluate = evaluating(eventId, offeringId);
  show(await evaluate({ quantity: 2, codes: [code.toLowerCase()] }));

  step('A member tries an unknown code.');
  show(await evaluate({ quantity: 1, codes: ['FREE-BEER'], customerSegment: 'member' }));

  step('Ada puts two tickets into her cart and adds the code.');
  const cart = `cs-ada-${run}`;
  const params = { path: { id: cart } };
  await dataOf(client.POST('/v1/cart/sessions/{id}/item', { params, body: { offeringId, quantity: 2 } }));
  const filled = await dataOf(client.PATCH('/v1/cart/sessions/{id}', { params, body: { coupons: [code] } }));
  say(`the cart shows ${styleText('bold', money(filled.total))}`);

  step('She goes to pay. The order holds her tickets, the code and the price for fifteen minutes.');
  const { companyId } = coupon;
  const order = orderOf(companyId, eventId, 'ada');
  const { data, error } = await client.POST('/v1/orders', {
    body: { order: { ...order, cartSessionId: cart, expectedTotal: filled.total, expiresInSeconds: 900 } },
  });
  if (data === undefined) throw new Error(error.message);
  const { id, status, costs } = data.data.order;
  say(`the order is ${status}, and costs ${styleText('bold', money(costs.total))}, as the cart said`);
  await showAvailability(offeringId);

  step('The payment came through: she confirms the order.');
  await dataOf(client.POST('/v1/orders/{id}/confirm', { params: { path: { id } } }));
  await showAvailability(offeringId, ({ held }) => held === 0);

  step('Grace was shown 80.00 EUR, but her order lacks the code. Nobody pays a price that they did not see.');
  const grace = orderOf(companyId, eventId, 'grace');
  const changed = await client.POST('/v1/orders', {
    body: { order: { ...grace, items: [{ offeringId, quantity: 2 }], expectedTotal: 8_000 } },
  });
  say(`refused: ${styleText('yellow', changed.error?.message ?? '')}`);

  step('Fifty buyers want two tickets each at the same moment, with the code if it still works. 58 tickets are left.');
  const began = performance.now();
  const replies = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => buy(orderOf(companyId, eventId, `buyer${n}`), offeringId, code)),
  );
  const placed = replies.filter(({ response }) => response.status === 201);
  const reasons = Map.groupBy(
    replies.flatMap(({ error: refusal }) => refusal ?? []),
    (refusal) => refusal.error.code,
  );
  const refused = [...reasons].map(([reason, { length }]) => `${length} ${reason}`);
  say(
    `${styleText('green', `${placed.length} orders placed`)}, ${refused.join(', ')}, in ${(performance.now() - began).toFixed(0)} ms`,
  );
  const soldOut = reasons.get('SOLD_OUT')?.[0]?.error.details?.[0]?.message;
  if (soldOut) say(`a refusal says: ${styleText('yellow', `the item ${soldOut}`)}`);
  await showAvailability(offeringId, ({ held }) => held === 0);

  step('Each placed order confirms its redemption by an event. The ledger fills up:');
  const counted = await until('the ledger has ten redemptions', 10_000, async () => {
    const of = { path: { id: coupon.id } };
    const found = await dataOf(client.GET('/v1/pricing/adjustments/{id}/redemptions', { params: of }));
    return found.length >= 10 && found.length;
  });
  say(`${styleText('green', `${counted} redemptions`)} of 10`);

  step('The next buyer sees why the code no longer counts.');
  show(await evaluate({ quantity: 2, codes: [code] }));
  process.stdout.write('\n');
}

/** The id of a new event, and of an offering with 60 tickets. */
async function openSale(): Promise<{ eventId: string; offeringId: string }> {
  const event = await dataOf(client.POST('/v1/events', { body: { name: `Summer festival ${run}` } }));
  const params = { path: { id: event.id } };
  const body = { name: 'Festival ticket', price: { amount: 5000, currency: 'EUR' }, capacity: 60 };
  const offering = await dataOf(client.POST('/v1/events/{id}/offerings', { params, body }));
  return { eventId: event.id, offeringId: offering.id };
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

/** Orders two tickets with the code; without it once it has run out. */
async function buy(order: ReturnType<typeof orderOf>, offeringId: string, code: string) {
  const wanted = { ...order, items: [{ offeringId, quantity: 2 }] };
  const first = await client.POST('/v1/orders', { body: { order: { ...wanted, coupons: [code] } } });
  if (first.error?.error.code !== 'REDEMPTION_LIMIT_REACHED') return first;
  return await client.POST('/v1/orders', { body: { order: wanted } });
}

function orderOf(companyId: string, eventId: string, buyer: string) {
  const orderNumber = `${run}-${buyer}`;
  return {
    orderNumber,
    currency: 'EUR',
    companyId,
    organizerId: 'org_festival',
    contextId: eventId,
    customer: { id: `cus_${buyer}`, email: `${buyer}@example.com` },
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

async function createAdjustment(eventId: string, fields: Omit<Schemas['AdjustmentInput'], 'targets'>) {
  say(`+ ${fields.name}`);
  return await dataOf(client.POST('/v1/pricing/adjustments', { body: { targets: [{ eventId }], ...fields } }));
}

function evaluating(eventId: string, offeringId: string) {
  const offering = { id: offeringId, eventId, price: { amount: 5000, currency: 'EUR' } };
  const params = { query: { dropped: 'candidates' } } as const;
  return async (cartContext: Schemas['EvaluateRequest']['cartContext']): Promise<Evaluation> =>
    dataOf(client.POST('/v1/pricing/adjustments/evaluate', { params, body: { offering, cartContext } }));
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
