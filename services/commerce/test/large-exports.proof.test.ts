import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { companyWithOrders, exported } from './exports-of-orders.ts';
import { newShop, PATIENT } from './shop.ts';

/** The heap limit of the process of commerce. */
const HEAP_MIB = 96;
const MANY = 4_000;
const NEWLINE = 0x0a;

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 1, events: 1 },
    asProcesses: ['commerce'],
    env: (service): Record<string, string> =>
      service === 'commerce' ? { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` } : {},
  });
});
afterAll(async () => services?.stop());

describe('an export', () => {
  let large: Company;
  beforeAll(async () => {
    // 40 MB.
    large = await companyWithOrders(services, MANY, 10_000);
  });

  test('of any number of orders fits into little memory', async () => {
    const [commerce] = services.replicas.commerce;
    const pid = commerce?.pid;
    expect(pid).toBeGreaterThan(0);
    for (const [format, lines] of [
      ['ndjson', MANY],
      ['csv', MANY + 1],
    ] as const) {
      const { response } = await exported(services, large, `format=${format}`);
      let ended = 0;
      for await (const chunk of response.body ?? []) {
        for (const byte of chunk as Uint8Array) if (byte === NEWLINE) ended += 1;
      }
      expect([format, ended]).toEqual([format, lines]);
    }
    // All orders at once are larger than its heap: the process would have crashed.
    expect(commerce?.pid).toBe(pid);
  });

  test('ends with its reader: a company can run four at once, and more once those have ended', async () => {
    // More than the few MB that sockets buffer, which are sent even if nobody reads.
    const begin = async (format: string, signal?: AbortSignal) => exported(services, large, `format=${format}`, signal);
    const controllers = Array.from({ length: 4 }, () => new AbortController());
    const running = await Promise.all(controllers.map(({ signal }) => begin('ndjson', signal)));
    expect(running.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = await begin('ndjson');
    expect([refused.status, refused.response.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await exported(services, services.newCompany(), 'format=ndjson')).status).toBe(200);
    for (const controller of controllers) controller.abort();
    const allowed = async () => {
      const { status, response } = await begin('csv');
      await response.body?.cancel();
      return status;
    };
    await expect.poll(allowed, PATIENT).toBe(200);
  });
});

test('orders are found by an event with up to 5000 offerings', async () => {
  const { commerce, eventId, order, ticket } = await newShop(services);
  const { id } = (await order({ items: [{ offeringId: ticket, quantity: 1 }] })).body.data.order;
  const find = async () => (await commerce.get(`/orders?eventId=${eventId}`)).body;
  const offerings = services.databases.events.collection('offerings');
  // Without events that it may not have published yet.
  const like = { ...(await offerings.findOne({ offeringId: ticket })), outbox: [] };
  const copies = Array.from({ length: 5_000 }, (_, n) => ({ ...like, _id: `off_${n}`, offeringId: `off_${n}` }));
  await offerings.insertMany(copies.slice(1) as never);
  expect((await find()).data).toMatchObject([{ id }]);
  await offerings.insertOne(copies[0] as never);
  expect((await find()).error.details).toEqual([
    { path: 'eventId', message: 'has more than 5000 offerings; send offeringId instead' },
  ]);
});
