import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { aLine, buy, createAutomatic, evaluate, evaluateCarts } from './purchases.ts';

let services: Services;
beforeAll(async () => {
  // There is no events service in this test.
  services = await startServices({ replicas: { pricing: 1 } });
  return services.stop;
});

test('other companies get their prices before a company with the costliest carts gets all of its own', async () => {
  const [busy, other] = [services.newCompany(), services.newCompany()];
  const adjustment = { type: 'promotion', conditions: {}, stacking: 'exclusive' };
  for (let n = 0; n < 60; n++) {
    const body = adjustmentBody(newCode(), { ...adjustment, effect: { kind: 'percentage_off', percent: 1 + n } });
    expect((await busy.pricing.post('/pricing/adjustments', body)).status).toBe(201);
  }
  await evaluate(services, other, evaluationBody());
  const lines = Array.from({ length: 500 }, (_, n) => ({
    offering: { id: `o${n}`, eventId: 'evt_1', price: { amount: 100, currency: 'EUR' } },
    quantity: 1,
  }));
  let answered = 0;
  const costly = Array.from({ length: 12 }, async () => {
    const [cart] = await evaluateCarts(services, busy, [{ lines, cartContext: {} }]);
    answered += 1;
    return cart;
  });
  await evaluate(services, other, evaluationBody());
  expect(answered).toBeLessThan(costly.length / 2);
  for (const cart of await Promise.all(costly))
    expect(cart).toMatchObject({ evaluation: { summary: { total: 20_000 } } });
});

test('while the events service is down, prices that do not need it are computed, and others are refused', async () => {
  const [company, bound] = [services.newCompany(), services.newCompany()];
  await createAutomatic(company, { targets: [{ eventId: 'evt_1' }] });
  await createAutomatic(bound, { targets: [{ urn: 'urn:v1::events:venue/ven_1' }] });
  const { summary } = await evaluate(services, company, evaluationBody({ quantity: 1 }));
  expect(summary.total).toBe(4500);
  const outage = { code: 'SERVICE_UNAVAILABLE' };
  await expect(evaluate(services, bound, evaluationBody())).rejects.toMatchObject(outage);
  await expect(buy(services, bound)).rejects.toMatchObject(outage);
  const carts = [{ lines: [aLine()], cartContext: {} }];
  expect(await evaluateCarts(services, bound, carts)).toMatchObject([{ refusal: outage }]);
});
