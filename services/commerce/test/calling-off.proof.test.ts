import { setTimeout as delay } from 'node:timers/promises';
import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { newAmendedShop } from './amended-orders.ts';
import { PATIENT } from './shop.ts';

const BUYERS = proofSize(20, 200);
const KILLS = proofSize(3, 20);
const ORDERS = proofSize(80, 1_000);
const STORM = { reason: 'A storm is coming', cancelOrders: true };
const LONG = { timeout: 120_000 };

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 1, cart: 1, events: 1 },
    asProcesses: ['commerce', 'events'],
    claimTtlMs: 1_000,
  });
});
afterAll(async () => services?.stop());

async function newStorm() {
  const shop = await newAmendedShop(services, { capacity: 100_000 });
  const { commerce, events, items, place } = shop;
  const path = `/events/${(await events.get(`/offerings/${items({ gala: 1 })[0]!.offeringId}`)).body.data.eventId}`;
  /** The orders of the company, by what they were placed with: `gala` alone, or `both`. */
  const orders = async (): Promise<any[]> => {
    const all: any[] = [];
    for (let cursor = ''; ;) {
      const { data, page } = (await commerce.get(`/orders?limit=100${cursor}`)).body;
      all.push(...data);
      if (page.next === null) return all;
      cursor = `&cursor=${page.next}`;
    }
  };
  return {
    ...shop,
    orders,
    path: `${path}/call-off`,
    callOff: async () => events.post(`${path}/call-off`, STORM),
    buyAny: async (n: number): Promise<string> =>
      place(n % 3 === 0 ? { gala: 2, ball: 1 } : { gala: 1 + (n % 2) }, n % 4 === 0 ? { expiresInSeconds: 3_600 } : {}),
    /** The report of the call-off, once it is done. */
    report: async (): Promise<any> => {
      const status = async () =>
        (await events.get(`${path}/call-off`).catch(() => undefined))?.body.data?.status ?? 'unknown';
      await expect.poll(status, LONG).toBeOneOf(['done', 'undone']);
      return (await events.get(`${path}/call-off`)).body.data.report;
    },
    listed: async (): Promise<any[]> => {
      const all: any[] = [];
      for (let cursor = ''; ;) {
        const { data, page } = (await commerce.get(`${path}/call-off/orders?limit=100${cursor}`)).body;
        all.push(...data);
        if (page.next === null) return all;
        cursor = `&cursor=${page.next}`;
      }
    },
  };
}

type Storm = Awaited<ReturnType<typeof newStorm>>;

/** What was paid in each order for the event before the call-off. */
type Paid = Map<string, { tickets: number; isPaid: boolean; total: number; both: boolean }>;

async function paidOf({ orders, items }: Storm): Promise<Paid> {
  const gala = items({ gala: 1 })[0]!.offeringId;
  return new Map(
    (await orders()).map(({ id, status, costs, items: lines }) => {
      const own = lines.filter((line: any) => line.offeringId === gala);
      const tickets = own.reduce((sum: number, line: any) => sum + line.quantity, 0);
      return [id, { tickets, isPaid: status === 'placed', total: costs.total, both: own.length < lines.length }];
    }),
  );
}

/** Expects the report, its list and the stored orders to agree, and no order to have a ticket of the event. */
async function isExact(storm: Storm): Promise<void> {
  const { listed, orders, history, items } = storm;
  const gala = items({ gala: 1 })[0]!.offeringId;
  const [report, rows, stored] = [await storm.report(), await listed(), await orders()];
  let [toPayBack, tickets, cancelled] = [0, 0, 0];
  for (const { id, status, costs, callOff, items: lines } of stored) {
    const row = rows.find((one) => one.orderId === id);
    expect(row).toBeDefined();
    if (callOff === undefined) {
      expect(['pending', 'placed']).toContain(status);
      expect(lines.map(({ offeringId }: any) => offeringId)).not.toContain(gala);
      const [amendment, ...others] = await history(id);
      expect([others, amendment.callOff.reason]).toEqual([[], STORM.reason]);
      expect(row).toMatchObject({ state: 'changed', toPayBack: status === 'placed' ? -amendment.due : 0 });
    } else {
      expect(status).toBe('cancelled');
      cancelled += 1;
      expect(row).toMatchObject({ state: 'cancelled', toPayBack: callOff.stateBefore === 'placed' ? costs.total : 0 });
    }
    toPayBack += row.toPayBack;
    tickets += row.tickets;
  }
  expect(rows).toHaveLength(stored.length);
  expect(report).toMatchObject({
    orders: stored.length,
    cancelled,
    changed: stored.length - cancelled,
    byHand: 0,
    listed: 0,
    tickets,
    toPayBack: toPayBack === 0 && stored.length === 0 ? [] : [{ amount: toPayBack, currency: 'EUR' }],
  });
  await storm.isSettled(stored.map(({ id }) => id));
}

