import { newId } from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { expect, test } from 'vitest';
import { compareCounters, type LedgerEntry, type PoolDocument } from '../src/index.ts';
import { claimOn, useTicketPools } from './ticket-pools.ts';

// A ledger keeps every sale forever: a repair must neither hold it in memory nor request all of it in one command.

const { collections, processOn } = useTicketPools();
const READ_AT_ONCE = 1_000;
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

/**
 * A pool with 2,500 sales whose counters are wrong by one; `unbounded` collects each read of the ledger without a
 * limit.
 */
async function largeLedger() {
  const of = collections();
  const poolId = newId('off');
  const { companyId } = claimOn(poolId);
  const entries = Array.from({ length: 2_500 }, (_, n): LedgerEntry & { ticketsOf: string } => {
    const { id: _id, orderId, settledBy } = claimOn(poolId);
    const status = n % 50 === 0 ? 'held' : n % 5 === 0 ? 'released' : 'confirmed';
    return { _id, companyId, ticketsOf: poolId, orderId, quantity: 1, settledBy, status, created: AN_HOUR_AGO };
  });
  await of.ledger.insertMany(entries);
  const [confirmed, held] = ['confirmed', 'held'].map((status) => entries.filter((entry) => entry.status === status));
  const expected = { confirmed: confirmed?.length ?? 0, claimed: (confirmed?.length ?? 0) + (held?.length ?? 0) };
  const counted = { confirmed: expected.confirmed + 1, claimed: expected.claimed + 1 };
  const pool: PoolDocument = { _id: poolId, companyId, ...counted, pending: [], definitionVersion: 1, version: 1 };
  await of.pools.insertOne(pool);

  const unbounded: unknown[] = [];
  const ledger = Object.create(of.ledger) as typeof of.ledger;
  const find = (filter: mongo.Filter<LedgerEntry>, options: mongo.FindOptions = {}) => {
    if (options.limit === undefined || options.limit > READ_AT_ONCE) unbounded.push(filter);
    return of.ledger.find(filter, options);
  };
  ledger.find = find as typeof ledger.find;
  const watched = { ...of, ledger };
  const kept = entries.filter(({ status }) => status !== 'released').map(({ _id }) => _id);
  return { watched, unbounded, companyId, poolId, expected, counted, kept };
}

test('a repair compares a pool of any size, one page of its ledger at a time', async () => {
  const { watched, unbounded, companyId, poolId, expected, counted } = await largeLedger();
  const differences = await Array.fromAsync(compareCounters(watched, { repair: true }));
  expect(differences).toEqual([{ companyId, poolId, counted, expected, repaired: true }]);
  expect(await Array.fromAsync(compareCounters(watched, { repair: false }))).toEqual([]);
  expect(unbounded).toEqual([]);
});

test('claims that orders keep are found in a ledger of any size, one page at a time', async () => {
  const { watched, unbounded, companyId, kept } = await largeLedger();
  const { keptSince } = processOn(watched);
  const found = await Array.fromAsync(keptSince(new Date(), companyId));
  expect(found.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  expect(await Array.fromAsync(keptSince(AN_HOUR_AGO))).toEqual([]);
  expect(unbounded).toEqual([]);
});
