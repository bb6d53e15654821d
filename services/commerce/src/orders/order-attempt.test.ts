import { EVENT_BYTES_MAX } from '@event-commerce/bus';
import { SALE_BYTES_MAX } from './domain/order-sale.ts';
import {
  type ClaimTicketsReply,
  PlatformError,
  type PurchaseReply,
  type RedemptionClaim,
  soldOut,
  tenantOf,
  type TicketClaim,
  toRefusal,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, newId, RESPOND_WITHIN_MS } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import type { OrderDocument } from '../models.ts';
import { orderEvent } from './order-record.ts';
import { CLAIMS_BYTES_MAX, OrderAttempt } from './order-attempt.ts';
import type { HeldForOrder, NumberedAttempt } from './order-number.repository.ts';

/** The longest id of the caller's own, of characters that have `bytes` bytes each. */
const longId = (bytes: 1 | 3) => (bytes === 1 ? 'x' : '€').repeat(256);
const redemption = (bytes: 1 | 3): RedemptionClaim => ({
  redemptionId: newId('rdm'),
  adjustmentId: longId(bytes),
  customerId: longId(bytes),
  quantity: 1,
});
const ticket = (bytes: 1 | 3): TicketClaim => ({
  claimId: newId('tkt'),
  poolId: longId(bytes),
  of: { offeringId: longId(bytes) },
  quantity: 1,
});

/**
 * An attempt that gets these replies, what it asked for which order, and what it released. `isLast`: no copy is left.
 */
function attemptThatGets(
  purchased: () => PurchaseReply,
  claimed: () => ClaimTicketsReply,
  { orderId = newId('ord'), isLast = true }: { orderId?: string; isLast?: boolean } = {},
) {
  const givenBack: unknown[] = [];
  const askedFor: string[] = [];
  const left: HeldForOrder[] = [];
  const release = async (_caller: Caller, _orderId: string, some: readonly unknown[]) => {
    givenBack.push(...some);
  };
  const deps = {
    orders: { isVoid: async () => false, settle: () => expect.unreachable(), useUp: () => expect.unreachable() },
    numbers: {
      enter: async () => ({ kind: 'entered' as const, orderId }),
      leave: async (_leaving: NumberedAttempt, held: HeldForOrder) => {
        left.push(held);
        return isLast ? held : undefined;
      },
      remove: async () => {},
    },
    purchases: {
      purchase: async (_caller: Caller, request: { orderId: string }) => {
        askedFor.push(request.orderId);
        return purchased();
      },
      amend: () => expect.unreachable(),
      previewAmendment: () => expect.unreachable(),
      follow: () => expect.unreachable(),
      cancel: release,
    },
    tickets: {
      claim: async (_caller: Caller, request: { orderId: string }) => {
        askedFor.push(request.orderId);
        return claimed();
      },
      follow: () => expect.unreachable(),
      cancel: release,
    },
    carts: {
      checkout: () => Promise.reject(new Error()),
      release: async () => {},
      followAmended: async () => {},
      end: async () => {},
    },
  };
  const attempt = new OrderAttempt(deps, {} as Caller, { id: newId('ord'), number: 'N-1', fingerprint: '' });
  const purchase = { lines: [], codes: [], adjustmentIds: [], cartContext: {}, charges: 0 };
  const claim = async () => {
    await attempt.enter();
    return await attempt.claim({ purchase, tickets: { customer: { email: 'ada@example.com' }, items: [] } });
  };
  return { attempt, askedFor, givenBack, left, claim };
}

test.each([1, 3] as const)(
  'an order that claims more than its events can carry is refused and releases all: ids of %i bytes',
  async (bytes) => {
    const claims = Array.from({ length: 500 }, () => redemption(bytes));
    const tickets = Array.from({ length: 500 }, () => ticket(bytes));
    const { attempt, claim, givenBack } = attemptThatGets(
      () => ({ claims, codes: [] }),
      () => ({ claims: tickets }),
    );
    await expect(claim()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'order.items' }] });
    await attempt.leave();
    expect(givenBack).toEqual([...claims, ...tickets]);
  },
);

