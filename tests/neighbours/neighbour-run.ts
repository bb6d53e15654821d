import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluationBody, orderBody } from '@event-commerce/test-kit';
import { type Platform, PROCESS_NAMES, type ProcessName } from '../../deploy/local/platform.ts';
import type { Company, NewCompany } from '../harness/companies.ts';
import { withOwnPlatform } from '../harness/own-platform.ts';
import type { AbuserOrder } from './abuser.ts';
import type { Abuse } from './abuse.ts';

const MEMORY_POLL_MS = 100;
/** The neighbour is a small shop: its requests a second are far below its limit. */
const NEIGHBOUR_CLIENTS = 3;
const NEIGHBOUR_PAUSE_MS = 40;

/** What the neighbour experienced. */
export interface Experience {
  /** How long each request took, ms. */
  tookMs: number[];
  /** Unexpected responses: `GET /v1/orders 503`. */
  errors: string[];
}

interface AbuseReport {
  name: string;
  /** How often the abuser got each status; 0 means no response. */
  statuses: Record<number, number>;
  neighbour: Experience;
  /** Peak memory of each process, MiB. */
  peakMiB: Record<ProcessName, number>;
  /** Share of one core used by each process, percent. */
  cpuPercent: Record<ProcessName, number>;
  /** Processes that exited during the abuse. */
  ended: ProcessName[];
}

interface NeighbourReport {
  /** What the neighbour experiences alone, before each of the abuses; nothing if that is not measured. */
  alone: Experience;
  abuses: AbuseReport[];
}

/** Lets one company misbehave, one abuse after another, for `seconds` each, while another works as usual. */
export async function neighbourRun(options: {
  abuses: readonly Abuse[];
  seconds: number;
  /** Whether the abuser's own work must not slow the platform down: elsewhere it would have a machine of its own. */
  measured: boolean;
  progress: (line: string) => void;
}): Promise<NeighbourReport> {
  const { progress, seconds, measured } = options;
  return await withOwnPlatform({ name: 'neighbours', progress }, async ({ replicas, newCompany }) => {
    const [platform] = replicas;
    const neighbour = await newShop(await newCompany());
    await experience(neighbour, delay(1_000));
    const alone: Experience = { tookMs: [], errors: [] };
    const reports: AbuseReport[] = [];
    for (const abuse of options.abuses) {
      progress(abuse.name);
      if (measured) {
        // Measured before each abuse, because a young process is slower.
        const before = await experience(neighbour, delay(seconds * 1_000));
        alone.tookMs.push(...before.tookMs);
        alone.errors.push(...before.errors);
      }
      const order = await newAbuser(platform, newCompany, abuse);
      reports.push(await abused(platform, order, neighbour, { seconds, measured }));
    }
    return { alone, abuses: reports };
  });
}

async function abused(
  platform: Platform,
  order: AbuserOrder,
  neighbour: Shop,
  { seconds, measured }: { seconds: number; measured: boolean },
): Promise<AbuseReport> {
  // Without this process's preloads, which stop a child that only waits for instructions.
  const abuser = fork(path.join(import.meta.dirname, 'abuser.ts'), { execArgv: [] });
  if (measured) yieldToOthers(abuser.pid ?? 0);
  const gone = once(abuser, 'exit').then(([code]) => {
    throw new Error(`the abuser ended with ${code} before it was told to`);
  });
  // It also ends when it is told to.
  gone.catch(() => undefined);
  abuser.send(order);
  const prepared = Promise.race([once(abuser, 'message'), gone]).then(() => undefined);
  // The shop is at work when the abuse begins, not only a moment later.
  await Promise.all([prepared, experience(neighbour, prepared)]);
  const pids = pidsOf(platform);
  const cpuBefore = ofEach((name) => cpuMs(pids[name]));
  const beganMs = performance.now();
  const peakMiB = ofEach(() => 0);
  const watching = setInterval(() => {
    for (const name of PROCESS_NAMES) peakMiB[name] = Math.max(peakMiB[name], residentMiB(platform.pidOf(name)));
  }, MEMORY_POLL_MS);
  const met = await experience(neighbour, delay(seconds * 1_000));
  const tookMs = performance.now() - beganMs;
  const cpuPercent = ofEach((name) => Math.round(((cpuMs(pids[name]) - cpuBefore[name]) / tookMs) * 100));
  const telling = once(abuser, 'message') as Promise<[Record<number, number>]>;
  abuser.send('stop');
  const [statuses] = await telling;
  clearInterval(watching);
  const after = pidsOf(platform);
  const ended = PROCESS_NAMES.filter((name) => after[name] !== pids[name]);
  return { name: order.name, statuses, neighbour: met, peakMiB, cpuPercent, ended };
}

