import { fileURLToPath } from 'node:url';
import { RECORDED_ANSWERS_FILE } from '@event-commerce/api-document';
import { ALL_OPERATIONS, type Operation, publicPath } from '@event-commerce/contracts';
import { format } from 'oxfmt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servedDocument, type ServedDocument } from './api-document.ts';
import { refusals } from './refusals.ts';
import { renamedIds } from './rename-ids.ts';
import formatting from '../../.oxfmtrc.json' with { type: 'json' };
import { startTappedPlatform, type TappedPlatform } from '../harness/platform.ts';
import { isStream, problemOf, type Received, refusedBySchema } from './problem-of.ts';
import { casesOf, examplePath, type Sent } from './cases-of.ts';

// Checks the documents that the platform serves against its real responses: first their examples in order, then
// generated requests.

const IN_FLIGHT = 8;

let platform: TappedPlatform;
let api: ServedDocument;
let events: ServedDocument;
let apiKey: string;
let readOnlyKey: string;
const ids = renamedIds();
const seenSuccess = new Set<string>();
const refused = refusals();
/** What did not respond to an `If-Match` of another version as it declares. */
const wrongAboutIfMatch: string[] = [];
/** How many requests were sent without a key. */
let unknown = 0;
/** How many messages the bus had carried when the examples were done. */
let requestsOfStory = 0;

beforeAll(async () => {
  platform = await startTappedPlatform({
    env: {
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  api = servedDocument(await readJson('/openapi.json'));
  events = servedDocument(await readJson('/asyncapi.json'));
  // The examples belong to the company that `npm start` makes a key for.
  apiKey = (await platform.newCompany({ companyId: 'demo' })).key;
  readOnlyKey = (await platform.newCompany({ companyId: 'demo', scopes: ['events:read'] })).key;
});

afterAll(async () => platform?.stop());

async function readJson(route: string) {
  return (await (await fetch(`${platform.url}${route}`)).json()) as Record<string, any>;
}

/** Sends a request, and checks that the document allows the response. Path parameters must be encoded. */
async function send(operation: Operation, request: Sent): Promise<Received> {
  const route = publicPath(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => request.path?.[name] ?? 'missing');
  const query = request.rawQuery ?? new URLSearchParams(request.query).toString();
  const raw =
    request.raw ??
    (request.body === undefined ? undefined : { contentType: 'application/json', text: JSON.stringify(request.body) });
  const key = request.key === undefined ? apiKey : request.key;
  const response = await fetch(`${platform.url}${route}${query && `?${query}`}`, {
    method: operation.method,
    headers: {
      // One address has few attempts without a key.
      ...(key === null ? { 'x-forwarded-for': `fd00:0:0:${(unknown += 1)}::` } : { authorization: `Bearer ${key}` }),
      ...(raw === undefined ? {} : { 'content-type': raw.contentType }),
      ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }),
    },
    ...(raw === undefined ? {} : { body: raw.text }),
  });
  const text = await response.text();
  const received = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : isStream(response.headers) ? text : JSON.parse(text),
  };
  const problem =
    problemOf(api, operation, received) ??
    (received.status < 300 && request.body !== undefined ? refusedBySchema(api, operation, request.body) : undefined);
  if (problem !== undefined) {
    const sent = `${operation.method} ${route}${query && `?${query}`} ${raw?.text.slice(0, 1_000) ?? ''}`;
    throw new Error(`${problem}\n  sent: ${sent}\n  answered: ${received.status} ${text.slice(0, 1_000)}`);
  }
  if (received.status < 300) seenSuccess.add(operation.id);
  else refused.add(operation.id, received.status, received.body.error);
  return received;
}

/** Sends what is to work next with an `If-Match` of another version: nothing may happen. */
async function sendAtOtherVersion(operation: Operation, request: Sent): Promise<void> {
  if (operation.method === 'GET' || operation.rpc !== undefined) return;
  const { status, body } = await send(operation, { ...request, ifMatch: '"1000000"' });
  const response = `${status} ${body.error?.code} ${body.error?.details?.[0]?.path}`;
  const declared =
    operation.versioned === 'changes' ? '409 VERSION_CONFLICT If-Match' : '400 VALIDATION_FAILED If-Match';
  if (response !== declared) wrongAboutIfMatch.push(`${operation.id}: ${response}`);
}

/** Operations that may refuse nearly all that their schema allows: no schema states their rules between members. */
const BOUND = new Set(['createAdjustment']);

