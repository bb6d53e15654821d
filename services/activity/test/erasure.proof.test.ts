import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compareCounters } from '../../../libs/claims/src/index.ts';
import { newId } from '@event-commerce/service-kit';
import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { redemptionCollections } from '../../pricing/src/redemptions/redemption-pools.ts';
import { documentsWith, newPerson, sellTo } from './customers.ts';
import { newWebhook } from './receiver.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { commerce: 1, pricing: 1, cart: 1, events: 1, activity: 2 },
    asProcesses: ['activity'],
  });
});
afterAll(async () => services?.stop());

/** How often a process is killed. */
const KILLS = proofSize(2, 50);
const PARTS = ['orders', 'groups', 'activity', 'carts', 'redemptions'];
const MORE_ORDERS = 200;

/** An endpoint that responds with what it was sent. */
async function newEcho(): Promise<string> {
  const server = createServer((request, response) => request.pipe(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an erasure ends, however often it is killed, and then no document of any database names the customer', async () => {
  const company = services.newCompany();
  const person = newPerson();
  const { erasures, deliveries, attemptBlocks } = services.models.activity;
  await newWebhook(company, { url: await newEcho(), types: ['order.*', 'redemption.*'] });
  const { orders, coupon } = await sellTo(company, person);
  const inActivity = { databases: { activity: services.databases.activity } as Services['databases'] };
  await expect
    .poll(
      async () =>
        (await documentsWith(inActivity, person.word)).filter((one) => /deliveries|attempt_blocks/.test(one)).length,
    )
    .toBeGreaterThan(0);

  // Enough for many pages.
  const { collection } = services.models.commerce.orders;
  const [first] = await collection.find({ _id: orders[0]?.id as never }).toArray();
  const copies = Array.from({ length: MORE_ORDERS }, (_, n) => ({
    ...first,
    _id: newId('ord') as never,
    orderNumber: `${String(first?.['orderNumber'])}-${n}`,
    claims: [],
    outbox: [],
  }));
  await collection.insertMany(copies);

  // The process that was asked may be killed before it responds.
  const asked = company.activity.post(`/customers/${person.email}/erase`, {}).catch(() => undefined);
  const erasure = async () => (await erasures.findOne({}))?.toObject();
  await expect.poll(erasure, { interval: 5 }).toBeDefined();
  for (let n = 0; n < KILLS; n++) {
    const part = PARTS[n % PARTS.length] ?? '';
    await expect
      .poll(
        async () => {
          const { place = '', status } = (await erasure()) ?? {};
          return (
            status === 'done' || (place !== '' && PARTS.indexOf(place.split(' ', 1)[0] ?? '') >= PARTS.indexOf(part))
          );
        },
        { interval: 5, timeout: 20_000 },
      )
      .toBe(true);
    await Promise.all(services.replicas.activity.map(async (replica) => replica.kill9()));
    // As if the others had waited for its lease to lapse.
    await erasures.updateOne({}, { $set: { holder: '' } });
    await Promise.all(services.replicas.activity.map(async (replica) => replica.restart()));
  }
  await asked;
  await expect.poll(async () => (await erasure())?.status, { timeout: 60_000, interval: 100 }).toBe('done');
  const erasedAt = new Date().toISOString();

  const { progress, input, companyId: _ } = (await erasure()) ?? {};
  expect(input).toBeUndefined();
  expect(progress?.found).toMatchObject({ orders: MORE_ORDERS + 3, carts: 1, groups: 1, redemptions: 3 });
  expect(await documentsWith(services, person.word)).toEqual([]);
  const counters = redemptionCollections(services.models.pricing);
  expect(await Array.fromAsync(compareCounters(counters, { repair: false }))).toEqual([]);
  expect((await company.commerce.get(`/coupons/${coupon}`)).body.data.quantitySold).toBe(2);
  await expect.poll(() => company.published('customer.erased').length).toBe(1);
  // The stream names the customer only in what was published before.
  const naming = company.published().filter((event) => JSON.stringify(event).includes(person.word));
  expect(naming.every(({ type, time }) => type !== 'order.updated' && time < erasedAt)).toBe(true);
  expect(await deliveries.countDocuments({ 'attempts.responseBody': { $regex: person.word } })).toBe(0);
  expect(await attemptBlocks.countDocuments({ 'attempts.responseBody': { $regex: person.word } })).toBe(0);
}, 200_000);
