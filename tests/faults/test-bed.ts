import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BusConnection, connectBus } from '@event-commerce/bus';
import { createLogger, generateIdentityKeys, until } from '@event-commerce/service-kit';
import { adjustmentBody, apiClient, newCode, orderBody } from '@event-commerce/test-kit';
import { type ServerName, startInfrastructure } from '../../deploy/local/infrastructure.ts';
import {
  type PeerName,
  type Platform,
  PROCESS_NAMES,
  type ProcessName,
  startPlatform,
} from '../../deploy/local/platform.ts';
import { companiesOf, type Company, newRootApiKey } from '../harness/companies.ts';
import type { NetworkFault } from './connection-pair.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type LimitedDisk, mountLimitedDisk } from './limited-disk.ts';
import { seededRandom } from './seeded-random.ts';
import { serversOf, setClock, wrongBy } from './server-faults.ts';

/** How long a claim is kept before pricing asks for its order. */
export const CLAIM_TTL_MS = 4_000;
/** How long the gateway waits for a service. */
export const UPSTREAM_TIMEOUT_MS = 4_000;
export const UPSTREAM_IN_FLIGHT_MAX = 64;
const HEALTHY_WITHIN_MS = 40_000;

/** A coupon adjustment of a test company. */
export interface Coupon {
  id: string;
  code: string;
  cap?: number;
}

export interface TestCompany extends Company {
  headers: Record<string, string>;
  createCoupon: (conditions?: { maxRedemptions?: number }) => Promise<Coupon>;
}

/** The whole platform on its own servers, with a proxy in each connection between two processes. */
export interface TestBed {
  readonly platform: Platform;
  readonly bus: BusConnection;
  /** The disks of the broker and of the database, or why they cannot be filled here. */
  readonly disks: { broker: LimitedDisk; database: LimitedDisk } | string;
  /** Shifts the database's clock by this much; resolves once it has, or with the reason if that cannot be done here. */
  readonly setDatabaseClock: ((offMs: number) => Promise<void>) | string;
  link(from: ProcessName, to: PeerName): FaultProxy;
  /** Every connection to `to`, or all connections. */
  links(to?: PeerName): FaultProxy[];
  setLinks(fault: NetworkFault, to?: PeerName): Promise<void>;
  pause(server: ServerName): Promise<void>;
  resume(server: ServerName): Promise<void>;
  kill9(server: ServerName): Promise<void>;
  restart(server: ServerName): Promise<void>;
  newCompany(key?: Record<string, unknown>): Promise<TestCompany>;
  /** The gateway's dependencies, by name: `ok` or what is wrong. */
  checks(): Promise<Record<string, string>>;
  /** The memory that a process uses now, MiB. */
  memoryMiB(name: ProcessName): number;
  /** Ends every fault; resolves when the platform is as healthy as before. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

interface TestBedOptions {
  seed: number;
  /** The directory of the processes' logs. */
  logDir: string;
  progress: (line: string) => void;
}