describe('the OpenAPI document', () => {
  test('contains examples that work when sent in order, with their real responses', async () => {
    const answers: Record<string, { status: number; body: unknown }> = {};
    for (const operation of ALL_OPERATIONS) {
      for (const [name, example] of Object.entries(operation.examples)) {
        const { makes = {}, ...request } = example;
        const real = ids.toReal(request);
        await sendAtOtherVersion(operation, real);
        const { status, body } = await send(operation, real);
        if (status >= 300) throw new Error(`${operation.id} ${name}: ${status} ${JSON.stringify(body)}`);
        for (const [place, exampleName] of Object.entries(makes)) {
          ids.bind(
            exampleName,
            place.split('.').reduce((value, member) => value[member], body),
          );
        }
        answers[`${operation.id}.${name}`] = { status, body: ids.toExample(body) };
      }
    }
    requestsOfStory = platform.tap.sent.length;
    expect([...seenSuccess].toSorted()).toEqual(ALL_OPERATIONS.map(({ id }) => id).toSorted());
    const file = fileURLToPath(RECORDED_ANSWERS_FILE);
    const written = await format(file, JSON.stringify(answers), formatting);
    // After an intended change: npx vitest run --project integration -u api-contract
    await expect(written.code).toMatchFileSnapshot(file);
  });

  test('says which operations take If-Match: they compare it, and all others that change something refuse it', () => {
    expect(wrongAboutIfMatch).toEqual([]);
  });

  test('opens with five requests that lead to an order when they are sent as they stand there', async () => {
    const introduction = (api.document['info'] as { description: string }).description;
    const requests = Array.from(
      introduction.matchAll(/curl -s "\$API(\S+)" [^']*'Content-Type: (\S+)' \\\n {2}-d '([^']+)'/g),
    );
    const answers = [];
    for (const [, path = '', type = '', body = ''] of requests) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type };
      const response = await fetch(`${platform.url}${path}`, { method: 'POST', headers, body });
      answers.push([path, response.status, await response.json()] as const);
    }
    expect(answers.map(([path, status]) => [path, status])).toEqual([
      ['/v1/events', 201],
      ['/v1/events/evt_gala/offerings', 201],
      ['/v1/coupons', 201],
      ['/v1/cart/sessions', 201],
      ['/v1/orders', 201],
    ]);
    expect(answers[3]?.[2]).toMatchObject({ data: { total: 8000 } });
    expect(answers[4]?.[2]).toMatchObject({ data: { order: { coupons: [{ code: 'GALA20' }] } } });
  });

  test.each(ALL_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'is right about %s, whatever is sent',
    async (_id, operation) => {
      const cases = casesOf(api, ids, operation);
      const problems: string[] = [];
      const invalid: string[] = [];
      const next = cases.values();
      await Promise.all(
        Array.from({ length: IN_FLIGHT }, async () => {
          for (const request of next) {
            try {
              const { status, body } = await send(operation, request);
              if (request.isGenerated && status === 400) invalid.push(body.message);
            } catch (error) {
              problems.push((error as Error).message);
            }
          }
        }),
      );
      expect(problems.slice(0, 5)).toEqual([]);
      const generated = cases.filter(({ isGenerated }) => isGenerated);
      if (BOUND.has(operation.id) || invalid.length < generated.length) return;
      expect(invalid.slice(0, 5)).toEqual([]);
    },
  );

  test('describes a missing key and a missing scope', async () => {
    for (const operation of ALL_OPERATIONS.filter(({ scope }) => scope !== undefined)) {
      const request = { path: examplePath(ids, operation) };
      const missing = await send(operation, { ...request, key: null });
      expect([operation.id, missing.status]).toEqual([operation.id, 401]);
      if (operation.scope === 'events:read' || operation.scope === 'any') continue;
      const forbidden = await send(operation, { ...request, key: readOnlyKey });
      expect([operation.id, forbidden.status, forbidden.body.error.code]).toEqual([operation.id, 403, 'FORBIDDEN']);
    }
  });
});

test('every error is a sentence that a person could have written', async () => {
  await refused.write();
  expect(refused.strange()).toEqual([]);
});

/** What only time, a race or a killed process causes, and no example; each has its own tests. */
const RARE = new Set([
  'domain.commerce.order.expired',
  'domain.pricing.redemption.lapsed',
  'domain.cart.table.full',
  'domain.events.offering.available',
  'domain.events.offering.sold_out',
  'rpc.cart.release-checkout',
  'rpc.commerce.coupon-state',
  'rpc.commerce.orders-standing',
  'rpc.commerce.settle-order',
]);

describe('the AsyncAPI document', () => {
  test('describes every event that was published and every request that was made', async () => {
    // Events are published after the response.
    await expect
      .poll(() => platform.tap.sent.some(({ subject }) => subject === 'domain.commerce.order.cancelled'))
      .toBe(true);
    const channels = events.document['channels'] as Record<string, { messages: Record<string, { $ref: string }> }>;
    const problems = new Set<string>();
    const check = (channel: string, message: { headers: Record<string, string>; body: unknown }) => {
      const messages = Object.values(channels[channel]?.messages ?? {});
      const fits = messages.some(({ $ref }) => {
        const headersFit =
          events.resolve({ $ref })['headers'] === undefined || events.validator(`${$ref}/headers`)(message.headers);
        return headersFit && events.validator(`${$ref}/payload`)(message.body);
      });
      if (!fits) problems.add(`${channel}: ${JSON.stringify(message).slice(0, 600)}`);
    };
    for (const [index, message] of platform.tap.sent.entries()) {
      // The gateway passes on what it is sent, including requests that pricing then rejects.
      const isRefusable = message.subject === 'rpc.pricing.evaluate' && index >= requestsOfStory;
      if (!isRefusable) check(message.subject, message);
    }
    // One with a 1xx is not the reply yet.
    const replies = platform.tap.replies.filter(({ headers }) => headers['status']?.startsWith('1') !== true);
    for (const reply of replies) check(`${reply.subject}.reply`, reply);
    expect([...problems].slice(0, 5)).toEqual([]);

    const subjects = new Set(platform.tap.sent.map(({ subject }) => subject));
    const unseen = Object.keys(channels).filter((name) => !name.endsWith('.reply') && !subjects.has(name));
    expect(unseen.filter((name) => !RARE.has(name))).toEqual([]);
    const published = new Set(platform.tap.sent.slice(0, requestsOfStory).map(({ subject }) => subject));
    expect([...RARE].filter((name) => name.startsWith('domain.') && published.has(name))).toEqual([]);
  });
});
