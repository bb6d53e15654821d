import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { debianMirror } from './debian-mirror.ts';
import { exclusively } from './exclusive.ts';
import { type Progress, reported } from './progress.ts';
import { CommandFailed, runCommand } from './run-command.ts';

/**
 * The servers from Debian's packages, unpacked into a directory and run from there. Installs nothing, and needs neither
 * root nor a container engine nor namespaces. Unpacked once, then reused.
 */

const SUITE = 'forky';
const PACKAGES = ['postgresql-18-documentdb', 'nats-server', 'redis-server', 'libfaketime'];
/**
 * What packages depend on and the servers never load: geography beyond what DocumentDB uses (half of the download), and
 * what only install scripts run. A name that the suite does not have is no error.
 */
const UNUSED =
  /^(lib(gdal|sfcgal)\d+|proj-data|adduser|debconf|dpkg|init-system-helpers|locales|openssl|passwd|perl|postgresql-(client-)?common|procps|ssl-cert|systemd|tzdata|ucf)$/;
const KEYRINGS = ['/usr/share/keyrings/debian-archive-keyring.gpg', '/usr/share/keyrings/debian-archive-keyring.pgp'];
/** Part of the directory's name: raise it when the unpacking changes. */
const BUILD_VERSION = 3;
const SPACE_BYTES = 400_000_000;

/** Debian's library directory and loader, by Node's name for the processor. */
const ARCHITECTURES: Readonly<Record<string, { libraries: string; loader: string }>> = {
  x64: { libraries: 'usr/lib/x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { libraries: 'usr/lib/aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};
const POSTGRES = 'usr/lib/postgresql/18';
/** Programs started by path, by others or on their own: each is patched to find its libraries. */
const PROGRAMS = [
  `${POSTGRES}/bin/postgres`,
  `${POSTGRES}/bin/initdb`,
  'usr/sbin/nats-server',
  'usr/bin/redis-check-rdb',
];

export interface DebianPackages {
  readonly postgres: string;
  readonly initdb: string;
  readonly natsServer: string;
  readonly redisServer: string;
  /** Where PostgreSQL's extensions find their libraries (`LD_LIBRARY_PATH`). */
  readonly libraryPath: string;
  /** A library that shifts a program's clock (`LD_PRELOAD`). */
  readonly fakeTime: string;
}

/** Why this machine cannot run the servers from Debian's packages, in a few words; undefined if it can. */
export async function debianPackagesObstacle(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return 'this machine is not Debian or Ubuntu';
  if (ARCHITECTURES[process.arch] === undefined) return `Debian has no DocumentDB for ${process.arch}`;
  if (process.getuid?.() === 0) {
    try {
      await runCommand([...asUnprivileged, 'true']);
    } catch {
      return 'PostgreSQL does not run as root, and root may not create user namespaces here; run this as an ordinary user';
    }
  }
  if (existsSync(directory(env))) return undefined;
  if ((await mirrorOf(env)) === undefined) {
    return 'apt has no Debian mirror among its sources; set DEBIAN_MIRROR to the address of one';
  }
  return undefined;
}

/** Prefixes a command that must not see that it runs as root: same user, another id, no rights. */
export const asUnprivileged: readonly string[] =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];

/**
 * The servers' programs. Downloads and unpacks them if they are missing (some seconds, 250 MB).
 * @throws Error that says what is wrong and what to do
 */
export async function debianPackages(env: NodeJS.ProcessEnv, progress: Progress): Promise<DebianPackages> {
  const dir = directory(env);
  if (!existsSync(dir)) await exclusively(dir, () => build(dir, env, progress));
  const { libraries } = architecture();
  return {
    postgres: join(dir, POSTGRES, 'bin/postgres'),
    initdb: join(dir, POSTGRES, 'bin/initdb'),
    natsServer: join(dir, 'usr/sbin/nats-server'),
    redisServer: join(dir, 'usr/bin/redis-server'),
    libraryPath: `${join(dir, libraries)}:${join(dir, POSTGRES, 'lib')}`,
    fakeTime: join(dir, libraries, 'faketime/libfaketime.so.1'),
  };
}

function cacheDirectory(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'event-commerce');
}

function directory(env: NodeJS.ProcessEnv): string {
  const cache = cacheDirectory(env);
  // The programs contain absolute paths, so a cache that moved is rebuilt.
  const hash = createHash('sha256').update(JSON.stringify([BUILD_VERSION, SUITE, PACKAGES, process.arch, cache]));
  return join(cache, `servers-${hash.digest('hex').slice(0, 12)}`);
}

async function build(dir: string, env: NodeJS.ProcessEnv, progress: Progress): Promise<void> {
  if (existsSync(dir)) return;
  const building = `${dir}.building`;
  // Left by an interrupted build: the lock guarantees that no other build is running.
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  try {
    await needSpace(building, SPACE_BYTES);
    const debs = await reported(
      'downloading MongoDB (DocumentDB), NATS and Redis from Debian, once (60 MB)',
      progress,
      () => download(join(building, 'apt'), env),
    );
    await reported('unpacking them', progress, async () => {
      const root = join(building, 'root');
      await mkdir(root);
      const unpack = async (): Promise<void> => {
        for (let deb = debs.pop(); deb !== undefined; deb = debs.pop()) {
          await runCommand([...dyingWithUs, 'dpkg-deb', '--extract', deb, root]);
        }
      };
      await Promise.all(Array.from({ length: availableParallelism() }, unpack));
      await makeRunnable(root, dir);
      await rename(root, dir);
    });
  } catch (error) {
    throw explained(error as Error, building, (await mirrorOf(env)) ?? '');
  } finally {
    // Even after a failure: it must not leave the disk full.
    await rm(building, { recursive: true, force: true });
  }
}

