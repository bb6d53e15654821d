import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@event-commerce/test-kit/free-port';
import { type KeysOfServices, newKeysOfServices } from './keys-of-services.ts';
import { followPlainLines } from './plain-lines.ts';
import { openProcessLog, type ProcessLog } from './process-log.ts';
import { PROCESS_NAMES, type ProcessName } from './process-names.ts';
import { scriptOf } from './process-script.ts';

const root = path.resolve(import.meta.dirname, '../..');

export { PROCESS_NAMES, type ProcessName };

/** What a process connects to: a store, or a service. */
export type PeerName = 'mongo' | 'nats' | 'redis' | Exclude<ProcessName, 'gateway'>;

/** The memory limit of each process's container, as shipped for Compose and Kubernetes. */
export const MEMORY_MIB: Record<ProcessName, number> = {
  gateway: 512,
  commerce: 512,
  cart: 512,
  events: 512,
  activity: 512,
  pricing: 1_024,
};
/** The part of it that the heap may take. */
export const HEAP_SHARE = 0.7;

const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 50;
const STOP_TIMEOUT_MS = 15_000;
const RESTART_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];
/** A process that ran this long before it crashed is restarted with the shortest delay. */
const STEADY_AFTER_MS = 30_000;

/** The stores and options of a platform. */
export interface PlatformOptions {
  mongoUrl: string;
  /** The database server as the user of one process; if absent, all use `mongoUrl`. */
  mongoUrlOf?: (name: ProcessName) => string;
  natsUrl: string;
  /** The broker as the user of one process; if absent, all use `natsUrl`. */
  natsUrlOf?: (name: ProcessName) => string;
  redisUrl: string;
  identity: { privateKey: string; publicKey: string };
  /** The keys that services sign their own requests with; new ones if absent. Replicas of one platform share them. */
  keysOfServices?: KeysOfServices;
  rootApiKey: string;
  /** Where each process's log goes: `<name>.log`, overwritten. */
  logDir: string;
  /** The gateway's port; any free one if absent. */
  port?: number;
  /** Additional settings for every process. */
  env?: Record<string, string | undefined>;
  /** The address at which `from` reaches `to`, if not `url` itself: a proxy in fault tests. */
  via?: (from: ProcessName, to: PeerName, url: string) => Promise<string>;
  /** Runs the processes from their sources, and restarts those that a changed source file affects. */
  watch?: boolean;
  /** The process that a debugger can attach to, at Node's own port 9229. */
  inspect?: ProcessName;
  /** Called with a sentence about what happens to the processes after the start. */
  notify?: (sentence: string) => void;
}

export interface Platform {
  /** The platform's URL for clients. */
  readonly url: string;
  /** A process's own URL, behind the gateway. */
  urlOf: (name: ProcessName) => string;
  /** The URL of a process's metrics. */
  metricsUrlOf: (name: ProcessName) => string;
  /** The current id of the process; undefined while it restarts. */
  pidOf: (name: ProcessName) => number | undefined;
  /** Sends `signal` to a process. If that ends it, it is restarted as after a crash. */
  kill: (name: ProcessName, signal: NodeJS.Signals) => void;
  /** Resolves when the process reports that it is ready. */
  ready: (name: ProcessName) => Promise<void>;
  /** Stops every process in order; kills those that do not stop in time. */
  stop: () => Promise<void>;
}

interface Supervised {
  name: ProcessName;
  script: string;
  port: number;
  env: Record<string, string>;
  log: ProcessLog;
  child: ChildProcess | undefined;
  /** Whether it has reported that it serves. */
  serves: boolean;
  /** Why it could not start the first time, if it said so. */
  cannotStart: string | undefined;
  startedAtMs: number;
  crashes: number;
}

