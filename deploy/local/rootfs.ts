import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exclusively } from './exclusive.ts';

/** A small Debian root file system with the servers, for a machine that has no container engine. Built once, then kept. */

const suite = 'forky';
const packages = ['postgresql-18-documentdb', 'nats-server', 'redis-server'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Part of the cache's name: a change of how it is built makes a new one. */
const buildVersion = 1;

export type Progress = (line: string) => void;

/** Why this machine cannot have the root file system, or undefined if it can. */
export async function rootfsObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return 'this is not a Debian machine';
  if (process.getuid?.() !== 0) return 'this user is not root';
  if ((await debianMirror()) === undefined) return "this machine's apt sources name no Debian mirror";
  return undefined;
}

/**
 * The directory of the root file system; builds it if it is not there yet (about a minute, 700 MB).
 * @throws Error with the end of the build's output if it fails
 */
export async function rootfs(env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'event-commerce');
  const hash = createHash('sha256')
    .update(JSON.stringify([buildVersion, suite, packages]))
    .digest('hex')
    .slice(0, 12);
  const dir = join(cache, `rootfs-${hash}`);
  if (existsSync(dir)) return dir;
  await mkdir(cache, { recursive: true });
  return exclusively(dir, async () => {
    if (existsSync(dir)) return dir;
    for (const name of await readdir(cache)) {
      // Whatever an interrupted build left: nobody else builds while this one holds the lock.
      if (name.startsWith(`rootfs-${hash}.`)) await rm(join(cache, name), { recursive: true, force: true });
    }
    await ensureTools(progress);
    const building = `${dir}.building`;
    await mkdir(building);
    const mirror = await debianMirror();
    await reported('building the root file system (once, ~700 MB)', progress, () =>
      run('mmdebstrap', [
        '--variant=apt',
        '--aptopt=Acquire::Check-Valid-Until "false"',
        '--aptopt=APT::Install-Recommends "false"',
        `--include=${packages.join(',')}`,
        suite,
        building,
        `deb [signed-by=${keyring}] ${mirror} ${suite} main`,
      ]),
    );
    await rename(building, dir);
    return dir;
  });
}

async function ensureTools(progress: Progress): Promise<void> {
  const missing: string[] = [];
  if (!(await isCommand('mmdebstrap'))) missing.push('mmdebstrap');
  if (!existsSync(keyring)) missing.push('debian-archive-keyring');
  if (missing.length === 0) return;
  await reported(`installing ${missing.join(' and ')}`, progress, async () => {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...missing]);
  });
}

async function isCommand(name: string): Promise<boolean> {
  return promisify(execFile)('sh', ['-c', `command -v ${name}`]).then(
    () => true,
    () => false,
  );
}

/** Says at least every few seconds that the step still runs, so that a silent minute is not taken for a hang. */
export async function reported<T>(step: string, progress: Progress, work: () => Promise<T>): Promise<T> {
  const startedAtMs = Date.now();
  const seconds = (): string => ((Date.now() - startedAtMs) / 1000).toFixed(0);
  progress(`${step} ...`);
  const ticking = setInterval(() => progress(`${step} ... ${seconds()} s`), 3000);
  try {
    const result = await work();
    progress(`${step}: done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}

/** In a process namespace of its own, so that nothing of it goes on running if this process is killed. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const isolation = ['--pdeathsig=KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const child = spawn('setpriv', [...isolation, command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  const lines: string[] = [];
  const keep = (chunk: Buffer): void => {
    lines.push(...chunk.toString().split('\n').filter(Boolean));
    lines.splice(0, lines.length - 15);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  if (code !== 0) throw new Error(`${command} failed (${code}):\n${lines.join('\n')}`);
}

/** The first Debian archive that the machine's own apt sources name, in either of their two formats. */
export async function debianMirror(aptDir = '/etc/apt'): Promise<string | undefined> {
  const parts = existsSync(join(aptDir, 'sources.list.d')) ? await readdir(join(aptDir, 'sources.list.d')) : [];
  const files = ['sources.list', ...parts.toSorted().map((name) => join('sources.list.d', name))];
  for (const file of files) {
    const text = await readFile(join(aptDir, file), 'utf8').catch(() => '');
    const uris = file.endsWith('.sources') ? deb822Uris(text) : file.endsWith('.list') ? oneLineUris(text) : [];
    const mirror = uris.find((uri) => /\/debian\/?$/.test(new URL(uri).pathname));
    if (mirror !== undefined) return mirror;
  }
  return undefined;
}

function deb822Uris(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .filter((stanza) => /^Types:(?:.*[ \t])?deb(?:[ \t]|$)/im.test(stanza) && !/^Enabled:\s*no/im.test(stanza))
    .flatMap((stanza) => /^URIs:((?:.|\n[ \t])*)/im.exec(stanza)?.[1]?.split(/\s+/) ?? [])
    .filter(isWebAddress);
}

function oneLineUris(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /^\s*deb\s/.test(line))
    .flatMap(
      (line) =>
        line
          .replace(/\[[^\]]*\]/, '')
          .trim()
          .split(/\s+/)[1] ?? [],
    )
    .filter(isWebAddress);
}

function isWebAddress(uri: string): boolean {
  return /^https?:\/\//.test(uri) && URL.canParse(uri);
}