export async function startTestBed(options: TestBedOptions): Promise<TestBed> {
  const folder = mkdtempSync(path.join(tmpdir(), 'event-commerce-faults-'));
  const dataDir = path.join(folder, 'data');
  const undo: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    return await assemble(dataDir, options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function assemble(
  dataDir: string,
  options: TestBedOptions,
  undo: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<TestBed> {
  const mounted = await mountDisks(dataDir, undo);
  const databaseClock = path.join(path.dirname(dataDir), 'database-clock');
  setClock(databaseClock, 0);
  const infrastructure = await startInfrastructure({
    dataDir,
    databaseClock,
    env: { ...process.env, MONGO_URL: undefined, NATS_URL: undefined, REDIS_URL: undefined },
    progress: options.progress,
  });
  undo.push(() => infrastructure.stop());
  const ours = infrastructure.ways.mongo === 'packages';
  const disks = ours ? mounted : 'the servers run in containers, whose disks cannot be filled here';
  const setDatabaseClock = ours
    ? async (offMs: number) => wrongBy(infrastructure.mongoUrl, databaseClock, offMs)
    : 'the servers run in containers, whose clock is the machine’s';

  const proxies = new Map<string, FaultProxy>();
  undo.push(async () => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
  });
  const random = seededRandom(options.seed);
  const via = async (from: ProcessName, to: PeerName, url: string) => {
    const proxy = await FaultProxy.start(url, random);
    proxies.set(`${from} ${to}`, proxy);
    const replaced = proxy.replaceIn(url);
    return to === 'mongo' ? directly(replaced) : replaced;
  };
  const rootApiKey = newRootApiKey();
  options.progress('starting the platform ...');
  const platform = await startPlatform({
    ...infrastructure,
    identity: generateIdentityKeys(),
    rootApiKey,
    logDir: options.logDir,
    via,
    env: {
      MONGO_DB_PREFIX: `fault${randomUUID().slice(0, 8)}`,
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      CLAIM_TTL_MS: String(CLAIM_TTL_MS),
      UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
      UPSTREAM_IN_FLIGHT_MAX: String(UPSTREAM_IN_FLIGHT_MAX),
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'shift-clock.mjs')).href}`,
      LOG_LEVEL: 'warn',
    },
  });
  undo.push(() => platform.stop());
  const logger = createLogger({ service: 'fault run', level: 'silent' });
  const bus = await connectBus({ url: infrastructure.natsUrl, name: 'fault run', logger });
  undo.push(() => bus.close());

  const root = apiClient(platform.url, { authorization: `Bearer ${rootApiKey}` });
  const created = companiesOf(platform.url, rootApiKey);
  const newCompany = async (key: Record<string, unknown> = {}): Promise<TestCompany> => {
    const company = await created(key);
    const { api } = company;
    return {
      ...company,
      headers: { authorization: `Bearer ${company.key}` },
      async createCoupon({ maxRedemptions } = {}) {
        const code = newCode();
        const conditions = { code, ...(maxRedemptions === undefined ? {} : { maxRedemptions }) };
        // Stackable, so that an order with several redeems all of them.
        const adjustment = adjustmentBody(code, { conditions, stacking: 'stackable' });
        const { body } = await api.post('/v1/pricing/adjustments', adjustment);
        return { id: body.data.id, code, ...(maxRedemptions === undefined ? {} : { cap: maxRedemptions }) };
      },
    };
  };
  const checks = async () => (await root.get('/readyz')).body.data.checks as Record<string, string>;
  const links = (to?: PeerName) =>
    [...proxies].filter(([name]) => to === undefined || name.endsWith(` ${to}`)).map(([, proxy]) => proxy);
  const setLinks = async (fault: NetworkFault, to?: PeerName) => {
    await Promise.all(links(to).map((proxy) => proxy.set(fault)));
  };
  const servers = serversOf(infrastructure);

  return {
    platform,
    bus,
    disks,
    setDatabaseClock,
    link: (from, to) => {
      const proxy = proxies.get(`${from} ${to}`);
      if (proxy === undefined) throw new Error(`${from} does not connect to ${to}`);
      return proxy;
    },
    links,
    setLinks,
    ...servers,
    newCompany,
    checks,
    memoryMiB: (name) => {
      const status = readFileSync(`/proc/${platform.pidOf(name)}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    async heal() {
      await setLinks({ kind: 'pass' });
      setClock(databaseClock, 0);
      if (typeof disks !== 'string') for (const disk of [disks.broker, disks.database]) disk.free();
      await servers.restoreAll();
      await until('the gateway reports that everything it needs is healthy', HEALTHY_WITHIN_MS, async () => {
        await Promise.all(PROCESS_NAMES.map((name) => platform.ready(name)));
        return Object.values(await checks()).every((state) => state === 'ok');
      });
      await until('an order is placed and its redemption confirmed', HEALTHY_WITHIN_MS, async () => {
        const { api, companyId, createCoupon } = await newCompany();
        const { id, code } = await createCoupon();
        const { status } = await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }));
        if (status !== 201) return false;
        await until('the redemption is confirmed', HEALTHY_WITHIN_MS, async () => {
          const { body } = await api.get(`/v1/pricing/adjustments/${id}/redemptions`);
          return body.data[0]?.status === 'confirmed';
        });
        return true;
      });
    },
    stop,
  };
}

/** One disk for each server, so that one can be full and the other not. */
async function mountDisks(dataDir: string, undo: (() => Promise<void>)[]): Promise<TestBed['disks']> {
  const disks: LimitedDisk[] = [];
  try {
    // Where the servers from Debian's packages keep their data.
    for (const name of ['nats', 'postgres']) {
      const disk = await mountLimitedDisk(path.join(dataDir, name));
      undo.push(() => disk.unmount());
      disks.push(disk);
    }
  } catch (error) {
    return (error as Error).message;
  }
  const [broker, database] = disks as [LimitedDisk, LimitedDisk];
  return { broker, database };
}

/** A driver that learns of other members would connect to them, past the proxy. */
function directly(mongoUrl: string): string {
  const url = new URL(mongoUrl);
  url.searchParams.set('directConnection', 'true');
  if (url.pathname === '') url.pathname = '/';
  return url.href;
}
