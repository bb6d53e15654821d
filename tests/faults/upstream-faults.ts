import { randomUUID } from 'node:crypto';
import { orderBody, type Reply } from '@event-commerce/test-kit';
import { type Fault, finding } from './fault.ts';
import type { NetworkFault } from './connection-pair.ts';
import type { TestBed, TestCompany } from './test-bed.ts';

const ORDERS = 6;
const ITEMS = 400;
/** After the headers of a response, and well before its end. */
const CUT_AFTER_BYTES = 2_000;

function failing(how: string, fault: NetworkFault, status: number): Fault {
  return {
    id: '35',
    name: `a service ${how}`,
    expected: `${status} for reads and writes, with no address in the body`,
    async run(bed) {
      const company = await bed.newCompany();
      await bed.link('gateway', 'commerce').set(fault);
      const replies = await Promise.all([
        company.api.get('/v1/orders'),
        company.api.post('/v1/orders', orderBody(company.companyId)),
      ]);
      const statuses = replies.map((reply) => reply.status);
      const wrong = [
        ...(statuses.every((seen) => seen === status) ? [] : ['another status']),
        ...(replies.some(namesAnAddress) ? ['an address in the body'] : []),
      ];
      return finding(`${statuses.join(' and ')}, ${replies.map(({ body }) => body.error?.code).join(' and ')}`, wrong);
    },
  };
}

function namesAnAddress({ body }: Reply): boolean {
  return /127\.0\.0\.1|localhost|ECONN|:\d{4,5}\b/.test(JSON.stringify(body));
}

const busy: Fault = {
  id: '36',
  name: 'a service returns 503',
  expected: '503 with Retry-After after exactly one attempt',
  async run(bed) {
    const { api } = await bed.newCompany();
    // Without its database commerce itself responds with 503.
    await bed.link('commerce', 'mongo').set({ kind: 'refuse' });
    const marker = `once-${randomUUID()}`;
    const attempts = bed.link('gateway', 'commerce').count(marker);
    const reply = await api.get('/v1/orders', { 'x-request-id': marker });
    const retryAfter = reply.headers.get('retry-after');
    const wrong = [
      ...(reply.status === 503 ? [] : ['another status']),
      ...(retryAfter === null ? ['no Retry-After'] : []),
      ...(attempts.seen === 1 ? [] : ['not one attempt']),
    ];
    return finding(`${reply.status}, Retry-After ${retryAfter}, ${attempts.seen} attempt`, wrong);
  },
};

const midBody: Fault = {
  id: '37',
  name: 'a service breaks off in the middle of a response',
  expected: "the client's connection is aborted, never closed normally",
  async run(bed) {
    const company = await bed.newCompany();
    const first = await placeLargeOrder(company);
    await Promise.all(Array.from({ length: ORDERS - 1 }, () => placeLargeOrder(company)));
    const seen: string[] = [];
    const wrong: string[] = [];
    // One response that the gateway passes on in one piece, and one that it streams.
    for (const [size, path] of [
      ['small', `/v1/orders/${first}`],
      ['large', '/v1/orders?limit=50'],
    ] as const) {
      for (const how of ['reset', 'end'] as const) {
        const bytes = (await read(bed, company, path)).length;
        await bed.link('gateway', 'commerce').set({ kind: 'cut', afterBytes: CUT_AFTER_BYTES, how });
        const outcome = await read(bed, company, path).then(
          (text) => `ended after ${text.length} bytes`,
          () => 'aborted',
        );
        await bed.link('gateway', 'commerce').set({ kind: 'reset' });
        await bed.link('gateway', 'commerce').set({ kind: 'pass' });
        seen.push(`${size} (${Math.round(bytes / 1024)} KiB) by ${how}: ${outcome}`);
        if (outcome !== 'aborted') wrong.push(`a ${size} response looked complete`);
      }
    }
    return finding(seen.join('; '), wrong);
  },
};

async function placeLargeOrder({ api, companyId }: TestCompany): Promise<string> {
  const items = Array.from({ length: ITEMS }, (_, n) => ({
    offeringId: `off_${n}`,
    name: `Ticket ${n} ${'x'.repeat(80)}`,
    quantity: 1,
    unitPrice: 5_000,
  }));
  const { body } = await api.post('/v1/orders', orderBody(companyId, { items }));
  return body.data.order.id;
}

async function read(bed: TestBed, company: TestCompany, path: string): Promise<string> {
  const response = await fetch(`${bed.platform.url}${path}`, { headers: company.headers });
  return await response.text();
}

export const upstreamFaults: readonly Fault[] = [
  failing('refuses connections', { kind: 'refuse' }, 502),
  failing('resets connections', { kind: 'reset' }, 502),
  failing('hangs', { kind: 'hang' }, 504),
  busy,
  midBody,
];
