import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '@event-commerce/test-kit';
import { type CpuTimes, cpuTimes, cpuUsed } from './cpu.ts';

/** Each request is measured this often, or for this long, in each of the turns. */
const TIMES_MIN = 8;
const SHORTEST_MS = 1_000;
const TURNS = 3;
export const AT_ONCE = 4;
const IDLE_MS = 5_000;
/** The number of processes whose CPU time the log shows, the busiest first. */
const SPLIT_SHOWN = 4;

/** A request of one of several concurrent workers: equal requests would share a read. */
export type Request = (api: ApiClient, worker: number) => Promise<{ status: number }>;
/** The names of the compared sizes. */
export type Sizes = [small: string, large: string];

/**
 * Compares the CPU time of requests in all processes of the platform, minus what the idle platform uses, which is
 * measured first.
 */
export async function createComparison(say: (line: string) => void) {
  const rows: { what: string; sizes: Sizes; cpuMs: [number[], number[]] }[] = [];
  const idlePerMs = await measureIdle();

  /** The CPU time of one request, ms. */
  const cost = async (what: string, api: ApiClient, request: Request, timesMin: number): Promise<number> => {
    const ask = async (worker: number) => {
      const { status } = await request(api, worker);
      if (status >= 300) throw new Error(`${what} returned ${status}`);
    };
    await ask(0);
    const before = cpuTimes();
    const startMs = performance.now();
    let count = 0;
    const work = async (worker: number) => {
      while (count < timesMin || performance.now() - startMs < SHORTEST_MS) {
        count += 1;
        await ask(worker);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, async (_, worker) => work(worker)));
    const idleMs = idlePerMs * (performance.now() - startMs);
    const used = cpuUsed(before, cpuTimes());
    const split = [...used].toSorted(([, a], [, b]) => b - a).slice(0, SPLIT_SHOWN);
    say(`  ${count} times, ${split.map(([name, ms]) => `${name} ${(ms / count).toFixed(2)}`).join(', ')}`);
    return Math.max(0.01, (sum(used) - idleMs) / count);
  };

  return {
    /** Measures both in turns, so that a slow phase of the machine affects both. */
    compare: async (
      what: string,
      sizes: Sizes,
      [small, large]: readonly [ApiClient, ApiClient],
      request: Request,
      timesMin = TIMES_MIN,
    ): Promise<void> => {
      const cpuMs: [number[], number[]] = [[], []];
      for (let turn = 0; turn < TURNS; turn++) {
        cpuMs[0].push(await cost(what, small, request, timesMin));
        cpuMs[1].push(await cost(what, large, request, timesMin));
      }
      rows.push({ what, sizes, cpuMs });
      say(`${what}: ${cpuMs.map((of) => of.map((ms) => ms.toFixed(2)).join(' ')).join(' | ')}`);
    },

    /** Everything that was compared, as a table in Markdown: the medians of all turns, and their ratio. */
    table: (): string => {
      if (rows.length === 0) return '';
      return [
        '| What | sizes | small, CPU ms | large, CPU ms | ratio |',
        '| --- | --- | ---: | ---: | ---: |',
        ...rows.map(({ what, sizes, cpuMs }) => {
          const [small, large] = [median(cpuMs[0]), median(cpuMs[1])];
          const figures = [small, large, large / small].map((figure) => figure.toFixed(2));
          return `| ${what} | ${sizes.join(' / ')} | ${figures.join(' | ')} |`;
        }),
        '',
      ].join('\n');
    },
  };
}

/** CPU time that the idle platform uses, per ms. */
async function measureIdle(): Promise<number> {
  const before = cpuTimes();
  const startMs = performance.now();
  await delay(IDLE_MS);
  return sum(cpuUsed(before, cpuTimes())) / (performance.now() - startMs);
}

function sum(times: CpuTimes): number {
  return [...times.values()].reduce((total, ms) => total + ms, 0);
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}
