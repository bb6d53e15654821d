import { randomUUID } from 'node:crypto';
import { connectMongo } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ChangeLogRepository, changeLogRepository } from '../src/store/change-log.repository.ts';
import { pricingModels } from '../src/store/models.ts';

let mongo: Awaited<ReturnType<typeof connectMongo>>;
let log: ChangeLogRepository;
beforeAll(async () => {
  mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
  log = changeLogRepository(pricingModels(mongo));
});
afterAll(async () => {
  await mongo?.dropDatabase();
  await mongo?.close();
});

test('a replica that is removed again is waited for, however late its first removal is forgotten', async () => {
  const change = { tenant: liveTenant('company-1'), id: 'adj_1', version: 1 };
  await log.join('replica');
  const first = await log.remove(['replica']);
  await log.join('replica');
  const second = await log.remove(['replica']);
  expect(await log.append([change])).toEqual({ members: [], leaving: [first, second] });
  await log.forget([first]);
  expect(await log.append([change])).toEqual({ members: [], leaving: [second] });
  await log.forget([second]);
  expect(await log.append([change])).toEqual({ members: [], leaving: [] });
});
