import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type Client, type components, createClient, dataOf } from '@event-commerce/client';
import type { KeptSecrets } from '../deploy/local/keep-secrets.ts';

type Schemas = components['schemas'];
type Evaluation = Schemas['Evaluation'];
type Modifier = Schemas['Modifier'];

// Plays the platform's story against a running one: `npm run demo` beside `npm start`.

const url = process.env['BASE_URL'] || `http://127.0.0.1:${process.env['PORT'] || 8080}`;
const apiKey = process.env['API_KEY'] || undefined;
/** Makes codes, ids and order numbers new in every run, so that the story can be repeated. */
const run = Date.now().toString(36).toUpperCase();
const eventId = `evt_demo_${run}`;
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
  step('A summer festival sells tickets at 50.00 EUR. The organiser sets up three price rules.');
  const code = `SUMMER-${run}`;
  const coupon = await createAdjustment({
    name: '20 % with a code, ten times',
    type: 'coupon',
    category: 'discount-coupon',
    stacking: 'replace-within-category',
    conditions: { code, maxRedemptions: 10 },
    effect: { kind: 'percentage_off', percent: 20 },
  });
  await createAdjustment({
    name: '5.00 EUR off each of four or more',
    category: 'group',
    conditions: { minQuantity: 4 },
    effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
  });
  await createAdjustment({
    name: 'Members save 10 %',
    category: 'membership',
    conditions: { customerSegments: ['member'] },
    effect: { kind: 'percentage_off', percent: 10 },
  });

  step(`A buyer wants two tickets and types ${code.toLowerCase()}.`);
  show(await evaluate({ quantity: 2, codes: [code.toLowerCase()] }));

  step(
    'The buyer brings friends: four tickets. Evaluating changes nothing, so you can repeat it as often as you like.',
  );
  show(await evaluate({ quantity: 4, codes: [code.toLowerCase()] }));

  step('A member tries an unknown code.');
  show(await evaluate({ quantity: 1, codes: ['FREE-BEER'], customerSegment: 'member' }));

  step('Fifty buyers order at the same moment, all with the code that works ten times.');
  const { companyId } = coupon;
  const began = performance.now();
  const replies = await Promise.all(Array.from({ length: 50 }, async (_, n) => placeOrder(companyId, code, n)));
  const placed = replies.filter(({ response }) => response.status === 201);
  const refused = replies.find(({ response }) => response.status === 409)?.error;
  say(
    `${styleText('green', `${placed.length} orders placed`)}, ${50 - placed.length} refused, in ${(performance.now() - began).toFixed(0)} ms`,
  );
  if (refused) say(`a refusal says: ${styleText('yellow', refused.message)}`);

  step('Each placed order confirms its redemption by an event. The ledger fills up:');
  const counted = await untilCounted(coupon.id, placed.length);
  say(`${styleText('green', `${counted} redemptions`)} of 10, one for each placed order`);

  step('The eleventh buyer sees why the code no longer counts.');
  show(await evaluate({ quantity: 2, codes: [code] }));
  process.stdout.write('\n');
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

async function createAdjustment(fields: Omit<Schemas['AdjustmentInput'], 'targets'>) {
  say(`+ ${fields.name}`);
  return await dataOf(client.POST('/v1/pricing/adjustments', { body: { targets: [{ eventId }], ...fields } }));
}

async function evaluate(cartContext: Schemas['EvaluateRequest']['cartContext']): Promise<Evaluation> {
  const offering = { id: 'off_festival', eventId, price: { amount: 5000, currency: 'EUR' } };
  const params = { query: { dropped: 'candidates' } } as const;
  return await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { params, body: { offering, cartContext } }));
}

async function placeOrder(companyId: string, code: string, n: number) {
  const orderNumber = `${run}-${n}`;
  return await client.POST('/v1/orders', {
    body: {
      order: {
        orderNumber,
        currency: 'EUR',
        companyId,
        organizerId: 'org_festival',
        contextId: eventId,
        customer: { id: `cus_${n}`, email: `buyer${n}@example.com` },
        items: [{ offeringId: 'off_festival', name: 'Festival ticket', quantity: 2, unitPrice: 5000 }],
        coupons: [code],
        context: { urn: `urn:v1:${companyId}:orders:order/${orderNumber}` },
      },
    },
  });
}

async function untilCounted(adjustmentId: string, expected: number): Promise<number> {
  const deadline = performance.now() + 10_000;
  const params = { path: { id: adjustmentId } };
  for (;;) {
    const found = await dataOf(client.GET('/v1/pricing/adjustments/{id}/redemptions', { params }));
    if (found.length >= expected || performance.now() > deadline) return found.length;
    await delay(100);
  }
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