test('a copy of an order claims under the order id of its number', async () => {
  const orderId = newId('ord');
  const { askedFor, attempt, claim } = attemptThatGets(
    () => ({ claims: [], codes: [] }),
    () => ({ claims: [] }),
    { orderId },
  );
  await claim();
  expect([attempt.orderId, askedFor]).toEqual([orderId, [orderId, orderId]]);
});

test.each([true, false])(
  'the last attempt at a refused order releases what is held for it: last %s',
  async (isLast) => {
    const [claims, spare, tickets] = [[redemption(1)], [redemption(1)], [ticket(1)]];
    const refusal = toRefusal(soldOut([]));
    const { attempt, claim, givenBack, left } = attemptThatGets(
      () => ({ claims, spare, codes: [] }),
      () => ({ refusal, spare: tickets }),
      { isLast },
    );
    await expect(claim()).rejects.toMatchObject({ code: 'SOLD_OUT' });
    await attempt.leave();
    expect(left).toEqual([{ redemptions: [...claims, ...spare], tickets, sessions: [] }]);
    expect(givenBack).toEqual(isLast ? [...claims, ...spare, ...tickets] : []);
  },
);

test.each([
  ['a timeout, which leaves open what is held', tryAgainShortly('There was no reply.'), false],
  ['a refusal of the request', new PlatformError('VALIDATION_FAILED', 'The body is not valid.'), true],
])('an attempt leaves its number after %s: %o', async (_what, error, leaves) => {
  const { attempt, claim, left } = attemptThatGets(
    () => ({ claims: [redemption(1)], codes: [] }),
    () => {
      throw error;
    },
  );
  await expect(claim()).rejects.toBe(error);
  await attempt.leave();
  expect(left).toHaveLength(leaves ? 1 : 0);
});

test.each([
  [0, []],
  [RESPOND_WITHIN_MS, [2]],
])(
  'a revision that another request entered %i ms ago is used up only if that one is out of time',
  async (ageMs, used) => {
    const usedUp: number[] = [];
    const deps = {
      orders: { useUp: async (_id: string, revision: number) => usedUp.push(revision) },
      numbers: {
        enter: async () => ({ kind: 'taken', orderId: 'ord_1', since: new Date(Date.now() - ageMs) }),
        remove: async () => {},
      },
    };
    const order = { id: 'ord_1', number: 'ord_1 2', fingerprint: '', revision: 2 };
    expect(await new OrderAttempt(deps as never, {} as Caller, order).enter()).toBe(false);
    expect(usedUp).toEqual(used);
  },
);

test('claims that an order does not need are released once it is written', async () => {
  const [claims, spare, tickets] = [[redemption(1)], [redemption(1)], [ticket(1)]];
  const { attempt, claim, givenBack } = attemptThatGets(
    () => ({ claims, spare, codes: [] }),
    () => ({ claims: tickets }),
  );
  await claim();
  await attempt.releaseExcept({ claims, tickets });
  expect(givenBack).toEqual(spare);
});

test.each([1, 3] as const)('the largest allowed order fits into its events: ids of %i bytes', async (bytes) => {
  const count = Math.floor((CLAIMS_BYTES_MAX - '[[],[]]'.length) / `${JSON.stringify(ticket(1))},`.length);
  const tickets = Array(count).fill(ticket(1));
  const { claim } = attemptThatGets(
    () => ({ claims: [], codes: [] }),
    () => ({ claims: tickets }),
  );
  await expect(claim()).resolves.toMatchObject({ tickets: { claims: tickets } });
  const id = longId(bytes);
  const items = Array.from({ length: 48 }, () => ({
    lineId: 'ln_500',
    offeringId: id,
    quantity: 1_000_000,
    charged: Number.MAX_SAFE_INTEGER,
  }));
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
  const sale = { currency: 'EUR', changes: [{ eventId: 'x'.repeat(SALE_BYTES_MAX) }] };
  const event = orderEvent(outboxEntry('order.placed', new Date(), { keyId: id, extra: { sale } }), document);
  expect(event.data).toMatchObject({ items: expect.anything(), tickets });
  expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(EVENT_BYTES_MAX);
});
