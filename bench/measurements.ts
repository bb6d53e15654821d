import { randomUUID } from 'node:crypto';
import { orderBody } from '@event-commerce/test-kit';
import autocannon from 'autocannon';
import { type CpuTimes, cpuTimes, cpuUsed } from './cpu.ts';
import type { Profiles } from './profiles.ts';

/** Before every turn but the first: in between, other code ran. */
const WARM_AGAIN_SECONDS = 2;

/** What was measured under one name, in all turns. */
export interface Measured {
  name: string;
  turns: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
  /** CPU time of each process for one request or insert, ms. */
  cpuMs: CpuTimes;
}

/** Measures requests and inserts, for `seconds` a turn, the first after `warmUpSeconds`. */
export function createMeasurements(options: {
  seconds: number;
  /** Code gets faster for this long: V8 optimises what runs often. */
  warmUpSeconds: number;
  connections: number;
  writers: number;
  say: (line: string) => void;
  profiles: () => Profiles | undefined;
}) {
  const { seconds, warmUpSeconds, connections, writers, say } = options;
  const measured = new Map<string, Measured>();
  const warmUpOf = (name: string) => (measured.has(name) ? WARM_AGAIN_SECONDS : warmUpSeconds);

  /** Records a measurement: the mean of all turns, and their worst 99th percentile. */
  function note(turn: Omit<Measured, 'turns'>): void {
    const before = measured.get(turn.name);
    const turns = (before?.turns ?? 0) + 1;
    const mean = (earlier = 0, now = 0) => earlier + (now - earlier) / turns;
    measured.set(turn.name, {
      name: turn.name,
      turns,
      perSecond: mean(before?.perSecond, turn.perSecond),
      p50Ms: mean(before?.p50Ms, turn.p50Ms),
      p99Ms: Math.max(before?.p99Ms ?? 0, turn.p99Ms),
      failures: (before?.failures ?? 0) + turn.failures,
      cpuMs: new Map([...turn.cpuMs].map(([part, ms]) => [part, mean(before?.cpuMs.get(part), ms)])),
    });
  }

  /** Runs `work`; with `--profile` also writes and prints where each process spent its time. */
  async function profiled<T>(name: string, work: () => Promise<T>): Promise<T> {
    const profiles = options.profiles();
    await profiles?.start();
    const result = await work();
    if (profiles !== undefined) process.stdout.write(`${await profiles.stop(name)}\n`);
    return result;
  }

  /** Plain inserts of documents the size of an order, with the platform's own driver and durability. */
  async function measureInserts(
    name: string,
    collection: { insertOne: (document: any) => Promise<unknown> },
  ): Promise<void> {
    const insertFor = async (forSeconds: number): Promise<number[]> => {
      const latencies: number[] = [];
      const until = performance.now() + forSeconds * 1000;
      const worker = async () => {
        while (performance.now() < until) {
          const sentMs = performance.now();
          await collection.insertOne({ _id: randomUUID(), ...orderBody('company').order });
          latencies.push(performance.now() - sentMs);
        }
      };
      await Promise.all(Array.from({ length: writers }, worker));
      return latencies;
    };
    say(`measuring ${name}`);
    await insertFor(warmUpOf(name));
    const before = cpuTimes();
    const ownBefore = process.cpuUsage();
    const latencies = (await profiled(name, () => insertFor(seconds))).toSorted((a, b) => a - b);
    // The driver runs in this process; that of the platform's services is in theirs.
    const { user, system } = process.cpuUsage(ownBefore);
    const used = new Map([...cpuUsed(before, cpuTimes()), ['driver', (user + system) / 1_000] as const]);
    const cpuMs = perOne(used, latencies.length);
    const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
    note({ name, perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), failures: 0, cpuMs });
  }

  /** `steps`: how many requests count as one. Latencies are those of single requests. */
  async function measure(name: string, requests: autocannon.Options, steps = 1): Promise<void> {
    say(`measuring ${name}`);
    await autocannon({ connections, duration: warmUpOf(name), ...requests });
    const before = cpuTimes();
    const result = await profiled(name, () => autocannon({ connections, duration: seconds, ...requests }));
    const cpuMs = perOne(cpuUsed(before, cpuTimes()), result['2xx'] / steps);
    note({
      name,
      perSecond: result['2xx'] / steps / result.duration,
      cpuMs,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
      failures: result.non2xx + result.errors,
    });
  }

  return { measured, measure, measureInserts };
}

function perOne(times: CpuTimes, count: number): CpuTimes {
  return new Map([...times].map(([name, ms]) => [name, ms / count]));
}
