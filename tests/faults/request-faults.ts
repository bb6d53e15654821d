import { randomUUID } from 'node:crypto';
import {
  adjustmentBody,
  type ApiClient,
  hostileMembers,
  newCode,
  orderBody,
  type Reply,
} from '@event-commerce/test-kit';
import { BODY_BYTES_MAX, until } from '@event-commerce/service-kit';
import { type Fault, finding, type Form } from './fault.ts';
import { judgeOrders, listAll } from './judge-orders.ts';
import { startOrders } from './order-stream.ts';
import type { TestCompany } from './test-bed.ts';
import { statusesOf } from './traffic.ts';

const WAIT_MS = 20_000;
/** How long a client waits before it retries after its gateway was killed. Faster retries would delay its restart. */
const RETRY_AFTER_MS = 250;
const POISON_ROUNDS: Record<Form, number> = { short: 5, usual: 10, long: 50 };

const poisoned: Fault = {
  id: '53',
  name: 'requests that no database can write arrive among valid ones',
  expected: 'each is refused with a 4xx or written completely; the valid ones of other companies are placed',
  async run(bed, form) {
    const [company, attacker] = await Promise.all([bed.newCompany(), bed.newCompany()]);
    const coupon = await company.createCoupon();
    // Before the orders: this process also passes on what is sent between the services, and building them takes it a
    // second.
    const bodies = poisonedBodies(attacker);
    const orders = startOrders(company, () => [coupon.code]);
    // Processes that just started are slow: on a busy machine they have no time for their first requests.
    await until('orders are placed', WAIT_MS, () => orders.placed() > orders.workers);
    const retriedBefore = orders.retried();
    const replies: { status: number }[] = [];
    for (let round = 0; round < POISON_ROUNDS[form]; round++) {
      replies.push(
        ...(await Promise.all(bodies.map(async ([path, body]) => send(bed.platform.url, attacker, path, body)))),
      );
    }
    const answers = await orders.finish();
    const wrong = await judgeOrders(bed, company, [coupon], answers);
    if (replies.some(({ status }) => status >= 500 || status === 0)) wrong.push('a poisoned request did not get a 4xx');
    const retried = answers.retried.slice(retriedBefore);
    if (retried.length > 0) wrong.push(`valid orders had to be retried: ${statusesOf(retried)}`);
    return finding(`poisoned: ${statusesOf(replies)}; good orders: ${answers.placed.size}`, wrong);
  },
};

/**
 * Every hostile field in every record that is written together with other companies' records. What is too large is
 * rejected unread.
 */
function poisonedBodies({ companyId }: TestCompany): [path: string, body: string][] {
  const bodies = Object.values(hostileMembers()).flatMap((hostile): [string, string][] => {
    try {
      return [
        ['/v1/orders', JSON.stringify(orderBody(companyId, { meta: hostile }))],
        ['/v1/cart/sessions', JSON.stringify({ meta: hostile })],
        ['/v1/events', JSON.stringify({ name: 'Gala', meta: hostile, tags: [hostile] })],
      ];
    } catch {
      // A value without JSON cannot be sent.
      return [];
    }
  });
  return bodies.filter(([, body]) => body.length < BODY_BYTES_MAX);
}

async function send(url: string, { headers }: TestCompany, path: string, body: string): Promise<{ status: number }> {
  const request = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  try {
    const response = await fetch(url + path, request);
    await response.arrayBuffer();
    return response;
  } catch {
    return { status: 0 };
  }
}

interface Kind {
  service: 'pricing' | 'commerce' | 'events';
  bodyOf: (companyId: string, name: string) => Record<string, unknown>;
}
const KINDS: Readonly<Record<string, Kind>> = {
  '/v1/orders': {
    service: 'commerce',
    bodyOf: (companyId, name) => orderBody(companyId, { orderNumber: name }),
  },
  '/v1/coupons': { service: 'commerce', bodyOf: (_companyId, name) => ({ code: name, percentOff: 10 }) },
  '/v1/pricing/adjustments': { service: 'pricing', bodyOf: (_companyId, name) => adjustmentBody(newCode(), { name }) },
  '/v1/events': { service: 'events', bodyOf: (_companyId, name) => ({ name }) },
};

const gatewayKilled: Fault = {
  id: '54',
  name: 'the gateway is killed after a request took effect and before its response is stored',
  expected: 'a retry with the same Idempotency-Key gets the response, and the request took effect once',
  async run(bed) {
    const { companyId, api } = await bed.newCompany();
    const wrong: string[] = [];
    const requests = Object.entries(KINDS).map(([path, { service, bodyOf }]) => {
      const name = `ONCE-${randomUUID()}`;
      return { path, service, name, body: bodyOf(companyId, name), headers: { 'idempotency-key': name } };
    });
    const held = requests.map(async ({ service, name, path, body, headers }) => {
      const answered = bed.link('gateway', service).holdAt(name, 'answer');
      const posted = api.post(path, body, headers).then(
        () => wrong.push(`${path} was answered before the kill`),
        () => undefined,
      );
      await Promise.race([answered, posted]);
    });
    await Promise.all(held);
    bed.platform.kill('gateway', 'SIGKILL');
    await bed.setLinks({ kind: 'pass' });
    const seen = await Promise.all(
      requests.map(async ({ path, name, body, headers }) => {
        const { status, body: answer } = await finalAnswer(api, path, body, headers);
        const made = (await listAll(api, path)).filter((record) => JSON.stringify(record).includes(name));
        // The number identifies an order: the response shows that it is not new.
        if (status !== 201 && status !== 200) wrong.push(`${path} returned ${status} ${answer.error?.code}`);
        if (made.length !== 1) wrong.push(`${path} took effect ${made.length} times`);
        return `${path.slice('/v1/'.length)} ${status}`;
      }),
    );
    return finding(seen.join(', '), wrong);
  },
};

async function finalAnswer(
  api: ApiClient,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  const answered = async (): Promise<Reply | false> => {
    const reply = await api.post(path, body, headers);
    return reply.status < 500 && reply.body.error?.code !== 'IDEMPOTENCY_KEY_IN_USE' && reply;
  };
  return await until('the request has its final response', WAIT_MS, answered, RETRY_AFTER_MS);
}

export const requestFaults: readonly Fault[] = [poisoned, gatewayKilled];
