import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asUnprivileged, type DebianPackages } from './debian-packages.ts';
import type { Progress } from './progress.ts';
import type { ServerName } from './server-names.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerControl } from './started-server.ts';
import type { User } from './users.ts';

export interface LocalServersOptions {
  readonly packages: DebianPackages;
  readonly dataDir: string;
  readonly ports: Readonly<Record<ServerName, number>>;
  readonly progress: Progress;
  readonly natsOperators: readonly User[];
  readonly databaseClock?: string;
  readonly fsync?: boolean;
}

/** The folder of a server's data. */
export async function dataOf(options: LocalServersOptions, name: string): Promise<string> {
  const data = join(options.dataDir, name);
  await mkdir(data, { recursive: true });
  return data;
}

interface Server {
  readonly name: string;
  readonly data: string;
  readonly command: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  readonly ready: () => Promise<boolean>;
}

/** A server that runs unprivileged and ends with this process. */
export function serverProcess(
  options: LocalServersOptions,
  { name, data, command, stopSignal, ready }: Server,
): ServerProcess {
  return new ServerProcess({
    name,
    // The server inherits the lock: after a kill, the next start waits until the last process of the previous one is
    // gone.
    command: [
      'flock',
      '--no-fork',
      '--timeout',
      '20',
      data,
      ...asUnprivileged,
      'setpriv',
      '--pdeathsig=KILL',
      ...command,
    ],
    logFile: join(options.dataDir, 'logs', `${name}.log`),
    stopSignal,
    ready,
    onUnexpectedExit: options.progress,
  });
}

/** @param processes in the order in which they start */
export function controlOf(front: ServerProcess, processes: readonly ServerProcess[]): ServerControl {
  return {
    get pid() {
      return front.pid;
    },
    async kill9() {
      // Client-facing parts first, so that none finds the other half alive.
      await Promise.all(processes.toReversed().map((process) => process.kill9()));
    },
    async restart() {
      for (const process of processes.toReversed()) await process.stop();
      for (const process of processes) await process.start();
    },
    async pause() {
      front.signal('SIGSTOP');
    },
    async resume() {
      front.signal('SIGCONT');
    },
  };
}
