import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import { bundleOf } from '@event-commerce/service-kit/dist';
import { PROCESS_NAMES } from '../deploy/local/process-names.ts';
import { buildServices } from './build.ts';

// `npm run migrate`: creates the indexes of this release.

const USAGE = `Usage: npm run migrate -- [PROCESS ...] [--drop]

Creates the indexes of this release in the databases of all processes, or of those that are named:
${PROCESS_NAMES.join(', ')}.

  --drop  also drops the indexes that only earlier releases need

MONGO_URL and MONGO_DB_PREFIX name the databases.
`;

const { values, positionals: names } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: { drop: { type: 'boolean', default: false } },
});
const unknown = names.filter((name) => !(PROCESS_NAMES as readonly string[]).includes(name));
if (unknown.length > 0) refuseCommandLine(USAGE, `There is no process ${unknown.join(', ')}.`);

const options = values.drop ? ['--drop'] : [];
await buildServices();
for (const name of PROCESS_NAMES.filter((one) => names.length === 0 || names.includes(one))) {
  const child = spawn(process.execPath, [bundleOf(name), 'migrate', ...options], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exit(code ?? 1);
  process.stdout.write(`${name}: all indexes exist.\n`);
}
