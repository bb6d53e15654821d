import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { proofSize } from '@event-commerce/test-kit';
import { beforeAll, describe, inject, test } from 'vitest';
import { type Services, sharedServices, startServices } from '../../../tests/harness/services.ts';
import { newEvent } from './groups-of-friends.ts';

const ROUNDS = proofSize(3, 6);

// Concurrently, because two of them wait until the database gives up on a vanished client.
describe.concurrent('a process that is killed in the middle of a merge', () => {
  let services: Services;
  beforeAll(async () => {
    services = await sharedServices();
  });

  async function killAt(
    stopAt: 'between' | 'before-commit' | 'before-publish',
    check: (after: Awaited<ReturnType<typeof newEvent>>, target: any, source: any) => Promise<void>,
  ) {
    const world = await newEvent(services);
    const [target, source] = [await world.group(3, [{ id: 'a' }]), await world.group(2, [{ id: 'b' }])];
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'merge-until-killed.ts')], {
      env: {
        ...process.env,
        MONGO_URL: inject('mongoUrl'),
        DB_NAME: services.databases.events.name,
        STOP_AT: stopAt,
        COMPANY_ID: world.company.companyId,
        EVENT_ID: world.event.id,
        TARGET_ID: target.id,
        SOURCE_ID: source.id,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), exited.then(() => Promise.reject(new Error('it ended early')))]);
    child.kill('SIGKILL');
    await exited;
    await check(world, target, source);
  }

  // A database may hold the locks of a vanished client's transaction for up to a minute.
  const timeout = 90_000;

  test.for(['between', 'before-commit'] as const)(
    '%s the writes leaves both groups as they were, and the merge can be repeated',
    { timeout },
    async (stopAt, { expect }) => {
      await killAt(stopAt, async ({ company, read, merge }, target, source) => {
        expect([await read(target.id), await read(source.id)]).toEqual([target, source]);
        await expect
          .poll(async () => (await merge(target.id, source.id, 5)).status, { timeout: 75_000, interval: 100 })
          .toBe(200);
        expect(await read(target.id)).toMatchObject({ size: 5, members: [{ id: 'a' }, { id: 'b' }] });
        expect((await read(source.id)).mergedInto).toBe(target.id);
        await expect.poll(() => company.published('purchase_group.merged').length).toBe(1);
      });
    },
  );

  test(
    'before publishing the event leaves the whole merge, and the event is published',
    { timeout },
    async ({ expect }) => {
      await killAt('before-publish', async ({ company, read, merge }, target, source) => {
        expect(await read(target.id)).toMatchObject({ size: 5, members: [{ id: 'a' }, { id: 'b' }] });
        expect(await read(source.id)).toMatchObject({ status: 'merged', mergedInto: target.id });
        expect((await merge(target.id, source.id, 5)).status).toBe(400);
        await expect.poll(() => company.published('purchase_group.merged').length).toBe(1);
      });
    },
  );
});

test.concurrent(
  'merges in a service that is killed repeatedly lose no member and count none twice',
  { timeout: 150_000 },
  async ({ expect, onTestFinished }) => {
    const services = await startServices({ replicas: { events: 1 }, asProcesses: ['events'] });
    onTestFinished(async () => services.stop());
    const { api, path: groups, group, merge } = await newEvent(services);
    const [service] = services.replicas.events;
    const made: any[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const active = await Promise.all(
        Array.from({ length: 10 }, async (_, n) => group(n + 1, [{ id: `m${round}-${n}` }])),
      );
      made.push(...active);
      const killed = Promise.withResolvers<void>();
      let answered = 0;
      const attempts = active.slice(0, -1).map(async (source, n) => {
        const target = active[n + 1];
        await merge(target.id, source.id, target.size + source.size).catch(() => undefined);
        // While the other merges are somewhere between their first read and their commit.
        if (++answered === 1 + round) service?.kill9().then(killed.resolve, killed.reject);
      });
      await killed.promise;
      await Promise.all(attempts);
      await service?.restart();
    }

    const after: any[] = (await api.get(`${groups}?limit=200`)).body.data;
    const active = after.filter(({ status }) => status === 'active');
    const merged = after.filter(({ status }) => status === 'merged');
    expect(after).toHaveLength(10 * ROUNDS);
    expect(merged.length).toBeGreaterThan(0);
    expect(active.reduce((sum, { size }) => sum + size, 0)).toBe(made.reduce((sum, { size }) => sum + size, 0));
    const idsOf = (of: any[]): string[] => of.flatMap(({ members }) => members.map(({ id }: any) => id));
    expect(idsOf(active)).toHaveLength(made.length);
    expect(new Set(idsOf(active))).toEqual(new Set(idsOf(made)));
    for (const source of merged) {
      const target = after.find(({ id }) => id === source.mergedInto);
      expect(
        target.history.filter((entry: any) => entry.sourceGroupId === source.id && entry.targetGroupId === target.id),
      ).toHaveLength(1);
    }
  },
);
