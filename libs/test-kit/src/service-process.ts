import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ProcessName } from '@event-commerce/contracts';
import { bundleOf } from '@event-commerce/service-kit/dist';
import { freePort } from './free-port.ts';

const OUTPUT_SHOWN = 2_000;
/**
 * A test file that fails before it could stop the process must not leave it behind: it would hold open the runner's
 * output.
 */
const EXIT_WITH_PARENT = path.resolve(import.meta.dirname, '../../service-kit/src/process/exit-with-parent.mjs');

/** A running service, which can be killed if it has a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  /** The id of its own process; undefined once it has exited, or if it has none. */
  readonly pid: number | undefined;
  /** SIGKILL: nothing is finished or logged. */
  kill9(): Promise<void>;
  /** Restarts it on the same port after it exited; resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the process `name`, as it was built, with `env` and its own port; resolves when it reports that it is ready.
 */
export async function startServiceProcess(name: ProcessName, env: Record<string, string>): Promise<ServiceProcess> {
  return await startScript(bundleOf(name), env);
}

/** Starts `script` like a process of the platform: it sends a message when it is ready. */
export async function startScript(script: string, env: Record<string, string>): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  const launch = () => {
    const launched = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, script], {
      env: { ...process.env, ...env, LOG_LEVEL: 'fatal', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    output = '';
    launched.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_SHOWN);
    });
    return launched;
  };
  let child = launch();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  // No time-out: a busy machine takes long, and the hook or test that waits has a time limit of its own.
  const ready = async () => {
    const exited = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`${script} ended before it was ready (${signal ?? code}): ${output}`);
    });
    await Promise.race([once(child, 'message'), exited]);
  };
  await ready();
  return {
    url,
    get pid() {
      return hasEnded() ? undefined : child.pid;
    },
    kill9: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      child = launch();
      await ready();
    },
    stop: () => end('SIGTERM'),
  };
}