/**
 * Starts the four services and the gateway as separate processes, and restarts one that crashes. Resolves when all are
 * ready. If one cannot start, or is not ready in time, stops everything and rejects.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  mkdirSync(options.logDir, { recursive: true });
  const portsFor = async (choose: (name: ProcessName) => Promise<number>) =>
    Object.fromEntries(
      await Promise.all(PROCESS_NAMES.map(async (name) => [name, await choose(name)] as const)),
    ) as Record<ProcessName, number>;
  const ports = await portsFor(async (name) => (name === 'gateway' && options.port) || (await freePort()));
  const metricsPorts = await portsFor(freePort);
  const urlOf = (name: ProcessName) => `http://127.0.0.1:${ports[name]}`;

  /** The ports of everything on this machine that belongs to the platform. */
  const ownPorts = [
    ...Object.values(ports),
    ...Object.values(metricsPorts),
    ...[options.mongoUrl, options.natsUrl, options.redisUrl].flatMap((url) => /:(\d+)(?:[/?]|$)/.exec(url)?.[1] ?? []),
  ];

  const { keysOfServices = newKeysOfServices(), watch = false } = options;
  const via = options.via ?? (async (_from, _to, url) => url);
  const settingsOf = async (name: ProcessName) => ({
    ...process.env,
    // Each process gets only the secrets that it needs, below.
    ROOT_API_KEY: undefined,
    ROOT_API_KEY_NEXT: undefined,
    IDENTITY_PRIVATE_KEY: undefined,
    REDIS_URL: undefined,
    // There is no other replica to turn to.
    DRAIN_DELAY_MS: '0',
    ...options.env,
    MONGO_URL: await via(name, 'mongo', options.mongoUrlOf?.(name) ?? options.mongoUrl),
    MONGO_INDEXES: 'migrate',
    NATS_URL: await via(name, 'nats', options.natsUrlOf?.(name) ?? options.natsUrl),
    NODE_ENV: 'production',
    // By default glibc keeps freed memory in many arenas: 3 to 10 % of what all processes take.
    MALLOC_ARENA_MAX: '2',
    PORT: String(ports[name]),
    METRICS_PORT: String(metricsPorts[name]),
    ...(name === 'gateway'
      ? {
          REDIS_URL: await via(name, 'redis', options.redisUrl),
          ROOT_API_KEY: options.rootApiKey,
          IDENTITY_PRIVATE_KEY: options.identity.privateKey,
          PRICING_URL: await via(name, 'pricing', urlOf('pricing')),
          COMMERCE_URL: await via(name, 'commerce', urlOf('commerce')),
          CART_URL: await via(name, 'cart', urlOf('cart')),
          EVENTS_URL: await via(name, 'events', urlOf('events')),
          ACTIVITY_URL: await via(name, 'activity', urlOf('activity')),
        }
      : { IDENTITY_PUBLIC_KEYS: options.identity.publicKey, ...keysOfServices[name] }),
    ...(name === 'activity' ? { WEBHOOK_LOCAL: 'true', WEBHOOK_REFUSED_PORTS: ownPorts.join(',') } : {}),
  });
  let starting = true;
  let stopping = false;

  const launch = (supervised: Supervised): void => {
    supervised.startedAtMs = performance.now();
    supervised.serves = false;
    const child = spawn(
      process.execPath,
      [
        // As in the image (deploy/docker/Dockerfile). On a large machine V8 would let garbage grow for longer.
        '--external-memory-accounted-in-global-limit',
        '--max-semi-space-size=16',
        `--max-old-space-size=${Math.floor(MEMORY_MIB[supervised.name] * HEAP_SHARE)}`,
        ...(supervised.name === options.inspect ? ['--inspect'] : []),
        '--import',
        path.join(root, 'libs/service-kit/src/process/exit-with-parent.mjs'),
        ...(watch ? ['--watch', '--watch-preserve-output'] : []),
        supervised.script,
      ],
      // In its own process group: Ctrl-C reaches only the supervisor, which then stops the processes in order.
      { cwd: root, env: supervised.env, stdio: [watch ? 'pipe' : 'ignore', 'pipe', 'pipe', 'ipc'], detached: true },
    );
    supervised.log.keep(child);
    if (watch) followPlainLines(child, (line) => options.notify?.(`${supervised.name}: ${line}`));
    child.on('message', (message) => {
      if (message === 'serving') supervised.serves = true;
    });
    // With the last of its output, which may say why.
    child.on('close', (code, signal) => {
      supervised.child = undefined;
      if (stopping) return;
      const why = supervised.log.lastFatal();
      // It would fail again. A watched process is tried again after a change of its sources.
      if (starting && !watch && why !== undefined) supervised.cannotStart = why;
      else restart(supervised, signal === null ? `exit code ${code}` : signal, why);
    });
    supervised.child = child;
  };

  const restart = (supervised: Supervised, how: string, why: string | undefined): void => {
    if (performance.now() - supervised.startedAtMs > STEADY_AFTER_MS) supervised.crashes = 0;
    const waitMs = RESTART_DELAYS_MS[Math.min(supervised.crashes, RESTART_DELAYS_MS.length - 1)] ?? 0;
    supervised.crashes += 1;
    const because = why === undefined ? '' : `: ${why}`;
    options.notify?.(
      `${supervised.name} ended unexpectedly (${how}) and is restarted${because}. Its log: ${supervised.log.file}`,
    );
    setTimeout(() => {
      if (!stopping) launch(supervised);
    }, waitMs).unref();
  };

  const supervise = async (name: ProcessName): Promise<[ProcessName, Supervised]> => {
    const env = defined(await settingsOf(name));
    const log = openProcessLog(path.join(options.logDir, `${name}.log`), (sentence) => options.notify?.(sentence));
    const script = scriptOf(name, { watch });
    return [
      name,
      {
        name,
        script,
        port: ports[name],
        env,
        log,
        child: undefined,
        serves: false,
        cannotStart: undefined,
        startedAtMs: 0,
        crashes: 0,
      },
    ];
  };
  const processes = new Map(await Promise.all(PROCESS_NAMES.map(supervise)));
  const get = (name: ProcessName): Supervised => processes.get(name) as Supervised;

  const ready = async (name: ProcessName): Promise<void> => {
    // A watched process that cannot start waits for a change of its sources.
    const deadline = watch ? Infinity : performance.now() + READY_TIMEOUT_MS;
    // Polled only once it serves: polling five processes that start would take more CPU time than the rest of the supervisor.
    while (!(get(name).serves && (await answersReady(`${urlOf(name)}/readyz`)))) {
      const { cannotStart } = get(name);
      if (cannotStart !== undefined) throw new Error(`${name} cannot start. ${cannotStart}`);
      if (performance.now() > deadline) {
        throw new Error(`${name} did not become ready in ${READY_TIMEOUT_MS / 1000} s; its log: ${get(name).log.file}`);
      }
      await delay(READY_POLL_MS);
    }
  };

  const stop = async (): Promise<void> => {
    stopping = true;
    // The gateway first, so that requests in flight are still served by running services.
    await end(get('gateway'));
    await Promise.all(PROCESS_NAMES.filter((name) => name !== 'gateway').map(async (name) => end(get(name))));
    for (const { log } of processes.values()) log.end();
  };

  for (const supervised of processes.values()) launch(supervised);
  try {
    await Promise.all(PROCESS_NAMES.map(ready));
    starting = false;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: urlOf('gateway'),
    urlOf,
    metricsUrlOf: (name) => `http://127.0.0.1:${metricsPorts[name]}/metrics`,
    pidOf: (name) => get(name).child?.pid,
    kill: (name, signal) => {
      get(name).child?.kill(signal);
    },
    ready,
    stop,
  };
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function end({ child }: Supervised): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killer);
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