test(
  `no order stands, and none is missing from the report, when an event is called off while ${BUYERS} buyers order`,
  async () => {
    const storm = await newStorm();
    let placed = 0;
    const refused: string[] = [];
    const buy = async (n: number): Promise<void> => {
      const ticket = n % 3 === 0 ? { gala: 2, ball: 1 } : { gala: 1 };
      const pending = n % 4 === 0 ? { expiresInSeconds: 3_600 } : {};
      const { status, body } = await storm.commerce.post('/orders', storm.body(ticket, pending));
      if (status !== 201) {
        refused.push(body.error.code);
        return;
      }
      placed += 1;
      await buy(n + 1);
    };
    const buyers = Array.from({ length: BUYERS }, async (_, n) => buy(n));
    await expect.poll(() => placed, PATIENT).toBeGreaterThan(BUYERS);
    const called = await storm.callOff();
    expect([200, 202]).toContain(called.status);
    await Promise.all(buyers);
    expect(new Set(refused)).toEqual(new Set(['NOT_FOR_SALE']));
    expect((await storm.report()).orders).toBe(placed);
    await isExact(storm);
  },
  5 * 60_000,
);

test(
  `every order is dealt with once, and counted once, though the call-off is killed ${KILLS} times`,
  async () => {
    const storm = await newStorm();
    for (let n = 0; n < ORDERS; n += 20) {
      await Promise.all(Array.from({ length: 20 }, async (_, more) => storm.buyAny(n + more)));
    }
    const paid = await paidOf(storm);
    const calling = storm.callOff().catch(() => undefined);
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(Math.random() * 150);
      const [victim] = kill % 2 === 0 ? services.replicas.commerce : services.replicas.events;
      await victim?.kill9();
      await victim?.restart();
    }
    await calling;
    // The first kill may have come before the request was heard.
    await expect.poll(async () => (await storm.callOff()).status, LONG).toBeOneOf([200, 202]);
    await isExact(storm);
    const rows = await storm.listed();
    expect(rows).toHaveLength(paid.size);
    for (const { orderId, tickets, toPayBack, state } of rows) {
      const before = paid.get(orderId)!;
      expect([tickets, state]).toEqual([before.tickets, before.both ? 'changed' : 'cancelled']);
      if (!before.both) expect(toPayBack).toBe(before.isPaid ? before.total : 0);
    }
  },
  10 * 60_000,
);

test(
  'orders not cancelled when a call-off is undone stay, and the event sells again',
  async () => {
    const storm = await newStorm();
    for (let n = 0; n < ORDERS; n += 20) {
      await Promise.all(Array.from({ length: 20 }, async () => storm.place({ gala: 1 })));
    }
    const calling = storm.callOff();
    await expect
      .poll(async () => (await storm.events.get(storm.path)).body.data?.report.orders ?? 0, { interval: 1, ...LONG })
      .toBeGreaterThan(0);
    const undone = await storm.events.post(`${storm.path}/undo`);
    expect(undone.body.data.status).toBe('undone');
    const cancelled = (await storm.orders()).filter(({ status }) => status === 'cancelled');
    const bought = await storm.place({ gala: 1 });
    await calling;
    const after = await storm.orders();
    expect(after.filter(({ status }) => status === 'cancelled')).toHaveLength(cancelled.length);
    expect(undone.body.data.report).toMatchObject({ orders: cancelled.length, cancelled: cancelled.length });
    expect((await storm.read(bought)).status).toBe('placed');
    await storm.isSettled(after.map(({ id }) => id));
  },
  5 * 60_000,
);
