import { purchaseRequest } from '@event-commerce/contracts';
import { type Caller, fairTurns } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { aLine, anAdjustment, NOW } from '../evaluate/domain/adjustments.fixture.ts';
import { CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import { type QuoteDeps, quoteOrder } from './quote-order.ts';

test('a quote knows the counters of a cap that is set while it reads other counters', async () => {
  const half = anAdjustment({ id: 'adj_1', effect: { kind: 'percentage_off', percent: 50, per: 'unit' } });
  const snapshot = new CompanySnapshot([half, anAdjustment({ id: 'adj_2', conditions: { maxRedemptions: 20 } })]);
  let reads = 0;
  const deps = {
    pools: {
      countsOf: async (ids: readonly string[]) => {
        reads += 1;
        if (reads === 1) snapshot.apply([{ ...half, conditions: { maxRedemptions: 10 }, version: 2 }]);
        return await Promise.resolve(new Map(ids.map((id) => [id, { claimed: 12, confirmed: 12 }])));
      },
      claimedBy: async () => await Promise.resolve(new Map()),
      pendingOf: async () => await Promise.resolve(new Set()),
    },
    inFairTurn: fairTurns(),
    clock: () => new Date(NOW),
    defaultCurrency: 'EUR',
  } as unknown as QuoteDeps;
  const request = purchaseRequest.parse({
    orderId: 'ord_1',
    expiresAt: new Date(NOW).toISOString(),
    cartContext: {},
    codes: [],
    adjustmentIds: [],
    lines: [aLine('off_1', 1_000, 1)],
    charges: 0,
  });
  const buyer = { caller: { tenant: liveTenant('company-1') } as Caller, mayOmitCodes: false };
  const quote = await quoteOrder(deps, buyer, request, snapshot, { counted: true, full: new Map() });
  expect(quote).toMatchObject({ requests: [{ adjustment: { id: 'adj_2' } }], price: { summary: { total: 900 } } });
  expect(reads).toBe(2);
});
