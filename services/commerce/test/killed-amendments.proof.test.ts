import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_STREAM } from '@event-commerce/bus';
import { proofSize, type Reply, triesOfOne } from '@event-commerce/test-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const KILLS = proofSize(3, 200);
const VICTIMS = ['commerce', 'pricing', 'events'] as const;
const ORDERS = 4;
const CHANGES = 3;
/** How soon a client repeats a request that was not answered. Sooner repeats would delay a restart. */
const REPEAT_AFTER_MS = 50;
const SHORT_ACK_WAIT_NS = 500_000_000;

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 1, events: 1 },
    asProcesses: VICTIMS,
    claimTtlMs: 1_000,
  });
});
afterAll(async () => services?.stop());

/** Changes an order, and repeats the request until it gets a final response. */
async function change({ commerce }: AmendedShop, id: string, [what, body]: Change): Promise<Reply> {
  const [first, again] = triesOfOne();
  for (let headers = first; ; headers = again) {
    const reply = await commerce.post(`/orders/${id}/${what}`, body, headers).catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return reply;
    await delay(REPEAT_AFTER_MS);
  }
}

/** Makes the broker deliver at once what a killed process did not handle, not after half a minute. */
async function deliverAgain(): Promise<void> {
  const { consumers } = await jetstreamManager(services.bus.nats);
  for (const { name } of await Array.fromAsync(consumers.list(EVENT_STREAM))) {
    if (/^(pricing|events)-orders/u.test(name)) {
      await consumers.update(EVENT_STREAM, name, { ack_wait: SHORT_ACK_WAIT_NS });
    }
  }
}

test(
  'an order has exactly what it shows, and nothing else stays held, whichever service is killed while amendments are made and confirmed',
  async () => {
    const shop = await newAmendedShop(services, { capacity: 100_000 });
    const all: { id: string; total: number; told: string[] }[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const orders = await Promise.all(
        Array.from({ length: ORDERS }, async (_, n) => {
          const pending = n % 2 === 0 ? { expiresInSeconds: 3_600 } : {};
          const id = await shop.place({ gala: 2, ball: 1 }, { coupons: [shop.code], ...pending });
          return { id, total: (await shop.read(id)).costs.total as number, told: [] as string[] };
        }),
      );
      all.push(...orders);
      let answered = 0;
      const changing = orders.map(async ({ id, told }) => {
        let pending: Change[] = [];
        for (let n = 0; n < CHANGES; n++) {
          const next = pending.length > 0 ? anyOf(pending) : Math.random() < 0.8 ? anyAmendment(shop) : anyMove();
          const reply = await change(shop, id, next);
          expect(unexplained([reply])).toEqual([]);
          told.push(...amendmentsTold([next], [reply]));
          pending = amendmentMoves(reply.body.data?.order ?? {});
          answered += 1;
        }
      });
      const [victim] = services.replicas[VICTIMS[kill % VICTIMS.length] as (typeof VICTIMS)[number]];
      const after = anyOf([0, 1, 2, 4]);
      await expect.poll(() => answered, { interval: 1, timeout: 30_000 }).toBeGreaterThanOrEqual(after);
      await delay(Math.random() * 40);
      await victim?.kill9();
      await victim?.restart();
      await Promise.all(changing);
    }
    await deliverAgain();
    for (const { id, total, told } of all) {
      await shop.isExplained(id, total);
      const made = (await shop.history(id)).map((one: any) => one.id);
      expect(told).toHaveLength(made.length);
      expect(new Set(told)).toEqual(new Set(made));
    }
    const ids = all.map(({ id }) => id);
    await shop.isSettled(ids);
    // The claims of each order are its own: when it ends, everything is free.
    for (const id of ids) await shop.commerce.post(`/orders/${id}/cancel`);
    await shop.isSettled(ids);
  },
  KILLS * 30_000,
);
