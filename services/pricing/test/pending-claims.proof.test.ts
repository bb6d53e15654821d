import { serve } from '@event-commerce/bus';
import { RPC, type SettleOrderReply, settleOrderRequest } from '@event-commerce/contracts';
import { newId, toPlatformError, validate } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { startServices } from '../../../tests/harness/services.ts';
import { claim, createCoupon } from './purchases.ts';

test("any number of one company's unanswered claims delay no other company's claims", async () => {
  const services = await startServices({ replicas: { pricing: 1 }, claimTtlMs: 1_000 });
  try {
    const [stuck, other] = [services.newCompany(), services.newCompany()];
    // More than a sweep reads at once, and all of them before those of the other company.
    const first = liveTenant(`!${stuck.companyId}`);
    await services.models.pricing.usages.collection.insertMany(
      Array.from({ length: 600 }, () => ({
        _id: newId('adj'),
        companyId: first,
        definitionVersion: 1,
        origin: 'manual',
        confirmed: 0,
        claimed: 1,
        version: 1,
        pending: [
          {
            id: newId('rdm'),
            orderId: 'stuck',
            quantity: 1,
            settledBy: 'commerce',
            attempts: ['12345678'],
          },
        ],
        outbox: [],
      })) as never,
    );
    const late = Promise.withResolvers<void>();
    const stop = serve(
      services.bus,
      RPC.settleOrder,
      { group: 'commerce', inFlightMax: 10_000, toPlatformError },
      async ({ body }) => {
        const { orderId } = validate(settleOrderRequest, JSON.parse(String(body)));
        if (orderId === 'stuck') await late.promise;
        return JSON.stringify({ data: { outcome: 'void' } satisfies SettleOrderReply });
      },
    );
    const { code, id } = await createCoupon(other, { maxRedemptions: 1 });
    await claim(services, other, { codes: [code] });
    const pendingOf = async () => (await services.models.pricing.usages.findById(id).lean())?.pending.length;
    await expect.poll(pendingOf, { timeout: 20_000 }).toBe(0);
    late.resolve();
    await stop();
  } finally {
    await services.stop();
  }
});