/** Lets a process work only while others leave a core idle, on Linux; elsewhere it only gets the lowest priority. */
function yieldToOthers(pid: number): void {
  const { status } = spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', `${pid}`]);
  if (status !== 0) setPriority(pid, constants.priority.PRIORITY_LOW);
}

/** A company with a shop's records, and its daily requests. */
interface Shop {
  requests: ((n: number) => Promise<{ what: string; status: number; expected: number }>)[];
}

async function newShop({ companyId, api }: Company): Promise<Shop> {
  const event = (await api.post('/v1/events', { name: 'Gala' })).body.data.id;
  const offering = { name: 'Seat', price: { amount: 5_000, currency: 'EUR' } };
  const offeringId = (await api.post(`/v1/events/${event}/offerings`, offering)).body.data.id;
  await api.post('/v1/coupons', { code: 'SUMMER', percentOff: 20, limit: 1_000_000 });
  const session = (n: number) => `shop-${n % 50}`;
  const sending = (what: string, expected: number, send: (n: number) => Promise<{ status: number }>) => {
    return async (n: number) => ({ what, expected, status: (await send(n)).status });
  };
  return {
    requests: [
      sending('POST evaluate', 200, () =>
        api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: ['SUMMER'] })),
      ),
      sending('POST item', 200, (n) => api.post(`/v1/cart/sessions/${session(n)}/item`, { offeringId, quantity: 2 })),
      sending('GET session', 200, async (n) => {
        const cart = await api.get(`/v1/cart/sessions/${session(n)}`);
        return { status: cart.status === 404 ? 200 : cart.status };
      }),
      sending('POST order', 201, () => api.post('/v1/orders', orderBody(companyId, { coupons: ['SUMMER'] }))),
      sending('GET orders', 200, () => api.get('/v1/orders?limit=10')),
      sending('GET offerings', 200, () => api.get(`/v1/events/${event}/offerings`)),
      sending('GET coupons', 200, () => api.get('/v1/coupons')),
    ],
  };
}

async function newAbuser({ url }: Platform, newCompany: NewCompany, { name }: Abuse): Promise<AbuserOrder> {
  const { companyId, key } = await newCompany();
  const setup = await newCompany({ companyId, rateLimit: { perSecond: 100_000, burst: 100_000 } });
  return { name, companyId, url, key, setupKey: setup.key };
}

/** What a shop experiences while it works until `end`, and until each of its requests was answered once. */
async function experience({ requests }: Shop, end: Promise<void>): Promise<Experience> {
  let running = true;
  const stop = () => (running = false);
  void end.then(stop, stop);
  const tookMs: number[] = [];
  const errors: string[] = [];
  let n = 0;
  await Promise.all(
    Array.from({ length: NEIGHBOUR_CLIENTS }, async () => {
      while (running || n < requests.length) {
        const send = requests[n % requests.length]!;
        const beganMs = performance.now();
        const { what, status, expected } = await send(Math.floor(n++ / requests.length)).catch((error: Error) => ({
          what: error.message,
          status: 0,
          expected: 200,
        }));
        tookMs.push(performance.now() - beganMs);
        if (status !== expected) errors.push(`${what} ${status}`);
        await delay(NEIGHBOUR_PAUSE_MS);
      }
    }),
  );
  return { tookMs, errors };
}

function pidsOf(platform: Platform): Record<ProcessName, number | undefined> {
  return ofEach((name) => platform.pidOf(name));
}

function ofEach<T>(what: (name: ProcessName) => T): Record<ProcessName, T> {
  return Object.fromEntries(PROCESS_NAMES.map((name) => [name, what(name)])) as Record<ProcessName, T>;
}

/** The CPU time of a process so far. The system counts in hundredths of a second. */
function cpuMs(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** A process's memory, according to the system. */
function residentMiB(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kib ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
