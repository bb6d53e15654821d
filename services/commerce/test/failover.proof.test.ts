import { DEAD_LETTER_STREAM } from '@event-commerce/bus';
import { adjustmentBody, failing, newCode, orderBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 1, commerce: 1, events: 1 } });
});
afterAll(async () => services?.stop());

const failCommands = ['find', 'insert', 'update', 'findAndModify', 'aggregate', 'count'];
const noPrimary = { failCommands, errorCode: 10_107 };

async function jetStreamApi(what: string, body = {}) {
  const reply = await services.bus.nats.request(`$JS.API.${what}`, JSON.stringify(body), { timeout: 5_000 });
  return reply.json<{ error?: { code: number } }>();
}

describe('while there is no primary', () => {
  test('every service tells clients when to retry', async () => {
    const { commerce, pricing, companyId } = services.newCompany();
    const requests = {
      commerce: [
        () => commerce.get('/coupons'),
        () => commerce.get('/orders/ord_1'),
        () => commerce.post('/orders', orderBody(companyId)),
      ],
      pricing: [
        () => pricing.get('/pricing/adjustments'),
        () => pricing.post('/pricing/adjustments', adjustmentBody(newCode())),
      ],
    };
    const { db: commerceDb } = services.models.commerce.orders;
    for (const [db, some] of [
      [commerceDb, requests.commerce],
      [services.databases.pricing, requests.pricing],
    ] as const) {
      const replies = await failing(services.databases.pricing, db.name, noPrimary, async () =>
        Promise.all(some.map(async (request) => request())),
      );
      for (const { status, body, headers } of replies) {
        expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect((await commerce.post('/orders', orderBody(companyId))).status).toBe(201);
  });

  test('an event waits, however often it is retried, and is handled once there is a primary', async () => {
    const { commerce, pricing, companyId } = services.newCompany();
    const code = newCode();
    const { body } = await pricing.post('/pricing/adjustments', adjustmentBody(code));
    const usage = async () =>
      await services.databases.pricing.collection<{ _id: string }>('usages').findOne({ _id: body.data.id as string });
    // The claim is an update; the event's handler begins with an insert. Eight failures of its own would park the event.
    await failing(
      services.databases.pricing,
      services.databases.pricing.name,
      { ...noPrimary, failCommands: ['insert'] },
      async () => {
        expect((await commerce.post('/orders', orderBody(companyId, { coupons: [code] }))).status).toBe(201);
        expect(await usage()).toMatchObject({ claimed: 1, confirmed: 0 });
        await expect.poll(usage, { timeout: 60_000 }).toMatchObject({ claimed: 1, confirmed: 1 });
      },
      10,
    );
    const parked = { last_by_subj: 'dead-letter.pricing-orders' };
    expect((await jetStreamApi(`STREAM.MSG.GET.${DEAD_LETTER_STREAM}`, parked)).error?.code).toBe(404);
  });
});
