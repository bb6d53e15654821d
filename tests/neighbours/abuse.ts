import { type ApiClient, orderBody, type Reply } from '@event-commerce/test-kit';

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
export async function made(reply: Promise<Reply>): Promise<Reply> {
  const got = await reply;
  const { status, body } = got;
  if (status >= 300) throw new Error(`the preparation got ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  return got;
}

/** The number of concurrent preparations. */
const AT_ONCE = 16;

/** Makes `count` records. */
export async function makeMany(count: number, make: (n: number) => Promise<Reply>): Promise<void> {
  for (let n = 0; n < count; n += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - n) }, async (_, m) => made(make(n + m)));
    await Promise.all(some);
  }
}

export async function statusOf(reply: Promise<{ status: number }>): Promise<number> {
  return (await reply).status;
}

export async function placeOrders({ setup, companyId }: Abuser, count: number, fields: object): Promise<void> {
  await makeMany(count, () => setup.post('/v1/orders', orderBody(companyId, { ...fields })));
}
