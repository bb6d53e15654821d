import { proofSize, type Reply } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import {
  type AmendedShop,
  amendmentMoves,
  amendmentsTold,
  anyAmendment,
  anyMove,
  anyOf,
  type Change,
  newAmendedShop,
  unexplained,
} from './amended-orders.ts';
import { shuffled, statuses } from './copies-of-orders.ts';
import { movableClocks } from './plain-orders.ts';

// Sweeps leave claims alone: what stays held after a race stays held for ever.

const { clock, clocks } = movableClocks();
let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 2, commerce: 2, events: 2 }, clock });
});
afterAll(async () => services?.stop());

/** Sends the changes of an order at once, over two replicas. */
const race = async ({ commerce }: AmendedShop, id: string, changes: readonly Change[], headers = {}) =>
  await Promise.all(
    changes.map(async ([what, body], n) => commerce.replica(n % 2).post(`/orders/${id}/${what}`, body, headers)),
  );

/** Like a client: sends a request that is told to retry until it gets a final response. */
async function patiently(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.headers.get('retry-after') === null) return reply;
  }
}

describe('amendments of one version of an order', () => {
  test.each<[string, (shop: AmendedShop, n: number) => Record<string, unknown>]>([
    ['returns', (_, n) => ({ mode: 'keep', items: [{ lineId: 'ln_1', quantity: n + 1 }] })],
    ['new prices', (_, n) => ({ mode: 'reprice', items: [{ lineId: 'ln_1', quantity: n + 1 }] })],
    ['growth', ({ items }, n) => ({ mode: 'keep', items: items({ gala: n + 22 }) })],
  ])('take effect once, even 20 at once: %s', async (_what, bodyOf) => {
    const shop = await newAmendedShop(services);
    const id = await shop.place({ gala: 21 }, { coupons: [shop.code] });
    const before = await shop.read(id);
    const changes = Array.from({ length: 20 }, (_, n) => ['amendments', bodyOf(shop, n)] as const);
    const replies = await race(shop, id, shuffled(changes), { 'if-match': '"1"' });
    expect(statuses(replies)).toEqual([201, ...Array(19).fill(409)]);
    const refused = replies.flatMap(({ body }) => body.error?.code ?? []);
    expect(new Set(refused)).toEqual(new Set(['VERSION_CONFLICT']));
    expect((await shop.read(id)).version).toBe(2);
    await shop.isExplained(id, before.costs.total);
    await shop.isSettled([id]);
  });

  test('all take effect, one after the other, if they name no version', async () => {
    const shop = await newAmendedShop(services);
    const id = await shop.place({ gala: 1 });
    const before = await shop.read(id);
    const changes = Array.from({ length: 4 }, (_, n) => {
      const items = shop.items(n % 2 === 0 ? { gala: 2 + n } : { gala: 2 + n, ball: n });
      return ['amendments', { mode: n % 3 === 0 ? 'reprice' : 'keep', items }] as const;
    });
    expect(statuses(await race(shop, id, changes))).toEqual(Array(4).fill(201));
    expect(await shop.history(id)).toHaveLength(4);
    await shop.isExplained(id, before.costs.total);
    await shop.isSettled([id]);
  });

  test('become one if they ask for the same', async () => {
    const shop = await newAmendedShop(services);
    const id = await shop.place({ gala: 1 });
    const grow: Change = ['amendments', { mode: 'keep', items: shop.items({ gala: 3 }) }];
    const replies = await race(
      shop,
      id,
      Array.from({ length: 4 }, () => grow),
    );
    expect(statuses(replies)).toEqual([...Array(3).fill(200), 201]);
    await shop.isSettled([id]);
  });
});

test('an order has exactly what it shows, however it and its amendments are made, confirmed, cancelled, extended and reopened', async () => {
  const live = async (shop: AmendedShop, id: string): Promise<void> => {
    const first = (await shop.read(id)).costs.total;
    const told: string[] = [];
    for (let wave = 0; wave < 3; wave++) {
      const moves = Array.from({ length: wave === 2 ? 4 : 2 }, anyMove);
      const amendments = Array.from({ length: 4 }, () => anyAmendment(shop));
      const changes = shuffled([...moves, ...amendments, ...amendmentMoves(await shop.read(id))]);
      const replies = await race(shop, id, changes);
      expect(unexplained(replies, ['SOLD_OUT'])).toEqual([]);
      told.push(...amendmentsTold(changes, replies));
    }
    // Each amendment was returned to its maker, and to no one else.
    const made = (await shop.history(id)).map((one: any) => one.id);
    expect(told).toHaveLength(made.length);
    expect(new Set(told)).toEqual(new Set(made));
    await shop.isExplained(id, first);
  };
  for (let round = 0; round < proofSize(1, 20); round++) {
    const shop = await newAmendedShop(services, { capacity: 7 });
    const place = async (n: number) => {
      const pending = n % 2 === 0 ? { expiresInSeconds: 600 } : {};
      return await shop.place({ gala: 2, ball: n }, { coupons: [shop.code], ...pending });
    };
    const ids = await Promise.all([0, 1, 2].map(place));
    await Promise.all(ids.map(async (id) => live(shop, id)));
    await shop.isSettled(ids);
    // The claims of each order are its own: when it ends, everything is free.
    await Promise.all(ids.map(async (id) => shop.commerce.post(`/orders/${id}/cancel`)));
    await shop.isSettled(ids);
  }
}, 300_000);

