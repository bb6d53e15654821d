import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityEntry } from '@event-commerce/contracts';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { newReceiver, newWebhook, place } from './receiver.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { commerce: 1, pricing: 1, events: 1, activity: 1 },
    asProcesses: ['activity'],
  });
});
afterAll(async () => services?.stop());

/** A copy of the activity database. `restore` makes the database that copy again. */
async function backUp(): Promise<{ restore: () => Promise<void> }> {
  const { db } = services.databases.activity;
  if (db === undefined) throw new Error('not connected');
  const copyOf = async (name: string) => ({ name, documents: await db.collection(name).find({}).toArray() });
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const copies = await Promise.all(collections.map(async ({ name }) => copyOf(name)));
  return {
    restore: async () => {
      for (const { name, documents } of copies) {
        await db.collection(name).deleteMany({});
        if (documents.length > 0) await db.collection(name).insertMany(documents);
      }
    },
  };
}

test('a database that is restored from an older copy lacks nothing: the log has each event once at its former place, and webhooks send again what the copy did not know', async () => {
  const company = services.newCompany();
  const server = await newReceiver();
  await newWebhook(company, { url: server.url, types: ['order.placed'] });
  const log = async (): Promise<ActivityEntry[]> => {
    const { body } = await company.activity.get('/activity?after=oldest&limit=200');
    return body.data;
  };
  const arrived = () => server.received.map(({ entry }) => entry.subject);
  const before = await Promise.all(Array.from({ length: 10 }, async () => place(company)));
  await expect.poll(() => arrived().toSorted()).toEqual(before.toSorted());
  // The cursor of the webhook is stored after its deliveries.
  const { webhooks, heads } = services.models.activity;
  const caughtUp = async () => {
    const [webhook, head] = [await webhooks.findOne({ url: server.url }), await heads.findOne()];
    return webhook !== null && head !== null && webhook.cursor >= (await lastOrder());
  };
  const lastOrder = async () =>
    (await services.models.activity.entries.findOne({ subject: before.at(-1) ?? '', type: 'order.placed' }))
      ?.position ?? Infinity;
  await expect.poll(caughtUp).toBe(true);

  const copy = await backUp();
  const later = await Promise.all(Array.from({ length: 10 }, async () => place(company)));
  await expect.poll(() => arrived().length).toBe(before.length + later.length);
  const whole = await log();
  const { body: page } = await company.activity.get('/activity?after=now');
  const [activity] = services.replicas.activity;
  await activity?.kill9();
  await copy.restore();
  // The broker has what happens while the service is down.
  const meanwhile = await Promise.all(Array.from({ length: 5 }, async () => place(company)));
  await activity?.restart();

  const expected = [...before, ...later, ...later, ...meanwhile].toSorted();
  await expect.poll(() => arrived().toSorted(), { timeout: 30_000 }).toEqual(expected);
  const restored = await log();
  expect(restored.slice(0, whole.length)).toEqual(whole);
  const ids = restored.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // A reader goes on where it was, beyond what the copy had.
  const { body: rest } = await company.activity.get(`/activity?after=${page.page.next}&limit=200`);
  expect(rest.data).toEqual(restored.slice(whole.length));
  const placed = restored.filter(({ type }) => type === 'order.placed').map(({ subject }) => subject);
  expect(placed.toSorted()).toEqual([...before, ...later, ...meanwhile].toSorted());
}, 120_000);
