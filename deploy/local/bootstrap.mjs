// Runs a script of this repository on the project's pinned Node version. Installs missing or outdated dependencies
// first. Plain JavaScript that an old Node can parse, because the machine's own may be old.
import { spawn, spawnSync } from 'child_process';
import fs from 'fs';
import { constants } from 'os';
import path from 'path';
import process from 'process';
import { fileURLToPath } from 'url';

const PNPM = 'pnpm@12.21.0';
const NODE_MAJOR_MIN = 18;
const INSTALL_BYTES = 700e6;
const PROGRESS_MS = 5000;
const PARENT_POLL_MS = 500;
const SERVER_URLS = ['MONGO_URL', 'NATS_URL', 'REDIS_URL'];
const SCRIPTS_WITHOUT_SERVERS = /\/(demo|keys|migrate|notices|release|settings)\.ts$/;

const LIBATOMIC_MISSING =
  "The project's Node needs the library libatomic.so.1: install it (Debian, Ubuntu: apt-get install libatomic1; " +
  'Fedora: dnf install libatomic), then run this again.';

const root = fileURLToPath(new URL('../..', import.meta.url));
const nodeBinary = path.join(root, 'node_modules/.bin/node');
const exitWithParent = new URL('../../libs/service-kit/src/process/exit-with-parent.mjs', import.meta.url).href;

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('Usage: node bootstrap.mjs SCRIPT [ARGUMENT ...]');
if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  fail(
    `Node.js ${process.versions.node} is too old: install version ${NODE_MAJOR_MIN} or newer from nodejs.org, then run this again.`,
  );
}
if (!dependenciesAreCurrent()) {
  const obstacle = obstacleToInstalling();
  if (obstacle !== undefined) fail(obstacle);
  await installDependencies();
}
run();

function dependenciesAreCurrent() {
  const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined);
  const installed = read(path.join(root, 'node_modules/.pnpm/lock.yaml'));
  return fs.existsSync(nodeBinary) && installed === read(path.join(root, 'pnpm-lock.yaml'));
}

/** What would fail during or after the installation, as a sentence that says what to do. */
function obstacleToInstalling() {
  const { platform, arch } = process;
  if (platform === 'win32')
    return 'On Windows this runs in WSL: open a WSL terminal (wsl --install), and run it there.';
  if (!['linux', 'darwin'].includes(platform) || !['x64', 'arm64'].includes(arch)) {
    return `The project's Node is not built for ${platform} on ${arch}: use Linux or macOS on x64 or arm64.`;
  }
  if (!isCommand('npx'))
    return 'npx was not found: install npm, which comes with Node.js from nodejs.org, then run this again.';
  if (platform === 'linux' && isCommand('ldconfig') && !/libatomic\.so\.1/.test(outputOf('ldconfig', '-p'))) {
    return LIBATOMIC_MISSING;
  }
  const needsServers = !SCRIPTS_WITHOUT_SERVERS.test(script) && SERVER_URLS.some((name) => !process.env[name]);
  if (needsServers && !process.env.DOCKER_HOST && !['docker', 'podman', 'apt-get'].some(isCommand)) {
    return (
      'MongoDB, NATS and Redis cannot be started here: install Docker or Podman, or use Debian or Ubuntu, ' +
      `or set ${SERVER_URLS.join(', ')} to servers that are already running.`
    );
  }
  const freeBytes = freeBytesOf(root);
  if (freeBytes < INSTALL_BYTES) return noSpace(`${Math.floor(freeBytes / 1e6)} MB left`);
  return undefined;
}

async function installDependencies() {
  const beganMs = Date.now();
  const seconds = () => ((Date.now() - beganMs) / 1000).toFixed(0);
  process.stdout.write('Installing dependencies ...\n');
  const ticking = setInterval(() => process.stdout.write(`Installing dependencies ... ${seconds()} s\n`), PROGRESS_MS);
  // Without this check npx retries for minutes before it reports that there is no network.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000'];
  // CI asks the registry about the age of each of 800 packages (10 s), for each change of the lockfile.
  const trust = process.env.CI ? [] : ['--trust-lockfile'];
  const command = ['-y', ...patience, PNPM, 'install', '--frozen-lockfile', ...trust, '--reporter=append-only'];
  const child = spawn('npx', command, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const status = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', resolve);
  });
  clearInterval(ticking);
  if (status === 0) return void process.stdout.write(`Installed dependencies in ${seconds()} s\n`);
  if (/ENOSPC|no space left/i.test(output)) return fail(noSpace('no space left'));
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/.test(output)
  ) {
    const registry = outputOf('npm', 'config', 'get', 'registry').trim();
    return fail(
      `The npm registry ${registry} cannot be reached: check the network, and the proxy if there is one ` +
        '(npm config get proxy), then run this again.',
    );
  }
  process.stderr.write(`${output}\n`);
  return fail('The dependencies could not be installed; the output above says why.');
}

function run() {
  const child = spawn(nodeBinary, ['--import', exitWithParent, path.resolve(root, script), ...args], {
    // The child exits when the channel closes: with this process, however it ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Caches compiled code for the next start: half of a process's load time.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
      ...process.env,
      PATH: `${path.dirname(nodeBinary)}${path.delimiter}${process.env.PATH}`,
    },
  });
  // Ctrl-C reaches the child too. It decides how to stop, and this process exits after it, with its code.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // npm does not report that it was killed.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), PARENT_POLL_MS).unref();
  child.on('error', (error) =>
    fail(`The project's Node could not be started (${error.message}): delete node_modules, then run this again.`),
  );
  child.on('exit', (code, signal) => {
    // The loader's exit code when a library is missing.
    if (code === 127 && process.platform === 'linux') process.stderr.write(`${LIBATOMIC_MISSING}\n`);
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

function noSpace(left) {
  return `The disk of ${root} has ${left}, and the dependencies need ${INSTALL_BYTES / 1e6} MB: make room, then run this again.`;
}

function freeBytesOf(directory) {
  if (fs.statfsSync === undefined) return Infinity;
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize;
}

function isCommand(name) {
  return [...process.env.PATH.split(path.delimiter), '/sbin'].some((directory) =>
    fs.existsSync(path.join(directory, name)),
  );
}

function outputOf(command, ...words) {
  const { PATH } = process.env;
  return (
    spawnSync(command, words, { encoding: 'utf8', env: { ...process.env, PATH: `${PATH}${path.delimiter}/sbin` } })
      .stdout ?? ''
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
