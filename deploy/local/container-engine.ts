import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { CommandFailed, runCommand } from './run-command.ts';

/**
 * A container engine, spoken to through its own command: it knows the user's contexts, sockets and credentials, and Podman
 * needs no socket at all.
 */
export interface ContainerEngine {
  readonly name: 'Docker' | 'Podman';
  /** The command's environment: it holds where the engine is. */
  readonly env: NodeJS.ProcessEnv;
  readonly command: 'docker' | 'podman';
  /** @throws CommandFailed */
  run(...args: string[]): Promise<string>;
}

/** How the reason ends when an engine is there and was not started. */
export const NOT_RUNNING = 'is installed and does not run';
const ANSWER_TIMEOUT_MS = 5_000;

/** The first engine that answers, or why each that is installed does not. */
export async function findContainerEngine(
  env: NodeJS.ProcessEnv,
): Promise<{ engine: ContainerEngine; reasons?: never } | { engine?: never; reasons: string[] }> {
  const reasons: string[] = [];
  for (const candidate of candidates(env)) {
    const reason = await whyNot(candidate);
    if (reason === undefined) return { engine: candidate };
    if (!reasons.includes(reason)) reasons.push(reason);
  }
  return { reasons };
}

function candidates(env: NodeJS.ProcessEnv): ContainerEngine[] {
  const found: ContainerEngine[] = [];
  if (isInstalled('docker', env)) {
    found.push(engine('Docker', env));
    // Where an engine of one's own listens, if nobody told the command so.
    const sockets = [
      env['XDG_RUNTIME_DIR'] && path.join(env['XDG_RUNTIME_DIR'], 'docker.sock'),
      path.join(homedir(), '.docker/run/docker.sock'),
      env['XDG_RUNTIME_DIR'] && path.join(env['XDG_RUNTIME_DIR'], 'podman/podman.sock'),
    ];
    if (!env['DOCKER_HOST'] && !env['DOCKER_CONTEXT']) {
      for (const socket of sockets) {
        if (socket && existsSync(socket)) found.push(engine('Docker', { ...env, DOCKER_HOST: `unix://${socket}` }));
      }
    }
  }
  if (isInstalled('podman', env)) found.push(engine('Podman', env));
  return found;
}

function engine(name: ContainerEngine['name'], env: NodeJS.ProcessEnv): ContainerEngine {
  const command = name === 'Docker' ? 'docker' : 'podman';
  return { name, command, env, run: async (...args) => await runCommand([command, ...args], { env }) };
}

function isInstalled(command: string, env: NodeJS.ProcessEnv): boolean {
  const names = process.platform === 'win32' ? [`${command}.exe`] : [command];
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .some((directory) => names.some((name) => directory !== '' && existsSync(path.join(directory, name))));
}

async function whyNot({ name, command, env }: ContainerEngine): Promise<string | undefined> {
  const host = command === 'docker' ? env['DOCKER_HOST'] : undefined;
  if (host !== undefined && isElsewhere(host)) {
    return `DOCKER_HOST names an engine on another machine (${host}), and ports are opened on 127.0.0.1 only`;
  }
  const question =
    command === 'docker' ? ['version', '--format={{.Server.Version}}'] : ['info', '--format={{.Host.OS}}'];
  try {
    await runCommand([command, ...question], { env, timeoutMs: ANSWER_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    const said = error instanceof CommandFailed && error.output !== '' ? error.output : (error as Error).message;
    if (/permission denied/i.test(said)) {
      const socket = /unix:\/\/[^\s:"]+/.exec(said)?.[0].slice('unix://'.length) ?? 'its socket';
      return (
        `${name} does not let the user ${userInfo().username} in (no permission on ${socket}; ` +
        `"sudo usermod -aG docker ${userInfo().username}" and a new login give it)`
      );
    }
    if (/cannot connect|is the docker daemon running|no such file|connection refused/i.test(said)) {
      return `${name} ${NOT_RUNNING}`;
    }
    return `${name} does not answer: ${lastLine(said)}`;
  }
}

function isElsewhere(host: string): boolean {
  if (!URL.canParse(host)) return false;
  const { protocol, hostname } = new URL(host);
  return /^(tcp|https?|ssh):$/.test(protocol) && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** What a command printed last: there it says what went wrong. */
export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
