import { setTimeout as delay } from 'node:timers/promises';
import { ensureStreams, EVENT_STREAM } from '@event-commerce/bus';
import { type ActivityEntry, GAP } from '@event-commerce/contracts';
import { createLogger } from '@event-commerce/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { epochOf, type Position, positionIn } from '../src/log/domain/position.ts';
import { keepLog } from '../src/log/keep-log.ts';
import { logRepository } from '../src/log/log.repository.ts';
import { publishEvent } from './publish-event.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { activity: 2 } });
});
afterAll(async () => services?.stop());

/** Copies events into the log beside the replicas, without asking whether another one does, until `stopped`. */
async function rival(stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const life = AbortSignal.any([stopped, AbortSignal.timeout(Math.floor(Math.random() * 1_000))]);
    await keepLog(
      {
        bus: services.bus,
        log: logRepository(services.models.activity),
        holdsLease: async () => true,
        clock: () => new Date(),
        logger: createLogger({ service: 'test', level: 'silent' }),
        head: { grownTo: () => undefined, setKeeper: () => undefined },
      },
      life,
      // The other reader took its consumer.
    ).catch(async () => delay(Math.random() * 500));
  }
}

type Page = { data: ActivityEntry[]; page: { next: string; more: boolean } };

async function readAfter(company: Company, replica: number, after: string, query = ''): Promise<Page> {
  const { status, body } = await company.activity.replica(replica).get(`/activity?after=${after}${query}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

/** Everything after `after`, page by page, until there are `count` entries. */
async function follow(company: Company, replica: number, after: string, count: number): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  for (let next = after; entries.length < count;) {
    const limit = 1 + Math.floor(Math.random() * 40);
    const { data, page } = await readAfter(company, replica, next, `&wait=1&limit=${limit}`);
    entries.push(...data);
    next = page.next;
  }
  return entries;
}

const idsOf = (entries: readonly ActivityEntry[]) => entries.map(({ id }) => id);
const positionsOf = (entries: readonly ActivityEntry[]) => entries.map(({ cursor }) => positionIn(cursor) as Position);

test('while many write and two copy events into the log, readers at both replicas see each once, and none behind their cursor', async () => {
  const company = services.newCompany();
  const { next: start } = (await readAfter(company, 0, 'now')).page;
  const [writers, each] = [8, 75];
  const stop = new AbortController();
  const copying = rival(stop.signal);
  const reading = Promise.all([0, 1, 0, 1].map(async (replica) => follow(company, replica, start, writers * each)));
  const written = await Promise.all(
    Array.from({ length: writers }, async () => {
      const ids: string[] = [];
      for (let n = 0; n < each; n++) ids.push(await publishEvent(services, company));
      return ids;
    }),
  );
  const seen = await reading;
  stop.abort();
  await copying;
  const [first] = seen as [ActivityEntry[]];
  expect(idsOf(first).toSorted()).toEqual(written.flat().toSorted());
  for (const entries of seen) expect(entries).toEqual(first);
  expect(positionsOf(first)).toEqual(positionsOf(first).toSorted((a, b) => a - b));
  // What each writer wrote is in its order.
  for (const ids of written) expect(idsOf(first).filter((id) => ids.includes(id))).toEqual(ids);
  expect(await follow(company, 1, start, writers * each)).toEqual(first);
}, 60_000);

test('a stream that is deleted and created again begins another epoch: the log says what may be missing, and repeats nothing', async () => {
  const company = services.newCompany();
  const { next: start } = (await readAfter(company, 0, 'now')).page;
  const stop = new AbortController();
  const copying = rival(stop.signal);
  const before: string[] = [];
  for (let n = 0; n < 20; n++) before.push(await publishEvent(services, company));
  const old = await follow(company, 0, start, before.length);
  expect(idsOf(old)).toEqual(before);

  const deleted = await services.bus.nats.request(`$JS.API.STREAM.DELETE.${EVENT_STREAM}`);
  expect(deleted.json()).toMatchObject({ success: true });
  // The broker may still be removing files, which a stream that is created at once would lose.
  await delay(2_000);
  await ensureStreams(services.bus, 1);
  // Fewer than before, so that their sequences are in the old stream too.
  const after: string[] = [];
  for (let n = 0; n < 10; n++) after.push(await publishEvent(services, company));

  const seen = await Promise.all(
    [0, 1].map(async (replica) => follow(company, replica, old.at(-1)?.cursor ?? start, 1 + after.length)),
  );
  stop.abort();
  await copying;
  for (const entries of seen) {
    const [gap, ...rest] = entries as [ActivityEntry, ...ActivityEntry[]];
    expect(gap).toMatchObject({ type: GAP, data: { after: expect.any(String) } });
    expect(idsOf(rest)).toEqual(after);
    const oldEpoch = epochOf(Math.max(...positionsOf(old)));
    for (const position of positionsOf(entries)) expect(epochOf(position)).toBeGreaterThan(oldEpoch);
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(await follow(company, 0, start, before.length + 1 + after.length)).toEqual([...old, ...(seen[0] ?? [])]);
  expect((await readAfter(company, 1, seen[0]?.at(-1)?.cursor ?? start)).data).toEqual([]);
}, 60_000);
