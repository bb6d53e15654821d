import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, type ApiClient, newCode, orderBody, type Reply } from '@event-commerce/test-kit';
import { createKeyText } from '../../gateway/src/auth/key-format.ts';
import { freeObject, largestAdjustment, LINES, manyProblems } from './largest-bodies.ts';

/** The abusing company, with a key of the default limits and every scope. */
export interface Abuser {
  companyId: string;
  api: ApiClient;
  /** A key with a practically unlimited rate, so that the preparation takes no measured time. */
  setup: ApiClient;
  key: string;
  /** The gateway's address. */
  port: number;
}

/** Something a company may do that harms others: `prepare` once, then `act` again and again. */
export interface Abuse {
  name: string;
  prepare?: (abuser: Abuser) => Promise<void>;
  /** One request or its equivalent; a number is its status. Throws when the connection breaks. */
  act: (abuser: Abuser, n: number) => Promise<number>;
  /** The status that shows that the abuse took place; 0: it gets no response. */
  expected: number;
  /** How many at once. */
  clients: number;
}

/** For preparations: without its records, an abuse harms nobody. */
async function made(reply: Promise<Reply>): Promise<void> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`the preparation got ${status}: ${JSON.stringify(body).slice(0, 500)}`);
}

const status = async (reply: Promise<{ status: number }>): Promise<number> => (await reply).status;
const EVALUATE = '/v1/pricing/adjustments/evaluate?dropped=candidates';
const FULL_CART = '/v1/cart/sessions/full';
/** As many as one price may compare with a full cart. */
const CODES_OF_MANY_TARGETS = 6;
const ADJUSTMENTS_BY_TAG = 180;
/** Of 250 characters each: 8 KiB as JSON. */
const TAGS = 32;
const MEBIBYTE = 2 ** 20;
/** An adjustment that needs no code. */
const GENERAL = { type: 'promotion', category: 'promotion', origin: 'catalogue' };

