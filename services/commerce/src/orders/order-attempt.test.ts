import { EVENT_BYTES_MAX } from '@event-commerce/bus';
import { type RedemptionClaim, tenantOf, type TicketClaim } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, firstIdAt, newId } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import type { OrderDocument } from '../models.ts';
import { orderEvent } from './order-record.ts';
import { type AttemptDeps, CLAIMS_BYTES_MAX, OrderAttempt } from './order-attempt.ts';

/** The longest id of the caller's own, of characters that have `bytes` bytes each. */
const longId = (bytes: 1 | 3) => (bytes === 1 ? 'x' : '€').repeat(256);
const key = 'k'.repeat(43);
const redemption = (bytes: 1 | 3): RedemptionClaim => ({
  redemptionId: newId('rdm'),
  adjustmentId: longId(bytes),
  customerId: longId(bytes),
  quantity: 1,
  key,
});
const ticket = (bytes: 1 | 3): TicketClaim => ({ claimId: newId('tkt'), poolId: longId(bytes), quantity: 1, key });

/** An attempt that gets `claims` and `tickets`, and what it gave back of them. */
function attemptThatGets(
  claims: RedemptionClaim[],
  tickets: TicketClaim[],
  { heldFor, reopening }: { heldFor?: string; reopening?: number } = {},
) {
  const givenBack: unknown[] = [];
  const giveBack = async (_caller: Caller, _orderId: string, some: readonly unknown[]) => {
    givenBack.push(...some);
  };
  const deps: AttemptDeps = {
    purchases: {
      purchase: async (_caller, { orderId }) => ({ orderId: heldFor ?? orderId, claims, codes: [] }),
      cancel: giveBack,
    },
    tickets: { claim: async (_caller, { orderId }) => ({ orderId, claims: tickets }), cancel: giveBack },
    carts: { checkout: () => Promise.reject(new Error()), release: async () => {}, end: async () => {} },
  };
  const order = { orderId: newId('ord'), key, fingerprint: '', ...(reopening === undefined ? {} : { reopening }) };
  const attempt = new OrderAttempt(deps, {} as Caller, order);
  const purchase = { lines: [], codes: [], adjustmentIds: [], cartContext: {}, charges: 0 };
  return { attempt, givenBack, claim: async () => attempt.claim({ purchase, tickets: { items: [] } }, false) };
}

test.each([1, 3] as const)(
  'what is more than events tell of is refused, and given back: ids of %i bytes',
  async (bytes) => {
    const [claims, tickets] = [Array(500).fill(redemption(bytes)), Array(500).fill(ticket(bytes))];
    const { attempt, claim, givenBack } = attemptThatGets(claims, tickets);
    await expect(claim()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'order.items' }] });
    await attempt.letGo();
    expect(givenBack).toEqual([...claims, ...tickets]);
  },
);

test.each([1, 3] as const)('what an order may have at most fits into its events: ids of %i bytes', async (bytes) => {
  const count = Math.floor((CLAIMS_BYTES_MAX - '[[],[]]'.length) / `${JSON.stringify(ticket(1))},`.length);
  const tickets = Array(count).fill(ticket(1));
  const { claim } = attemptThatGets([], tickets);
  await expect(claim()).resolves.toMatchObject({ tickets });
  const id = longId(bytes);
  const items = Array.from({ length: 54 }, () => ({ offeringId: id, quantity: 1_000_000 }));
  const document = {
    _id: newId('ord'),
    companyId: tenantOf({ companyId: id, environment: 'test' }),
    orderNumber: id.slice(0, 128),
    status: 'placed',
    organizerId: id,
    contextId: id,
    cartSessionId: id,
    customer: { id },
    currency: 'EUR',
    items,
    costs: { total: 1 },
    claims: [],
    tickets,
    version: 1,
    createdAt: new Date(),
    changedAt: new Date(),
  } as unknown as OrderDocument;
  const event = orderEvent(outboxEntry('order.placed', new Date(), { keyId: id }), document);
  expect(event.data).toMatchObject({ items: expect.anything(), tickets });
  expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(EVENT_BYTES_MAX);
});

test('a new order does not become one of long ago, by whose time nobody would find it; a reopened one is that old', async () => {
  const heldFor = `${firstIdAt('ord', Date.now() - 3_600_000)}${newId('ord').slice(-16)}`;
  const { attempt, claim, givenBack } = attemptThatGets([redemption(1)], [], { heldFor });
  await expect(claim()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  await attempt.letGo();
  expect(givenBack).toHaveLength(1);
  const reopened = attemptThatGets([redemption(1)], [], { heldFor, reopening: 1 });
  await expect(reopened.claim()).resolves.toMatchObject({ orderId: heldFor });
});
