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

const duplicate = new mongoose.mongo.MongoBulkWriteError(
  { message: 'E11000', code: 11_000, writeErrors: [{ index: 0, code: 11_000 }] as never },
  {} as never,
);

/** A ledger that refuses a second entry as long as it has the first one, `shown`, and shows that only to some reads. */
function ledgerOf({
  shown,
  shows,
  keepsFor = Infinity,
}: {
  shown: { _id: string };
  shows: boolean[];
  keepsFor?: number;
}) {
  let writes = 0;
  const look = (isAskedFor: boolean) => (shows.shift() === true && isAskedFor ? shown : null);
  return createLedger(
    {
      insertMany: async () => {
        writes += 1;
        if (writes <= keepsFor) throw duplicate;
      },
      find: () => ({ toArray: async () => [look(shown._id === claim.id)].filter((one) => one !== null) }),
      findOne: async ({ _id }: { _id?: { $ne: string } }) => look(_id?.$ne !== shown._id),
    } as unknown as mongoose.Collection<LedgerEntry>,
    'adjustmentId',
  );
}

test('a claim whose own entry is shown late is not taken for one that another claim of its order replaced', async () => {
  const { enter } = ledgerOf({ shown: entry, shows: [false, true, true] });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toMatchObject({ status: 'confirmed' });
});

test('a claim of an order that keeps another one on the pool is cancelled', async () => {
  const { enter } = ledgerOf({ shown: { ...entry, _id: 'rdm_2' }, shows: [true, true] });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toMatchObject({ status: 'cancelled' });
});

test('a claim is entered when the one that was in its way is released at the same time', async () => {
  const { enter } = ledgerOf({ shown: { ...entry, _id: 'rdm_2' }, shows: [false, false], keepsFor: 1 });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toEqual({ status: 'confirmed', first: 'confirmed' });
});
