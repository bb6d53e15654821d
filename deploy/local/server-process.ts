import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A server process that ends with this one, even if this one is killed. Linux only. */

const startWithinMs = 60_000;
const stopWithinMs = 8000;
const pollMs = 30;

interface ServerProcessOptions {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Added to this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Receives its output; overwritten at each start. */
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  readonly ready: () => Promise<boolean>;
  readonly onUnexpectedExit: (line: string) => void;
}

export class ServerProcess {
  readonly #options: ServerProcessOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #ending = false;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Resolves once it responds. @throws Error with the end of its log if it exits first or takes longer than a minute
   */
  async start(): Promise<void> {
    const { name, command, env, logFile } = this.#options;
    const log = openSync(logFile, 'w');
    // The kernel kills it when the thread that started it ends, however that ends. In its own process group: Ctrl-C in
    // a terminal is for the parent, which then stops the servers in order.
    const child = spawn('setpriv', ['--pdeathsig=KILL', ...command], {
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.#child = child;
    this.#ending = false;
    this.#exited = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', (code, signal) => {
        this.#child = undefined;
        if (!this.#ending) this.#options.onUnexpectedExit(`${name} ended (${code ?? signal}); its log is ${logFile}`);
        resolve();
      });
    });
    const startedAtMs = Date.now();
    for (;;) {
      if (this.#child === undefined || child.pid === undefined) throw this.#failed('ended');
      if (await this.#options.ready()) return;
      if (Date.now() - startedAtMs > startWithinMs) {
        await this.kill9();
        throw this.#failed(`did not respond within ${startWithinMs / 1000} s`);
      }
      await delay(pollMs);
    }
  }

  /** Rejects when it exits unexpectedly; for callers that wait for something that depends on it. */
  async failure(): Promise<never> {
    await this.#exited;
    throw this.#failed('ended');
  }

  /** Lets it finish its work; kills it if that takes too long. */
  async stop(): Promise<void> {
    this.#ending = true;
    // A paused server cannot handle the signal.
    this.signal('SIGCONT');
    this.signal(this.#options.stopSignal);
    const timer = setTimeout(() => this.signal('SIGKILL'), stopWithinMs);
    await this.#exited;
    clearTimeout(timer);
  }

  async kill9(): Promise<void> {
    this.#ending = true;
    const { pid } = this;
    if (pid === undefined) return;
    // So that it cannot start another process while its children are killed.
    this.signal('SIGSTOP');
    for (const helper of childrenOf(pid)) kill(helper, 'SIGKILL');
    this.signal('SIGKILL');
    await this.#exited;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) kill(this.pid, signal);
  }

  #failed(what: string): Error {
    const { name, logFile } = this.#options;
    const log = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
    return new Error(`${name} ${what}. The end of ${logFile}:\n${log}`);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
