import { randomUUID } from 'node:crypto';
import { type PlatformError, quotaLimits, type Tenant, tenantOf } from '@event-commerce/contracts';
import mongoose, { type Connection } from 'mongoose';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { countOf, createQuotas, newId, startLoop } from '../src/index.ts';

export const logger = pino({ level: 'silent' });
export const LIMIT = 37;
/** Recounts that nobody has to wait for; `never` for tests of what holds without them. */
export const soon = { lookEveryMs: 20, settledAfterMs: 50, recountEveryMs: 0, recountRefusedMs: 0 };
export const never = { ...soon, lookEveryMs: 1_000_000 };

export const newTenant = (): Tenant => tenantOf({ companyId: newId('req'), environment: 'live' });

/** Processes that store coupons in a database of the file's own, and count them. */
export function useQuotas() {
  let db: Connection;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const options = { dbName: `t${randomUUID().slice(0, 8)}`, monitorCommands: true };
    db = await mongoose.createConnection(inject('mongoUrl'), options).asPromise();
  });
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });
  afterAll(async () => {
    await db?.dropDatabase();
    await db?.close();
  });

  const kept = () => db.collection<{ _id: string; companyId: Tenant; text: string }>('coupons');
  const amount = async (tenant: Tenant) => countOf(kept() as never, { companyId: tenant });

  /** A process that stores coupons. */
  const replica = (times = never, limit = `coupons=${LIMIT}`, recount = amount) => {
    const limits = quotaLimits.parse(limit);
    const quotas = createQuotas(db, { limits, recount: { coupons: recount }, logger, times });
    stops.push(startLoop(quotas.recounts, logger));
    return {
      usage: async (tenant: Tenant) => (await quotas.usage(tenant)).coupons,
      add: async (tenant: Tenant, text = 'x', write?: () => Promise<unknown>) => {
        const document = { _id: randomUUID(), companyId: tenant, text };
        const insert = async () => kept().insertOne(document);
        return await quotas.use(tenant, { coupons: 1 }, write ?? insert).then(
          (written) => (written === undefined ? 'not written' : 'written'),
          (error: PlatformError) => error.code ?? error.message,
        );
      },
      remove: async (tenant: Tenant) => {
        await quotas.use(tenant, { coupons: -1 }, async () => kept().deleteOne({ companyId: tenant }));
      },
    };
  };
  return { database: () => db, kept, amount, replica };
}