test('the last tickets go to orders that grow and new ones, and none stays free while one of them is refused', async () => {
  for (let round = 0; round < proofSize(1, 20); round++) {
    const shop = await newAmendedShop(services, { capacity: 8 });
    const ids = await Promise.all(Array.from({ length: 4 }, async () => shop.place({ gala: 1 })));
    const more = { mode: 'keep', items: shop.items({ gala: 2 }) };
    const growing = ids.map((id, n) => async () => shop.commerce.replica(n % 2).post(`/orders/${id}/amendments`, more));
    const buying = Array.from({ length: 4 }, (_, n) => {
      const body = shop.body({ gala: 1 });
      return async () => shop.commerce.replica(n % 2).post('/orders', body);
    });
    const replies = await Promise.all(shuffled([...growing, ...buying]).map(patiently));
    expect(statuses(replies)).toEqual([...Array(4).fill(201), ...Array(4).fill(409)]);
    const bought = replies.flatMap(({ body }) => body.data?.order.id ?? []);
    await shop.isSettled([...new Set([...ids, ...bought])]);
    expect((await shop.counted()).events[0]).toEqual({ held: 0, sold: 8 });
  }
});

test('a pending amendment ends once, whoever is first, and what it held is sold once', async () => {
  for (let round = 0; round < proofSize(3, 60); round++) {
    const shop = await newAmendedShop(services, { capacity: 3 });
    const id = await shop.place({ gala: 2 });
    const first = (await shop.read(id)).costs.total;
    const hold = { mode: 'keep', items: shop.items({ gala: 3 }), expiresInSeconds: 60 };
    const { amendment } = (await shop.commerce.post(`/orders/${id}/amendments`, hold)).body.data;
    const moves = amendmentMoves(await shop.read(id));
    const changes = shuffled<Change>([...moves, ...moves, ...(round % 3 === 0 ? [['cancel', {}] as const] : [])]);
    // It may expire in the middle of these requests.
    if (round % 2 === 0) clocks.aheadMs = Date.parse(amendment.expiresAt) - Date.now() - anyOf([0, 5, 10, 20, 40]);
    const buying = Array.from({ length: 3 }, async (_, n) => {
      const body = shop.body({ gala: 1 });
      return await patiently(async () => shop.commerce.replica(n % 2).post('/orders', body));
    });
    const [replies, bought] = await Promise.all([race(shop, id, changes), Promise.all(buying)]);
    expect(unexplained(replies, ['AMENDMENT_EXPIRED'])).toEqual([]);
    const [{ state }] = await shop.history(id);
    const ends = replies.flatMap(({ body }) => body.data?.amendment?.state ?? []);
    expect([...new Set(ends)].filter((end) => end !== state)).toEqual([]);
    expect(['applied', 'cancelled', 'expired']).toContain(state);
    expect(unexplained(bought, ['SOLD_OUT'])).toEqual([]);
    await shop.isExplained(id, first);
    const others = bought.flatMap(({ body }) => body.data?.order.id ?? []);
    await shop.isSettled([id, ...others]);
    const { held, sold } = (await shop.counted()).events[0] as { held: number; sold: number };
    expect([held, sold <= 3]).toEqual([0, true]);
  }
}, 300_000);

test('orders that swap between two nearly full events never oversell either, and all of them get their turn', async () => {
  const shop = await newAmendedShop(services, { capacity: 6 });
  const ids = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => shop.place(n % 2 === 0 ? { gala: 1 } : { ball: 1 })),
  );
  const firsts = await Promise.all(ids.map(async (id) => (await shop.read(id)).costs.total));
  let [swapped, isOver] = [0, false];
  const most = { gala: 0, ball: 0 };
  const watch = (async () => {
    while (!isOver) {
      const [gala, ball] = (await shop.counted()).events;
      most.gala = Math.max(most.gala, gala!.held + gala!.sold);
      most.ball = Math.max(most.ball, ball!.held + ball!.sold);
    }
  })();
  const swap = async (id: string, n: number): Promise<void> => {
    for (let turn = 0; turn < proofSize(2, 20); turn++) {
      const tickets = (n + turn) % 2 === 0 ? { gala: 0, ball: 1 } : { gala: 1, ball: 0 };
      const body = { mode: 'reprice', items: shop.items(tickets) };
      const reply = await shop.commerce.replica(n % 2).post(`/orders/${id}/amendments`, body);
      if (reply.status === 201) swapped += 1;
      else expect([200, 'SOLD_OUT']).toContain(reply.body.error?.code ?? reply.status);
    }
  };
  await Promise.all(ids.map(swap));
  isOver = true;
  await watch;
  expect(most).toEqual({ gala: 6, ball: 6 });
  expect(swapped).toBeGreaterThan(0);
  await shop.isSettled(ids);
  for (const [n, id] of ids.entries()) await shop.isExplained(id, firsts[n] as number);
});