const dyingWithUs = ['setpriv', '--pdeathsig=KILL'];

/** The packages and what they need of everything that they depend on, whatever is installed on this machine. */
async function download(work: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  for (const part of ['lists/partial', 'cache/archives/partial']) await mkdir(join(work, part), { recursive: true });
  await writeFile(join(work, 'status'), '');
  const source = `deb [signed-by=${await keyring(work)}] ${await mirrorOf(env)} ${SUITE} main\n`;
  await writeFile(join(work, 'sources.list'), source);
  const settings = {
    'Dir::State': work,
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::State::Status': join(work, 'status'),
    'Dir::Cache': join(work, 'cache'),
    'Dir::Cache::Archives': join(work, 'cache/archives'),
    'Dir::Etc::SourceList': join(work, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Acquire::Languages': 'none',
    // A mirror that is a few days behind is fine.
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '10',
    'Acquire::https::Timeout': '10',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).map(([name, value]) => `-o${name}=${value}`);
  const apt = [...dyingWithUs, 'apt-get', ...options];
  const environment = { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand([...apt, '--error-on=any', 'update'], { env: environment });
  const names = (await runCommand(['apt-cache', ...options, 'pkgnames'], { env: environment })).split('\n');
  await writeFile(
    join(work, 'status'),
    names
      .filter((name) => UNUSED.test(name))
      .map(asInstalled)
      .join('\n'),
  );
  await runCommand([...apt, '--yes', '--download-only', 'install', ...PACKAGES, 'patchelf'], { env: environment });
  const archives = join(work, 'cache/archives');
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name));
}

/** An entry of apt's list of installed packages, newer than any version that another one asks for. */
function asInstalled(name: string): string {
  return [
    `Package: ${name}`,
    'Status: install ok installed',
    'Version: 999:999',
    'Architecture: all',
    'Multi-Arch: foreign',
    'Maintainer: none',
    'Description: not needed\n',
  ].join('\n');
}

/** Replaces the packages' own install scripts, as far as these servers need them. */
async function makeRunnable(root: string, dir: string): Promise<void> {
  const { libraries, loader } = architecture();
  for (const unused of ['doc', 'man', 'locale', 'fonts'])
    await rm(join(root, 'usr/share', unused), { recursive: true, force: true });
  await symlink('postgis-3.control', join(root, 'usr/share/postgresql/18/extension/postgis.control'));
  const patchelf = [
    join(root, libraries, loader),
    '--library-path',
    join(root, libraries),
    join(root, 'usr/bin/patchelf'),
  ];
  const [interpreter, rpath] = [join(dir, libraries, loader), join(dir, libraries)];
  const options = ['--set-interpreter', interpreter, '--force-rpath', '--set-rpath', rpath];
  for (const program of PROGRAMS) await runCommand([...patchelf, ...options, join(root, program)]);
}

function architecture(): { libraries: string; loader: string } {
  const found = ARCHITECTURES[process.arch];
  if (found === undefined) throw new Error(`Debian has no DocumentDB for ${process.arch}.`);
  return found;
}

/** On Ubuntu Debian's keys are a package; it is unpacked, not installed. */
async function keyring(work: string): Promise<string> {
  const present = KEYRINGS.find((file) => existsSync(file));
  if (present !== undefined) return present;
  await runCommand([...dyingWithUs, 'apt-get', 'download', 'debian-archive-keyring'], { cwd: work });
  const deb = (await readdir(work)).find((name) => name.endsWith('.deb')) ?? '';
  await runCommand(['dpkg-deb', '--extract', join(work, deb), join(work, 'keys')]);
  return join(work, 'keys', KEYRINGS[0] ?? '');
}

async function mirrorOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return env['DEBIAN_MIRROR'] || (await debianMirror());
}

/** @throws Error if the disk of `dir` has less than `bytes` free */
async function needSpace(dir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize < bytes) throw noSpace(dir, bavail * bsize);
}

function noSpace(dir: string, freeBytes?: number): Error {
  const left = freeBytes === undefined ? 'no space left' : `${Math.floor(freeBytes / 1e6)} MB left`;
  return new Error(
    `The disk of ${dir} has ${left}, and the servers need ${SPACE_BYTES / 1e6} MB. ` +
      'Make room there, or set XDG_CACHE_HOME to a directory on a larger disk.',
  );
}

function explained(error: Error, dir: string, mirror: string): Error {
  if (!(error instanceof CommandFailed)) return error;
  if (/No space left on device|not enough free space/i.test(error.output)) return noSpace(dir);
  if (/resolving|resolve|connect|timed out|unreachable/i.test(error.output)) {
    return new Error(
      `Debian's mirror ${mirror} cannot be reached. Check the network, or set DEBIAN_MIRROR to another mirror.`,
      {
        cause: error,
      },
    );
  }
  return error;
}
