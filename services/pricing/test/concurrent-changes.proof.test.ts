import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';

const services = await sharedServices();

const path = '/pricing/adjustments';

test('every one of 100 concurrent changes on two replicas is kept, and those of different fields', async () => {
  const { pricing } = services.newCompany();
  const { body } = await pricing.post(path, adjustmentBody(newCode()));
  const url = `${path}/${body.data.id}`;
  const fields = ['minQuantity', 'maxQuantity', 'maxRedemptions'].map((field) => ({ conditions: { [field]: 7 } }));
  const names = Array.from({ length: 96 }, (_, n) => ({ name: `Changed ${n}` }));
  const changes = [...fields, { priority: 3 }, ...names];
  const replies = await Promise.all(changes.map(async (change, n) => pricing.replica(n % 2).patch(url, change)));
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  expect((await pricing.get(url)).body.data).toMatchObject({
    name: expect.stringMatching(/^Changed/),
    priority: 3,
    conditions: { minQuantity: 7, maxQuantity: 7, maxRedemptions: 7 },
    version: 101,
  });
});
