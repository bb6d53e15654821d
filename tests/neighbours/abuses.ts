import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, type ApiClient, newCode, orderBody, type Reply } from '@event-commerce/test-kit';
import { createKeyText } from '../../gateway/src/auth/key-format.ts';

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
const LINES = 500;
const MEBIBYTE = 2 ** 20;

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
    prepare: async ({ setup: api, companyId }) => {
      for (let n = 0; n < 200; n++) {
        const { order } = orderBody(companyId);
        await made(api.post('/v1/orders', { order: { ...order, meta: freeObject(), answers: freeObject() } }));
      }
    },
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
      for (let n = 0; n < LINES; n++) {
        const item = { offeringId: `off_${n}`, quantity: 2, price: { amount: 5_000 + n, currency: 'EUR' } };
        await made(api.post('/v1/cart/sessions/costly/item', item));
      }
    },
    act: async ({ api }) => await status(api.get('/v1/cart/sessions/costly')),
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
    prepare: async ({ setup: api, companyId }) => {
      for (let n = 0; n < 60; n++) {
        const { order } = orderBody(companyId);
        await made(api.post('/v1/orders', { order: { ...order, meta: freeObject() } }));
      }
    },
    act: async ({ key, port }) => {
      const request = `GET /v1/orders?limit=200 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`;
      const socket = (await opened(port, request)).pause();
      await delay(5_000);
      socket.destroy();
      return 0;
    },
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

/** A body of nearly 1 MiB with as many problems as fit. */
function manyProblems(n: number): unknown {
  return { code: n, contextIds: Array.from({ length: 100_000 }, () => 1_234_567) };
}

/** 500 targets with the longest allowed ids. */
function largestAdjustment(): unknown {
  const targets = Array.from({ length: LINES }, (_, n) => ({
    urn: `urn:v1::events:event/${String(n).padStart(4, '0')}${'x'.repeat(240)}`,
  }));
  const code = newCode();
  return adjustmentBody(code, { name: 'x'.repeat(256), targets, conditions: { code } });
}

/** Nearly the largest allowed in an order. */
function freeObject(): unknown {
  return Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`field${n}`, 'x'.repeat(4_000)]));
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
