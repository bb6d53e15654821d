import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { startServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from '../../commerce/test/shop.ts';

const ORDERS = proofSize(400, 2_000);
const KILLS = proofSize(2, 20);
const PERIOD = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

test(
  `a rehearsal whose process is killed is finished by the next one, with the same report (kills: ${KILLS})`,
  { timeout: 600_000 },
  async ({ onTestFinished }) => {
    const services = await startServices({
      replicas: { pricing: 1, commerce: 1, events: 1 },
      asProcesses: ['pricing'],
    });
    onTestFinished(async () => services.stop());
    const shop = await newShop(services);
    const hall = await shop.offer('Hall', 1_000, { capacity: 10 * ORDERS });
    for (let from = 0; from < ORDERS; from += 20) {
      const items = [{ offeringId: hall, quantity: 3 }];
      const placed = await Promise.all(Array.from({ length: 20 }, async () => shop.order({ items })));
      expect(placed.every(({ status }) => status === 201)).toBe(true);
    }
    const create = {
      targets: [{ urn: `urn:v1:${shop.companyId}:events:event/*` }],
      conditions: { maxRedemptions: ORDERS - 7 },
      effect: { kind: 'amount_off', amount: 100, currency: 'EUR' },
    };
    const [pricing] = services.replicas.pricing;
    const { rehearsals } = services.models.pricing;
    for (let kills = 0; kills < KILLS;) {
      // Its response is lost with the process.
      const lost = shop.pricing
        .post('/pricing/rehearsals', { ...PERIOD, changes: [{ create }] })
        .catch(() => undefined);
      await expect.poll(() => rehearsals.countDocuments({ status: 'running' }), { ...PATIENT, interval: 1 }).toBe(1);
      await pricing?.kill9();
      kills += await rehearsals.countDocuments({ status: 'running' });
      await pricing?.restart();
      await lost;
      await expect.poll(() => rehearsals.countDocuments({ status: 'running' }), { timeout: 60_000 }).toBe(0);
    }
    const reports = (await rehearsals.find().lean()).map(({ result }) => result);
    for (const report of reports) {
      expect(report).toMatchObject({
        orders: ORDERS,
        touched: ORDERS - 7,
        currencies: [
          {
            before: { revenue: 3_000 * ORDERS },
            after: { revenue: 3_000 * ORDERS - 300 * (ORDERS - 7), discounts: 300 * (ORDERS - 7) },
          },
        ],
        kept: { amended: 0, stated: 0, unexplained: 0 },
      });
    }
  },
);
