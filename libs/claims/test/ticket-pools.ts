import { randomUUID } from 'node:crypto';
import { outboxEntry, type OutboxEntry } from '@event-commerce/outbox';
import { createLogger, newId, retryOnConflict } from '@event-commerce/service-kit';
import { liveTenant, newDatabase } from '@event-commerce/test-kit';
import type mongoose from 'mongoose';
import { beforeAll, beforeEach, inject } from 'vitest';
import {
  type Claim,
  compareCounters,
  createPools,
  type HoldRequest,
  type LedgerEntry,
  type LedgerStatus,
  type PoolCollections,
  type PoolDefinition,
  type PoolDocument,
  type Pools,
} from '../src/index.ts';

// Pools of something other than redemptions, over a real database.

/** Collections for the tests of a file: new ones for each test, in a database that only this file uses. */
export function useTicketPools() {
  let mongo: mongoose.Connection;
  let collections: PoolCollections;
  beforeAll(async () => {
    const database = await newDatabase(inject('mongoUrl'));
    mongo = database.connection;
    return database.drop;
  });
  beforeEach(async () => {
    const name = randomUUID().slice(0, 8);
    collections = {
      pools: mongo.collection<PoolDocument>(`tickets_${name}`),
      shares: mongo.collection<PoolDocument>(`shares_${name}`),
      ledger: mongo.collection<LedgerEntry>(`sold_${name}`),
      poolField: 'ticketsOf',
    };
  });
  return {
    collections: () => collections,
    /** A process that works on the pools. */
    processOn: (of: PoolCollections = collections): Pools =>
      createPools({ ...of, relay: { publish: () => {} }, toEntry: soldEntry, clock: () => new Date() }),
    countersOf: async (id: string) => {
      const document = await collections.pools.findOne({ _id: id });
      const { confirmed = 0, claimed = 0, pending = [], transitions = [] } = document ?? {};
      return { confirmed, claimed, pending: pending.length, transitions: transitions.length };
    },
    /** What the ledger says about a pool in which nothing is pending. */
    ledgerOf: async (id: string) => {
      const entries = await collections.ledger.find({ ticketsOf: id }).toArray();
      const sum = (...of: LedgerStatus[]) =>
        entries.filter(({ status }) => of.includes(status)).reduce((total, { quantity }) => total + quantity, 0);
      return { confirmed: sum('confirmed'), claimed: sum('held', 'confirmed'), pending: 0, transitions: 0 };
    },
    differences: async () => await Array.fromAsync(compareCounters(collections, { repair: false })),
  };
}

/** `collection`, with `before` awaited before each of its operations. */
export const watched = <T extends object>(
  collection: T,
  before: (operation: string, args: readonly unknown[]) => Promise<void> | void,
): T =>
  new Proxy(collection, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || !OPERATIONS.test(String(name))) return member;
      return async (...args: unknown[]): Promise<unknown> => {
        await before(String(name), args);
        return await (Reflect.apply(member, target, args) as Promise<unknown>);
      };
    },
  });
/** Only those that return a promise: a cursor does not. */
const OPERATIONS = /^(bulkWrite|findOne|findOneAndUpdate|updateOne|insertOne|insertMany)$/;

export const logger = createLogger({ service: 'test', level: 'silent' });
const companyId = liveTenant('company-1');

function soldEntry(claim: Claim, status: LedgerStatus, now: Date): OutboxEntry | undefined {
  if (status === 'held') return undefined;
  return outboxEntry(`redemption.${status}`, now, { extra: claim.id });
}

export const tickets = (id: string, limit: number | undefined, version = 1): PoolDefinition => ({
  id,
  companyId,
  version,
  limit,
  about: { name: 'Front rows' },
});

export const claimOn = (poolId: string, change: Partial<Claim> = {}): Claim => ({
  id: newId('rdm'),
  poolId,
  companyId,
  orderId: newId('ord'),
  quantity: 1,
  status: 'pending',
  settledBy: 'commerce',
  ...change,
});

/** Retries while others change the pool, like a real caller. */
export const hold = async (
  pools: Pools,
  claim: Claim,
  pool: PoolDefinition,
  more: Omit<HoldRequest, 'claim' | 'pool'> = {},
) =>
  await retryOnConflict(
    async () => {
      const outcome = await pools.hold({ claim, pool, ...more });
      return outcome.kind === 'changed' ? undefined : outcome;
    },
    () => new Error('the pool keeps changing'),
    performance.now() + 20_000,
  );
