// Runs a script of this folder on the Node that the project pins, after installing the dependencies if they are missing
// or out of date. Plain JavaScript, because the machine's own Node may be too old to run TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import process from 'node:process';

const PNPM = 'pnpm@12.21.0';
const root = path.resolve(import.meta.dirname, '../..');
const nodeBinary = path.join(root, 'node_modules/node/bin/node');

const read = (file) => (existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : undefined);

function dependenciesAreCurrent() {
  return existsSync(nodeBinary) && read('pnpm-lock.yaml') === read('node_modules/.pnpm/lock.yaml');
}

function installDependencies() {
  process.stdout.write('Installing dependencies ...\n');
  const began = Date.now();
  const install = spawnSync('npx', ['-y', PNPM, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  });
  if (install.error?.code === 'ENOENT') {
    return fail('npx was not found: install Node.js 20 or newer together with npm, then run this again.');
  }
  if (install.status !== 0) {
    process.stderr.write(`${install.stdout ?? ''}${install.stderr ?? ''}\n`);
    return fail('The dependencies could not be installed; the output above says why. Is the npm registry reachable?');
  }
  process.stdout.write(`Installed dependencies in ${((Date.now() - began) / 1000).toFixed(0)} s\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('usage: node bootstrap.mjs SCRIPT [ARGUMENT ...]');
if (!dependenciesAreCurrent()) installDependencies();

const child = spawn(nodeBinary, [path.resolve(root, script), ...args], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}` },
});
// Ctrl-C reaches the child by itself; it decides how to end, and this process ends after it, with its code.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
