import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wholeNumbers } from '@event-commerce/test-kit';
import { readCommandLine } from '@event-commerce/service-kit/command-line';

/**
 * `npm run flakes`: how often does each test fail? It runs `npm test` in fresh clones of the last commit, on the idle
 * machine and beside two busy loops. Then it repeats the integration tests of races, sweeps and kills beside one busy
 * loop. It prints a table of what failed and how often, and exits with 1 if anything did. Takes hours: run it on an
 * otherwise idle machine.
 */

const USAGE = `Usage: npm run flakes -- [--idle 8] [--loaded 4] [--repeats 50] [--lanes 1] [--only PATH-PART ...]

  --idle N      full runs of npm test in fresh clones (8)
  --loaded N    the same beside two busy loops (4)
  --repeats N   how often each test of a race, a sweep or a kill runs beside one busy loop (50)
  --lanes N     how many test files are repeated at the same time (1)
  --only TEXT   repeat only the test files whose path contains TEXT; may be given several times
`;

/** Titles of tests whose outcome depends on timing. */
const TIMING =
  '\\b(race|at once|at the same time|concurrent|sweep|kill|crash|restart|replica|redeliver|confirm|lapse|lost|again|outage|deleted)';

const REASON_SHOWN = 2_000;

const root = path.resolve(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules/.bin');

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** What ran and how often it failed: by test, or by run if no test is to blame, such as for a failed check. */
interface Tally {
  runs: number;
  tests: number;
  failures: Map<string, { times: number; reason: string }>;
}

const { values } = readCommandLine(USAGE, {
  options: {
    idle: { type: 'string', default: '8' },
    loaded: { type: 'string', default: '4' },
    repeats: { type: 'string', default: '50' },
    lanes: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [''] },
  },
});
const { idle, loaded, repeats, lanes } = wholeNumbers(values, { idle: 0, loaded: 0, repeats: 0, lanes: 1 });
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    process.exit(1);
  });
}
const phases: [string, () => Promise<Tally>][] = [
  ['npm test', async () => fullRuns(idle, 0)],
  ['npm test beside two busy loops', async () => fullRuns(loaded, 2)],
  ['each race, sweep and kill, beside a busy loop', async () => repeatedTests(repeats, lanes, values.only)],
];

const rows: string[] = [];
let failed = false;
for (const [title, run] of phases) {
  const beganMs = performance.now();
  const { runs, tests, failures } = await run();
  if (runs === 0) continue;
  const minutes = ((performance.now() - beganMs) / 60_000).toFixed(0);
  rows.push(`| ${title} | ${runs} | ${tests} | ${failures.size === 0 ? 'none' : failures.size} | ${minutes} min |`);
  for (const [name, { times, reason }] of failures)
    rows.push(`| - ${name}: ${reason} | ${runs} | | ${times} times | |`);
  failed ||= failures.size > 0;
}
process.stdout.write(
  `\n| what | runs | tests | failed | took |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`,
);
process.exit(failed ? 1 : 0);

async function fullRuns(runs: number, busyLoops: number): Promise<Tally> {
  const tally: Tally = { runs, tests: 0, failures: new Map() };
  for (let run = 1; run <= runs; run++) {
    const dir = await mkdtemp(path.join(tmpdir(), 'event-commerce-flakes-'));
    const clone = path.join(dir, 'clone');
    const report = path.join(dir, 'tests.json');
    await execute('git', ['clone', '--quiet', root, clone], root);
    const { code, output } = await beside(busyLoops, async () =>
      execute('npm', ['test'], clone, { TEST_REPORT: report }),
    );
    const failures = countFailures(tally, report, clone);
    if (code !== 0 && failures === 0) note(tally, 'npm test itself', lastLines(output));
    progress(`run ${run} of ${runs}${busyLoops > 0 ? ', loaded' : ''}: ${output.trimEnd().split('\n').at(-1)}`);
    await rm(dir, { recursive: true, force: true });
  }
  return tally;
}

async function repeatedTests(runs: number, laneCount: number, only: readonly string[]): Promise<Tally> {
  const tally: Tally = { runs, tests: 0, failures: new Map() };
  if (runs === 0) return tally;
  const dir = await mkdtemp(path.join(tmpdir(), 'event-commerce-flakes-'));
  const { output } = await execute('git', ['ls-files', '*.int.test.ts'], root);
  const files = output.split('\n').filter((name) => name !== '' && only.some((part) => name.includes(part)));
  // The lanes share the iterator: each takes the next file that none has taken.
  const remaining = files.entries();
  const runLane = async (): Promise<void> => {
    for (const [index, file] of remaining) await repeatFile(tally, file, path.join(dir, `${index}.json`));
  };
  await beside(1, async () => Promise.all(Array.from({ length: laneCount }, runLane)));
  await rm(dir, { recursive: true, force: true });
  return tally;
}

async function repeatFile(tally: Tally, file: string, report: string): Promise<void> {
  const args = ['run', '--project=integration', `--testNamePattern=${TIMING}`, `--repeats=${tally.runs - 1}`];
  const { code, output } = await execute(
    path.join(bin, 'vitest'),
    [...args, '--reporter=json', `--outputFile.json=${report}`, file],
    root,
  );
  const before = tally.tests;
  const failures = countFailures(tally, report, root);
  if (code !== 0 && failures === 0) note(tally, file, lastLines(output));
  if (tally.tests > before) progress(`${file}: ${tally.tests - before} tests, ${failures} failures`);
}

/** Adds the report at `file`. @returns the number of failures */
function countFailures(tally: Tally, file: string, dir: string): number {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return 0;
  }
  let failures = 0;
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  tally.tests += tests.filter(({ status }) => status === 'passed' || status === 'failed').length;
  for (const { name, message, assertionResults } of report.testResults) {
    const where = path.relative(dir, name);
    for (const { fullName, failureMessages } of assertionResults) {
      for (const reason of failureMessages) note(tally, `${where}: ${fullName}`, reason);
      failures += failureMessages.length;
    }
    // A file that could not be loaded, or whose hooks failed, has no failed test.
    if (message !== '' && assertionResults.every(({ status }) => status !== 'failed')) {
      note(tally, where, message);
      failures += 1;
    }
  }
  return failures;
}

function note(tally: Tally, name: string, reason: string): void {
  // Printed at once, not only in the table hours later.
  progress(`failed: ${name}\n${reason.slice(0, REASON_SHOWN)}`);
  const times = (tally.failures.get(name)?.times ?? 0) + 1;
  tally.failures.set(name, { times, reason: (reason.split('\n')[0] ?? '').replaceAll('|', '/').slice(0, 200) });
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-3).join(' ');
}

function progress(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs `work` beside `loops` processes that each keep a core busy. */
async function beside<T>(loops: number, work: () => Promise<T>): Promise<T> {
  // Each exits with this process, however it ends: its standard input is closed then.
  const script =
    'process.stdin.on("end", () => process.exit()).resume(); (function spin() { for (const end = Date.now() + 50; Date.now() < end;); setImmediate(spin); })()';
  const busy = Array.from({ length: loops }, () =>
    spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
  try {
    return await work();
  } finally {
    for (const loop of busy) loop.kill('SIGKILL');
  }
}

async function execute(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-100_000);
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  running.delete(child);
  return { code, output };
}
