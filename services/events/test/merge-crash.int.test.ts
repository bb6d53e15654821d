import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

async function newEvent(events: EventsReplicas) {
  const { companyId, api } = events.newCompany();
  const event = (await api().post('/events', { name: 'Gala' })).body.data;
  const groups = `/events/${event.id}/purchase-groups`;
  return {
    companyId,
    eventId: event.id as string,
    group: async (size: number, member: string) =>
      (await api().post(groups, { name: 'Team', size, members: [{ id: member }] })).body.data,
    read: async (id: string) => (await api().get(`${groups}/${id}`)).body.data,
    all: async () => (await api().get(`${groups}?limit=200`)).body.data as any[],
    merge: async (target: string, source: string, combinedSize: number) =>
      api().post(`${groups}/${target}/merge`, { sourceGroupId: source, combinedSize, note: 'x' }),
  };
}

// Side by side: two of them wait until the database gives up on a vanished client.
describe.concurrent('a process that is killed in the middle of a merge', () => {
  let events: EventsReplicas;
  beforeAll(async () => {
    events = await startEventsReplicas({ replicas: 1 });
  });
  afterAll(async () => events?.stop());

  async function killAt(
    stopAt: 'between' | 'before-commit' | 'before-publish',
    check: (after: Awaited<ReturnType<typeof newEvent>>, target: any, source: any, heard: any[]) => Promise<void>,
  ) {
    const event = await newEvent(events);
    const heard = await events.listen(event.companyId);
    const [target, source] = [await event.group(3, 'a'), await event.group(2, 'b')];
    const child = spawn(process.execPath, [path.resolve(import.meta.dirname, 'merge-until-killed.ts')], {
      env: {
        ...process.env,
        MONGO_URL: events.mongoUrl,
        DB_NAME: events.dbName,
        STOP_AT: stopAt,
        COMPANY_ID: event.companyId,
        EVENT_ID: event.eventId,
        TARGET_ID: target.id,
        SOURCE_ID: source.id,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), exited.then(() => Promise.reject(new Error('it ended early')))]);
    child.kill('SIGKILL');
    await exited;
    await check(event, target, source, heard);
  }

  // A database may hold the locks of a vanished client's transaction for up to a minute.
  const timeout = 90_000;

  test.for(['between', 'before-commit'] as const)(
    '%s the writes leaves both groups as they were, and the merge can be repeated',
    { timeout },
    async (stopAt, { expect }) => {
      await killAt(stopAt, async ({ read, merge }, target, source, heard) => {
        expect([await read(target.id), await read(source.id)]).toEqual([target, source]);
        await expect
          .poll(async () => (await merge(target.id, source.id, 5)).status, { timeout: 75_000, interval: 100 })
          .toBe(200);
        expect(await read(target.id)).toMatchObject({ size: 5, members: [{ id: 'a' }, { id: 'b' }] });
        expect((await read(source.id)).mergedInto).toBe(target.id);
        await expect
          .poll(() => heard.filter(({ type }) => type === 'purchase_group.merged').length, { timeout: 10_000 })
          .toBe(1);
      });
    },
  );

  test(
    'before it could publish the event leaves the whole merge, and the event is published',
    { timeout },
    async ({ expect }) => {
      await killAt('before-publish', async ({ read, merge }, target, source, heard) => {
        expect(await read(target.id)).toMatchObject({ size: 5, members: [{ id: 'a' }, { id: 'b' }] });
        expect(await read(source.id)).toMatchObject({ status: 'merged', mergedInto: target.id });
        expect((await merge(target.id, source.id, 5)).status).toBe(400);
        await expect
          .poll(() => heard.filter(({ type }) => type === 'purchase_group.merged').length, { timeout: 10_000 })
          .toBe(1);
      });
    },
  );
});

test.concurrent(
  'merges under a service that is killed again and again lose no member and count none twice',
  { timeout: 150_000 },
  async ({ expect, onTestFinished }) => {
    const events = await startEventsReplicas({ replicas: 1, asProcesses: true });
    onTestFinished(async () => events.stop());
    const { group, all, merge } = await newEvent(events);
    const [service] = events.replicas;
    const made: any[] = [];

    for (let round = 0; round < 6; round++) {
      const active = await Promise.all(Array.from({ length: 10 }, async (_, n) => group(n + 1, `m${round}-${n}`)));
      made.push(...active);
      const killed = Promise.withResolvers<void>();
      let answered = 0;
      const attempts = active.slice(0, -1).map(async (source, n) => {
        const target = active[n + 1];
        await merge(target.id, source.id, target.size + source.size).catch(() => undefined);
        // In the middle of the others, which are somewhere between their first read and their commit.
        if (++answered === 1 + round) service?.kill9().then(killed.resolve, killed.reject);
      });
      await killed.promise;
      await Promise.all(attempts);
      await service?.restart();
    }

    const after = await all();
    const active = after.filter(({ status }) => status === 'active');
    const merged = after.filter(({ status }) => status === 'merged');
    expect(after).toHaveLength(60);
    expect(merged.length).toBeGreaterThan(0);
    expect(active.reduce((sum, { size }) => sum + size, 0)).toBe(made.reduce((sum, { size }) => sum + size, 0));
    const idsOf = (groups: any[]): string[] => groups.flatMap(({ members }) => members.map(({ id }: any) => id));
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
