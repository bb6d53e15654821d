import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/** A container engine that responds. Found by its socket, so that nothing is loaded where there is none. */
export interface ContainerEngine {
  readonly name: 'Docker' | 'Podman';
  /** The engine's address, in the form of `DOCKER_HOST`. */
  readonly host: string;
}

/** How the reason ends when an engine is installed but not running. */
export const NOT_RUNNING = 'is installed but not running';
const ANSWER_TIMEOUT_MS = 5_000;

/** The first engine that responds, or why each installed one does not. */
export async function findContainerEngine(
  env: NodeJS.ProcessEnv,
): Promise<{ engine: ContainerEngine; reasons?: never } | { engine?: never; reasons: string[] }> {
  const reasons = new Set<string>();
  for (const host of hosts(env)) {
    const answer = await ask(host);
    if (typeof answer !== 'string') return { engine: answer };
    reasons.add(answer);
  }
  if (reasons.size === 0 && isInstalled('docker', env)) reasons.add(`Docker ${NOT_RUNNING}`);
  if (isInstalled('podman', env)) {
    const socket =
      'create its socket with "systemctl --user start podman.socket", on macOS with "podman machine start"';
    reasons.add(`Podman (${socket}) ${NOT_RUNNING}`);
  }
  return { reasons: [...reasons] };
}

/** Where an engine may be: first in the order of Docker's own command, then the rootless engines of the user. */
function hosts(env: NodeJS.ProcessEnv): string[] {
  const named = env['DOCKER_HOST'] || hostOfContext(env);
  if (named) return [named];
  const runtime = env['XDG_RUNTIME_DIR'] || `/run/user/${userInfo().uid}`;
  const home = env['HOME'] || homedir();
  return [
    '/var/run/docker.sock',
    path.join(runtime, 'docker.sock'),
    path.join(home, '.docker/run/docker.sock'),
    path.join(home, '.docker/desktop/docker.sock'),
    path.join(runtime, 'podman/podman.sock'),
    '/run/podman/podman.sock',
    path.join(home, '.local/share/containers/podman/machine/podman.sock'),
    // Only macOS gives each user a folder for temporary files that others cannot write to.
    ...(process.platform === 'darwin'
      ? [path.join(env['TMPDIR'] || tmpdir(), 'podman/podman-machine-default-api.sock')]
      : []),
  ]
    .filter((socket) => existsSync(socket))
    .map((socket) => `unix://${socket}`);
}

/** Docker keeps each context in a folder named after it. */
function hostOfContext(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env['DOCKER_CONFIG'] || path.join(env['HOME'] || homedir(), '.docker');
  const read = (file: string): { currentContext?: string; Endpoints?: { docker?: { Host?: string } } } => {
    try {
      return JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as ReturnType<typeof read>;
    } catch {
      return {};
    }
  };
  const name = env['DOCKER_CONTEXT'] || read('config.json').currentContext;
  if (!name || name === 'default') return undefined;
  const id = createHash('sha256').update(name).digest('hex');
  return read(`contexts/meta/${id}/meta.json`).Endpoints?.docker?.Host;
}

/** The engine that responds at `host`, or why none does. */
async function ask(host: string): Promise<ContainerEngine | string> {
  if (!URL.canParse(host)) return `DOCKER_HOST is not the address of an engine: ${host}`;
  const { protocol, hostname, pathname, port } = new URL(host);
  if (protocol !== 'unix:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    return `DOCKER_HOST names an engine on another machine (${host}), and ports are opened on 127.0.0.1 only`;
  }
  const where = protocol === 'unix:' ? { socketPath: pathname } : { hostname, port };
  return await new Promise((resolve) => {
    const asked = request({ ...where, path: '/_ping', timeout: ANSWER_TIMEOUT_MS }, (answer) => {
      answer.resume();
      const name = 'libpod-api-version' in answer.headers ? 'Podman' : 'Docker';
      resolve(answer.statusCode === 200 ? { name, host } : `${name} does not respond: HTTP ${answer.statusCode}`);
    });
    asked.on('timeout', () => asked.destroy(new Error(`no response within ${ANSWER_TIMEOUT_MS / 1000} s`)));
    asked.on('error', (error) => resolve(reason(error, host, pathname)));
    asked.end();
  });
}

function reason(error: NodeJS.ErrnoException, host: string, socket: string): string {
  const engine = host.includes('podman') ? 'Podman' : 'Docker';
  if (error.code === 'EACCES') {
    const { username } = userInfo();
    return (
      `${engine} does not accept the user ${username} (no permission on ${socket}; ` +
      `"sudo usermod -aG docker ${username}" and a new login grants it)`
    );
  }
  if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') return `${engine} ${NOT_RUNNING}`;
  return `${engine} does not respond: ${error.message}`;
}

function isInstalled(command: string, env: NodeJS.ProcessEnv): boolean {
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .some((directory) => directory !== '' && existsSync(path.join(directory, command)));
}
