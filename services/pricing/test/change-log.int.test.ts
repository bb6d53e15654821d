import { liveTenant, newDatabase } from '@event-commerce/test-kit';
import { beforeAll, expect, inject, test } from 'vitest';
import { type ChangeLogRepository, changeLogRepository } from '../src/snapshot/change-log.repository.ts';
import { pricingModels } from '../src/models.ts';

let log: ChangeLogRepository;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  log = changeLogRepository(pricingModels(connection));
  return drop;
});

test('changes wait for a replica that is removed again, however late its first removal is forgotten', async () => {
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
