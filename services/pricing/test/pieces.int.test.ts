import type { Evaluation } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
});
afterAll(async () => pricing?.stop());

test('a long evaluation in pieces says what the plain one says, and brings its list again only when an adjustment changed', async () => {
  const { companyId, api } = pricing.newCompany();
  const create = async (n: number) => {
    const targets = [{ eventId: n % 10 === 0 ? 'evt_1' : `evt_other_${n}` }];
    return (await api().post('/pricing/adjustments', adjustmentBody(`CODE-${n}`, { targets }))).body.data.id;
  };
  const ids: string[] = await Promise.all(Array.from({ length: 40 }, (_, n) => create(n)));
  const body = evaluationBody({ codes: ['CODE-0', 'CODE-1'] });
  const plain = async () => pricing.ask<Evaluation>(companyId, body);

  const first = await pricing.askInPieces(companyId, body);
  expect(first.data).toEqual(await plain());
  const second = await pricing.askInPieces(companyId, body, first.list);
  expect(second.data).toEqual(first.data);
  expect(second.bytes).toBe(first.bytes - first.list.bytes.length);

  await api().patch(`/pricing/adjustments/${ids[5]}`, { name: 'Renamed' });
  const third = await pricing.askInPieces(companyId, body, second.list);
  expect(third.list.digest).not.toBe(second.list.digest);
  expect(third.data.droppedAdjustments.map(({ name }) => name)).toContain('Renamed');
  expect(third.data).toEqual(await plain());
});
