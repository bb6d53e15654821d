import { orderBody } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

const ORDERS = 60;
let platform: SharedPlatform;
let export_: (query: string, init?: RequestInit) => Promise<Response>;
let companyId: string;
let placed: number;
beforeAll(async () => {
  platform = await sharedPlatform();
  const company = await platform.newCompany();
  ({ companyId } = company);
  export_ = async (query, init = {}) =>
    fetch(`${platform.url}/v1/orders?${query}`, { ...init, headers: { authorization: `Bearer ${company.key}` } });
  const meta = { text: 'x'.repeat(20_000) };
  const replies = await Promise.all(
    Array.from({ length: ORDERS }, async () =>
      company.api.post('/v1/orders', orderBody(companyId, { items: [], meta })),
    ),
  );
  placed = replies.filter(({ status }) => status === 201).length;
});

test('an export passes through the gateway as the service writes it, without an envelope', async () => {
  expect(placed).toBe(ORDERS);
  const response = await export_('format=ndjson');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(response.headers.get('x-request-id')).not.toBeNull();
  const orders = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(orders).toHaveLength(ORDERS);
  expect(new Set(orders.map((order) => order.companyId))).toEqual(new Set([companyId]));
  const csv = await export_('format=csv');
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)]);
  expect((await csv.text()).split('\r\n')).toHaveLength(ORDERS + 2);
});

test('an export of nothing is an empty stream', async () => {
  const response = await export_('format=ndjson&email=nobody@example.com');
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'application/x-ndjson',
    '',
  ]);
});

test('HEAD of an export has its headers and no body, and a refused one is JSON in the envelope', async () => {
  const head = await export_('format=csv', { method: 'HEAD' });
  expect([
    head.status,
    head.headers.get('content-type'),
    head.headers.get('content-length'),
    await head.text(),
  ]).toEqual([200, expect.stringMatching(/^text\/csv/), null, '']);
  const refused = await export_('format=xml');
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({
      status: 'error',
      error: expect.objectContaining({ code: 'VALIDATION_FAILED' }) as unknown,
    }),
  ]);
});

test('a client that disconnects, or sends HEAD, leaves nothing running', async () => {
  for (let round = 0; round < 8; round++) {
    const abort = new AbortController();
    const response = await export_('format=ndjson', { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await export_('format=ndjson', { method: 'HEAD' });
  }
  // One company may run only a few at once: those above have ended.
  await expect
    .poll(
      async () => {
        const replies = await Promise.all(Array.from({ length: 4 }, async () => export_('format=csv')));
        await Promise.all(replies.map(async (reply) => reply.text()));
        return replies.map(({ status }) => status);
      },
      { timeout: 20_000 },
    )
    .toEqual([200, 200, 200, 200]);
});
