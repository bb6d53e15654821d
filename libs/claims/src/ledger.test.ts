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
const entry = (_id: string, change: Partial<LedgerEntry> = {}) => ({
  _id,
  status: 'confirmed',
  quantity: 1,
  orderId: 'ord_1',
  ...change,
});

const duplicate = new mongoose.mongo.MongoBulkWriteError(
  { message: 'E11000', code: 11_000, writeErrors: [{ index: 0, code: 11_000 }] as never },
  {} as never,
);

/**
 * A ledger that refuses an entry `refuses` times because of what it has `stored`, and whose reads show what it had
 * `before`, unless they are linearizable.
 */
function ledgerOf({
  stored,
  before = stored,
  refuses = Infinity,
}: {
  stored: Entry[];
  before?: Entry[];
  refuses?: number;
}) {
  let writes = 0;
  return createLedger(
    {
      insertMany: async () => {
        writes += 1;
        if (writes <= refuses) throw duplicate;
      },
      findOneAndUpdate: async () => null,
      find: () => ({ toArray: async () => before.filter(({ _id }) => _id === claim.id) }),
      findOne: async ({ _id }: { _id: string | { $ne: string } }, { readConcern }: { readConcern?: string } = {}) => {
        const shown = readConcern === 'linearizable' ? stored : before;
        return shown.find((one) => (typeof _id === 'string' ? one._id === _id : one._id !== _id.$ne)) ?? null;
      },
    } as unknown as mongoose.Collection<LedgerEntry>,
    'adjustmentId',
  );
}
type Entry = ReturnType<typeof entry>;

test('a claim whose own entry is visible late is not mistaken for one that another claim of its order replaced', async () => {
  const { enter } = ledgerOf({ stored: [entry('rdm_1')], before: [entry('rdm_2')] });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toMatchObject({ status: 'confirmed' });
});

test('a claim is cancelled if its order keeps another one on the pool', async () => {
  const { enter } = ledgerOf({ stored: [entry('rdm_2')] });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toMatchObject({ status: 'cancelled' });
});

test('a claim is entered if the one that blocks it is released at the same time', async () => {
  const { enter } = ledgerOf({ stored: [], refuses: 1 });
  expect(await enter({ claim, to: 'confirmed', now: new Date() })).toEqual({ status: 'confirmed', quantity: 1 });
});

test('a transition that the ledger has recorded counts as made, even if a read of an earlier state does not show it', async () => {
  const steps = [
    { by: 'x', claimed: 0, confirmed: 1 },
    { by: 'y', claimed: -1, confirmed: -1 },
  ];
  const ledger = ledgerOf({
    stored: [entry('rdm_1', { status: 'released', steps })],
    before: [entry('rdm_1', { status: 'held' })],
  });
  const quantity = 1;
  const [held, confirmed, released] = [
    { status: 'held', quantity },
    { status: 'confirmed', quantity },
    { status: 'released', quantity },
  ] as const;
  const standing = { ...released, steps };
  expect(await ledger.record(claim, { by: 'y', from: confirmed, to: released })).toEqual({ standing, isMade: true });
  expect(await ledger.record(claim, { by: 'z', from: held, to: released })).toEqual({ standing, isMade: false });
});
