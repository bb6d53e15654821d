import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PROCESS_NAMES, scriptOf } from '../deploy/local/platform.ts';

// Creates the indexes of this release in the databases of all processes, or of those that are named: `npm run migrate
// -- pricing`. With `--drop` it also drops those of earlier releases. MONGO_URL and MONGO_DB_PREFIX name the databases.

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('--'));
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = names.filter((name) => !(PROCESS_NAMES as readonly string[]).includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no process ${unknown.join(', ')}; there are ${PROCESS_NAMES.join(', ')}.\n`);
  process.exit(2);
}

const root = path.resolve(import.meta.dirname, '..');
for (const name of PROCESS_NAMES.filter((one) => names.length === 0 || names.includes(one))) {
  const child = spawn(process.execPath, [scriptOf(name), 'migrate', ...options], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exit(code ?? 1);
  process.stdout.write(`${name}: the indexes are there.\n`);
}