export const abuses: Abuse[] = [
  {
    name: 'member names of 750 KB',
    expected: 400,
    clients: 16,
    act: async ({ api }) =>
      await status(api.post(EVALUATE, { offering: { id: 'off_1', ['x'.repeat(750_000)]: 1 }, cartContext: {} })),
  },
  {
    name: 'bodies of 1 MiB that are refused',
    expected: 400,
    clients: 16,
    act: async ({ api }, n) => await status(api.post('/v1/coupons', manyProblems(n))),
  },
  {
    name: 'the largest adjustments',
    expected: 201,
    clients: 16,
    act: async ({ api }) => await status(api.post('/v1/pricing/adjustments', largestAdjustment())),
  },
  {
    name: 'changes of the largest adjustment',
    expected: 200,
    clients: 16,
    prepare: async ({ setup: api }) => {
      await made(api.post('/v1/pricing/adjustments', largestAdjustment()));
    },
    act: async ({ api }, n) => {
      const { body } = await api.get('/v1/pricing/adjustments?limit=1');
      return await status(api.patch(`/v1/pricing/adjustments/${body.data[0].id}`, { name: `Change ${n}` }));
    },
  },
  {
    name: 'pages of the largest orders',
    expected: 200,
    clients: 8,
    prepare: async (abuser) => placeOrders(abuser, 200, { meta: freeObject(), answers: freeObject() }),
    act: async ({ api }) => await status(api.get('/v1/orders?limit=200')),
  },
  {
    name: 'the costliest carts to price',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      for (let n = 0; n < 900; n += 30) {
        const stacking = ['exclusive', 'replace-within-category', 'stackable'][(n / 30) % 3];
        const per = n % 60 === 0 ? 'order' : 'unit';
        const bodies = Array.from({ length: 30 }, (_, m) => ({
          name: `Everywhere ${n + m}`,
          type: 'promotion',
          category: 'promotion',
          stacking,
          targets: [{ urn: 'urn:v1::events:event/*' }],
          conditions: stacking === 'exclusive' ? { minQuantity: 100_000 } : {},
          effect:
            stacking === 'stackable'
              ? { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 1, per: 'order' }
              : { kind: 'amount_off', amount: 1 + n, currency: 'EUR', per },
        }));
        await Promise.all(bodies.map(async (body) => made(api.post('/v1/pricing/adjustments', body))));
      }
      await fillCart(api, (n) => ({ offeringId: `off_${n}`, price: { amount: 5_000 + n, currency: 'EUR' } }));
    },
    act: priceFullCart,
  },
  {
    name: 'carts with codes of 500 targets each',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      const coupons = Array.from({ length: CODES_OF_MANY_TARGETS }, newCode);
      for (const code of coupons) {
        await made(api.post('/v1/pricing/adjustments', largestAdjustment({ conditions: { code } })));
      }
      await fillCart(api, (n) => ({ offeringId: `off_${n}`, price: { amount: 5_000, currency: 'EUR' } }));
      await made(api.patch(FULL_CART, { coupons }));
    },
    act: priceFullCart,
  },
  {
    name: 'carts of offerings with 8 KiB of tags',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      const tags = Array.from({ length: TAGS }, (_, n) => `${n}`.padEnd(250, 'x'));
      await made(api.post('/v1/events', { id: 'evt_1', name: 'Tagged' }));
      const named = (n: number) => ({ id: `off_${n}`, name: 'Seat', price: { amount: 5_000, currency: 'EUR' }, tags });
      for (let n = 0; n < LINES; n++) await made(api.post('/v1/events/evt_1/offerings', named(n)));
      for (let n = 0; n < ADJUSTMENTS_BY_TAG; n++) {
        const tagged = adjustmentBody(`${n}`, { ...GENERAL, conditions: { tags: ['none'] } });
        await made(api.post('/v1/pricing/adjustments', tagged));
      }
      await fillCart(api, (n) => ({ offeringId: `off_${n}` }));
    },
    act: priceFullCart,
  },
  {
    name: 'carts with 500 unknown codes',
    expected: 200,
    clients: 16,
    prepare: async ({ setup: api }) => {
      const item = { offeringId: 'off_1', quantity: 2, price: { amount: 5_000, currency: 'EUR' } };
      await made(api.post('/v1/cart/sessions/guessing/item', item));
    },
    act: async ({ api }) =>
      await status(api.patch('/v1/cart/sessions/guessing', { coupons: Array.from({ length: LINES }, newCode) })),
  },
  {
    name: 'uploads that hold back the last byte',
    expected: 0,
    clients: 200,
    act: async ({ key, port }) => {
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
      const socket = await opened(port, `${head}content-length: ${MEBIBYTE}\r\n\r\n${' '.repeat(MEBIBYTE - 1)}`);
      return await answered(socket, 5_000);
    },
  },
  {
    name: 'responses that nobody reads',
    expected: 0,
    clients: 132,
    prepare: fillPage,
    act: async (abuser) => {
      const socket = (await askForPage(abuser)).pause();
      await delay(5_000);
      socket.destroy();
      return 0;
    },
  },
  {
    name: 'clients that leave before the response',
    expected: 0,
    clients: 32,
    prepare: fillPage,
    act: async (abuser) => await answered(await askForPage(abuser), 20),
  },
  {
    name: 'invalid keys',
    expected: 401,
    clients: 32,
    act: async ({ port }) => {
      // Well formed, so that only a look-up shows that there is no such key.
      const authorization = `Bearer ${createKeyText('live', newId('key')).text}`;
      const response = await fetch(`http://127.0.0.1:${port}/v1/coupons`, { headers: { authorization } });
      await response.arrayBuffer();
      return response.status;
    },
  },
];

/** A cart with as many lines as it may have. */
async function fillCart(api: ApiClient, itemOf: (n: number) => Record<string, unknown>): Promise<void> {
  for (let n = 0; n < LINES; n++) await made(api.post(`${FULL_CART}/item`, { ...itemOf(n), quantity: 2 }));
}

async function priceFullCart({ api }: Abuser): Promise<number> {
  return await status(api.get(FULL_CART));
}

/** More orders than a page holds: it ends at 1 MiB. */
async function fillPage(abuser: Abuser): Promise<void> {
  await placeOrders(abuser, 60, { meta: freeObject() });
}

async function placeOrders({ setup: api, companyId }: Abuser, count: number, fields: object): Promise<void> {
  for (let n = 0; n < count; n++) await made(api.post('/v1/orders', orderBody(companyId, { ...fields })));
}

async function askForPage({ key, port }: Abuser): Promise<Socket> {
  return await opened(port, `GET /v1/orders?limit=200 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
}

async function opened(port: number, head: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  socket.write(head);
  return socket;
}

/** The status that arrives within `withinMs`, or 0; the socket is closed then. */
async function answered(socket: Socket, withinMs: number): Promise<number> {
  const found = await Promise.race([
    new Promise<number>((resolve) => socket.once('data', (data) => resolve(Number(data.toString().slice(9, 12))))),
    new Promise<number>((resolve) => socket.once('close', () => resolve(0))),
    delay(withinMs, 0),
  ]);
  socket.destroy();
  return found;
}
