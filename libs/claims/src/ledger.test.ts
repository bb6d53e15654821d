import { liveTenant } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import type { Claim } from './claim.ts';
import type { LedgerEntry } from './documents.ts';
import { createLedger } from './ledger.ts';

const claim: Claim = {
  id: 'rdm_1',
  poolId: 'adj_1',
  companyId: liveTenant('company-1'),
  orderId: 'ord_1',
  quantity: 1,
  status: 'pending',
  settledBy: 'commerce',
};
const entry = { _id: 'rdm_1', status: 'confirmed', orderId: 'ord_1' };

/** A ledger that refuses a second entry, and shows the first one, `shown`, only to the second reader. */
function ledgerThatShowsLate(shown: { _id: string }) {
  const duplicate = new mongoose.mongo.MongoBulkWriteError(
    { message: 'E11000', code: 11_000, writeErrors: [{ index: 0, code: 11_000 }] as never },
    {} as never,
  );
  return createLedger(
    {
      insertMany: () => Promise.reject(duplicate),
      find: () => ({ toArray: () => Promise.resolve([]) }),
      findOne: ({ _id }: { _id?: { $ne: string } }) => Promise.resolve(_id?.$ne === shown._id ? null : shown),
    } as unknown as mongoose.Collection<LedgerEntry>,
    'adjustmentId',
  );
}

test('a claim whose own entry is shown late is not taken for one that another claim of its order replaced', async () => {
  const { enter } = ledgerThatShowsLate(entry);
  const ending = enter({ claim, to: 'confirmed', now: new Date() });
  await expect(ending).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a claim of an order that keeps another one on the pool is cancelled', async () => {
  const { enter } = ledgerThatShowsLate({ ...entry, _id: 'rdm_2' });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toMatchObject({ status: 'cancelled' });
});
