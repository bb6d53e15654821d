import { setTimeout as delay } from 'node:timers/promises';
import { adjustmentBody, newCode, orderBody, proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../tests/faults/seeded-random.ts';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { standingIn, standingOf } from './sales.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { commerce: 1, pricing: 1, events: 1, activity: 2 },
    asProcesses: ['activity'],
  });
});
afterAll(async () => services?.stop());

const KILLS = proofSize(4, 100);

/** Places orders, amends and cancels some of them, until `stopped`. */
async function trade(
  { companyId, commerce }: Company,
  { offeringIds, code }: { offeringIds: readonly string[]; code: string },
  random: () => number,
  stopped: AbortSignal,
): Promise<void> {
  const upTo = (max: number) => 1 + Math.floor(random() * max);
  while (!stopped.aborted) {
    const items = offeringIds.map((offeringId) => ({ offeringId, quantity: upTo(3) }));
    const { status, body } = await commerce.post(
      '/orders',
      orderBody(companyId, { items, costs: { fees: 100 }, ...(random() < 0.5 ? { coupons: [code] } : {}) }),
    );
    expect([status, body.error]).toEqual([201, undefined]);
    const { id } = body.data.order;
    if (random() < 0.4) {
      const amended = [{ offeringId: offeringIds[upTo(offeringIds.length) - 1], quantity: upTo(5) }];
      await commerce.post(`/orders/${id}/amendments`, { mode: 'keep', items: amended });
    }
    if (random() < 0.3) await commerce.post(`/orders/${id}/cancel`, {});
    if (random() < 0.2) await commerce.post(`/orders/${id}/reopen`, {});
    await delay(proofSize(80, 50));
  }
}

test(
  'killed again and again while orders are placed, amended and cancelled, the service counts each change once',
  async () => {
    const seed = Date.now();
    const random = seededRandom(seed);
    const company = services.newCompany();
    const { activity, events, pricing } = company;
    const code = newCode();
    const conditions = { code };
    await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions }));
    const eventIds: string[] = [];
    const offeringIds: string[] = [];
    for (const amount of [5_000, 3_001]) {
      const event = (await events.post('/events', { name: 'Gala' })).body.data;
      const offering = { name: 'Ticket', price: { amount, currency: 'EUR' } };
      eventIds.push(event.id);
      offeringIds.push((await events.post(`/events/${event.id}/offerings`, offering)).body.data.id);
    }

    const enough = new AbortController();
    const trading = Promise.all(
      [1, 2, 3].map(async () => trade(company, { offeringIds, code }, random, enough.signal)),
    );
    const replicas = services.replicas.activity;
    const { counted } = services.models.activity;
    const positionOf = async () => (await counted.findOne())?.position ?? 0;
    for (let n = 0; n < KILLS; n++) {
      const before = await positionOf();
      // Every second kill waits until something is counted; the others come at any moment.
      if (n % 2 === 0) {
        await expect
          .poll(positionOf, { timeout: 30_000, message: `after ${n} kills; seed ${seed}` })
          .toBeGreaterThan(before);
      }
      await Promise.race([delay(random() * 1_000), trading]);
      const victims = n % 3 === 2 ? replicas : replicas.filter((_, number) => number === n % 2);
      await Promise.all(victims.map(async (victim) => victim.kill9()));
      await Promise.all(victims.map(async (victim) => victim.restart()));
    }
    enough.abort();
    await trading;

    const sales = async (query = '') => (await activity.get(`/sales?from=${hourAgo()}${query}`)).body.data;
    const about = { timeout: 60_000, message: `seed ${seed}` };
    const standing = await standingOf(company);
    await expect.poll(async () => standingIn(await sales()), about).toEqual(standing);
    expect(standing.orders).toBeGreaterThan(KILLS);
    for (const eventId of eventIds) {
      expect(standingIn(await sales(`&eventId=${eventId}`))).toEqual(await standingOf(company, eventId));
    }
    // Nothing was counted twice and then taken back twice either.
    const written = company.published().filter(({ type }) => type === 'order.cancelled');
    const [{ orders }] = (await sales()).totals;
    expect(orders.cancelled).toBe(written.length);
  },
  proofSize(180_000, 3_600_000),
);

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
