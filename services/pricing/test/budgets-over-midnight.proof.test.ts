import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { newRacingSale, takenOff } from './racing-sale.ts';

const ROUNDS = proofSize(2, 20);
/** Each of the buyers places one order after the other. */
const ORDERS = 60;
const BUYERS = 8;
/** With each order the clocks advance by this: half of the orders are placed before midnight. */
const STEP_MS = 50;
/** How far one replica of pricing is ahead of the other. */
const SKEW_MS = 3 * STEP_MS;
/** What two and a half orders take. */
const LIMIT = 2_500;
const ZONE = 'Asia/Kolkata';
const DAYS = ['2031-07-05', '2031-07-06'] as const;

let services: Services;
let nowMs = Date.now();
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 2, commerce: 2, events: 1 },
    clock: (service, replica) => {
      const skewMs = service === 'pricing' && replica === 1 ? SKEW_MS : 0;
      return new Date(nowMs + skewMs);
    },
  });
});
afterAll(async () => services?.stop());

test(
  'a budget per day is drawn in full on the day before midnight and on the day after, by orders that are placed without a pause',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const company = services.newCompany();
      const limit = { amount: LIMIT, currency: 'EUR' };
      const body = { name: 'Daily', limit, per: 'day', timezone: ZONE, onExhausted: 'partial' };
      const budgetId = (await company.pricing.post('/pricing/budgets', body)).body.data.id;
      const effect = { kind: 'percentage_off', percent: 10, per: 'order' };
      const sale = await newRacingSale(services, { conditions: { budgetId }, effect }, company);
      const midnightMs = Temporal.PlainDate.from(DAYS[1]).toZonedDateTime(ZONE).epochMilliseconds;
      nowMs = midnightMs - (ORDERS / 2) * STEP_MS;
      const orders: any[] = [];
      const numbers = Array.from({ length: ORDERS }, (_, n) => n).values();
      await Promise.all(
        Array.from({ length: BUYERS }, async () => {
          for (const n of numbers) {
            nowMs += STEP_MS;
            orders.push(await sale.buy({ quantity: 2, customerId: `cus_${n}` }, n % 2));
          }
        }),
      );
      await sale.settled();
      const usage = async (day: string) =>
        (await company.pricing.get(`/pricing/budgets/${budgetId}?day=${day}`)).body.data.usage;
      const full = { spent: LIMIT, held: 0, left: 0 };
      expect(await Promise.all(DAYS.map(usage))).toEqual([full, full]);
      expect(takenOff(orders)).toBe(2 * LIMIT);
      const exhausted = () =>
        company.published().flatMap(({ type, data }) => (type === 'budget.exhausted' ? [(data as any).day] : []));
      await expect.poll(() => new Set(exhausted())).toEqual(new Set(DAYS));
      expect(exhausted()).toHaveLength(DAYS.length);
    }
  },
  ROUNDS * 60_000,
);
