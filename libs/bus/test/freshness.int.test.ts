import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { announce, BROADCAST, type BusConnection, caughtUp, connectBus, onBroadcast } from '../src/index.ts';

const ROUNDS = 500;
const connections: BusConnection[] = [];
const connected = async (name: string) => {
  const bus = await connectBus({ url: natsUrlOfThisFile(2), name, logger: pino({ level: 'silent' }) });
  connections.push(bus);
  return bus;
};

let [writer, reader, other]: BusConnection[] = [];
beforeAll(async () => {
  [writer, reader, other] = [await connected('writer'), await connected('reader'), await connected('other')];
});
afterAll(async () => {
  await Promise.all(connections.map(async (bus) => bus.close()));
});

test(`notices announced before a call of caughtUp are handled when it resolves, ${ROUNDS} times on two replicas`, async () => {
  const heard = [new Set<string>(), new Set<string>()];
  for (const [n, bus] of [reader, other].entries()) {
    onBroadcast(bus!, BROADCAST.offeringChanged, (payload) => void heard[n]!.add(payload));
    await caughtUp(bus!);
  }
  for (let round = 0; round < ROUNDS; round++) {
    await announce(writer!, BROADCAST.offeringChanged, `round-${round}`);
    const replica = round % 2;
    await caughtUp([reader, other][replica]!);
    expect(heard[replica]!.has(`round-${round}`), `round ${round} on replica ${replica}`).toBe(true);
  }
});

test('concurrent callers share round trips to the broker', async () => {
  const flush = reader!.nats.flush.bind(reader!.nats);
  let flushes = 0;
  reader!.nats.flush = async () => {
    flushes += 1;
    await flush();
  };
  await Promise.all(Array.from({ length: 1_000 }, async () => caughtUp(reader!)));
  reader!.nats.flush = flush;
  expect(flushes).toBeLessThanOrEqual(2);
});

test('without a broker an announcement resolves, and caughtUp rejects', async () => {
  const alone = await connectBus({ url: natsUrlOfThisFile(2), name: 'alone', logger: pino({ level: 'silent' }) });
  await alone.close();
  await announce(alone, BROADCAST.offeringChanged, 'lost');
  await expect(caughtUp(alone)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
