import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { wholeNumbers } from '@event-commerce/test-kit';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import type { Finding, Form } from './fault.ts';
import { FAULTS, runFault } from './faults.ts';
import { judgeKills } from './kill-report.ts';
import { judge } from '../sale/judge-sale.ts';
import { saleRun } from '../sale/sale-run.ts';
import { killRun } from './kill-run.ts';
import { build } from '../../tools/build.ts';
import { startTestBed } from './test-bed.ts';

// `npm run faults`: causes every fault on the whole platform, and prints what was expected and what was seen. Exits
// with 1 if anything is not as expected.

const root = path.resolve(import.meta.dirname, '../..');
const LOG_DIR = path.join(root, '.data', 'faults');
const KILLS = 'kills';
const SALE = 'sale';

const known = new Set([...FAULTS.map(({ id }) => id), KILLS, SALE]);

const USAGE = `Usage: npm run faults -- [OPTION ...]

  --only A,B   some of ${[...known].join(',')}
  --kills N    how many processes are killed under a stream of orders, and at most during the sale (200)
  --buyers N   how many buyers come to the sale (10000)
  --long       an outage of ten minutes, and a slow network for two
  --seed N     repeats the random choices of an earlier run
  --out FILE   where the report goes (tests/faults/results.md)
`;

const { values } = readCommandLine(USAGE, {
  options: {
    only: { type: 'string' },
    kills: { type: 'string', default: '200' },
    buyers: { type: 'string', default: '10000' },
    long: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    out: { type: 'string', default: path.join(import.meta.dirname, 'results.md') },
  },
});
const form: Form = values.long ? 'long' : 'usual';
const { kills, buyers, seed } = wholeNumbers(values, { kills: 0, buyers: 0, seed: 0 });
const wanted = values.only?.split(',').map((id) => id.trim());
const unknown = wanted?.filter((id) => !known.has(id)) ?? [];
if (unknown.length > 0) refuseCommandLine(USAGE, `There is no fault ${unknown.join(', ')}.`);

await build();

interface Row {
  id: string;
  name: string;
  expected: string;
  finding: Finding;
}

const rows: Row[] = [];
const began = performance.now();
const faults = FAULTS.filter(({ id }) => wanted?.includes(id) ?? true);
if (faults.length > 0) await makeFaults();
if (kills > 0 && (wanted?.includes(KILLS) ?? true)) await kill();
if (buyers > 0 && (wanted?.includes(SALE) ?? true)) await sell();
report();
// What a failed fault left open must not keep this process running.
setTimeout(() => process.exit(), 5_000).unref();

async function makeFaults(): Promise<void> {
  rmSync(LOG_DIR, { recursive: true, force: true });
  mkdirSync(LOG_DIR, { recursive: true });
  const bed = await startTestBed({ seed, logDir: LOG_DIR, progress: say });
  try {
    for (const fault of faults) {
      say(`${fault.id}: ${fault.name} ...`);
      const finding = await runFault(bed, fault, form);
      rows.push({ ...fault, finding });
      say(`${fault.id}: ${okOf(finding)}: ${seenOf(finding)}`);
    }
  } finally {
    await bed.stop();
  }
}

async function kill(): Promise<void> {
  const finding = await killRun({ kills, seed, progress: say }).then(judgeKills, failed);
  const name = `${kills} kills at random moments, of services, gateway, broker and database`;
  rows.push({
    id: KILLS,
    name,
    expected: 'nothing acknowledged is lost, nothing counts twice, no cap is exceeded',
    finding,
  });
}

async function sell(): Promise<void> {
  const supply = { tickets: [200, 200, 100], capacity: 450, redemptions: 100, seats: 20 };
  const finding = await saleRun({ buyers, kills, seed, supply, expiries: true, progress: say }).then(judge, failed);
  rows.push({
    id: SALE,
    name: `${buyers} buyers of 450 tickets, 100 discounts and 20 seats at two replicas, with up to ${kills} kills`,
    expected: 'all of it is sold, nothing twice, everyone pays what was shown, and every way of counting agrees',
    finding,
  });
}

function failed(error: Error): Finding {
  return { seen: error.message, ok: false };
}

function report(): void {
  const minutes = (performance.now() - began) / 60_000;
  const bad = rows.filter(({ finding }) => okOf(finding) === 'NO');
  const skipped = rows.filter(({ finding }) => 'skipped' in finding);
  const lines = [
    `# Faults, ${form} form, seed ${seed}, ${minutes.toFixed(1)} min`,
    '',
    '| Fault | | Expected | Seen | As expected |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ id, name, expected, finding }) =>
        `| ${[id, name, expected, seenOf(finding), okOf(finding)].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
    ),
    '',
    `${rows.length - bad.length - skipped.length} as expected, ${bad.length} not, ${skipped.length} skipped.`,
    '',
  ];
  process.stdout.write(`\n${lines.join('\n')}`);
  writeFileSync(values.out, lines.join('\n'));
  if (bad.length > 0) process.stdout.write(`The logs of the platform's processes: ${LOG_DIR}\n`);
  process.exitCode = bad.length === 0 ? 0 : 1;
}

function seenOf(finding: Finding): string {
  return 'skipped' in finding ? `skipped: ${finding.skipped}` : finding.seen;
}

function okOf(finding: Finding): string {
  if ('skipped' in finding) return 'skipped';
  return finding.ok ? 'yes' : 'NO';
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
