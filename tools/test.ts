import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCommandLine } from '@event-commerce/service-kit/command-line';

// `npm test` runs the checks, the unit tests and the integration tests; `npm run proofs` the proofs. The last line
// counts the tests.

const USAGE = `Usage: npm test -- [PATH-PART ...] [OPTION ...]
       npm run proofs -- [PATH-PART ...] [OPTION ...]

Runs the test files whose path contains one of the words, or all of them; npm test also checks types, lint and format.
The options are those of vitest, such as --testNamePattern 'sold out'; node_modules/.bin/vitest --help lists them.
`;

// vitest reads and refuses the other options.
const { values } = readCommandLine(USAGE, {
  strict: false,
  options: { proofs: { type: 'boolean', default: false } },
});
const root = path.resolve(import.meta.dirname, '..');
const reportDir = mkdtempSync(path.join(tmpdir(), 'event-commerce-report-'));
const report = path.join(reportDir, 'tests.json');
const bin = (name: string) => path.join(root, 'node_modules/.bin', name);
const words = process.argv.slice(2).filter((word) => word !== '--proofs');
const projects = values.proofs ? ['proofs', 'platform-proofs'] : ['unit', 'integration'];

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

// More checkers of tsc, or more threads of a check, would repeat some of each other's work.
const checks: [string, string[]][] = [
  ['tsc', ['--checkers', '1']],
  ['tsc', ['-p', 'console', '--checkers', '1']],
  ['oxlint', ['--type-aware', '--deny-warnings']],
  ['oxfmt', ['--check', '--threads', '1']],
];

const tests = new AbortController();
try {
  const running = runTests();
  const failed = values.proofs ? undefined : await failedCheck();
  if (failed !== undefined) {
    tests.abort();
    await running;
    process.stdout.write(`\n${failed}`);
    finish(0, 1);
  }
  const code = await running;
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Report;
  if (words.length === 0) listSkipped(testResults);
  // A file that could not be loaded, or a run that ended badly, is a failure even if no single test failed.
  finish(numPassedTests, numFailedTests || (code === 0 ? 0 : Math.max(1, numFailedTestSuites)));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  finish(0, 1);
}

async function runTests(): Promise<number> {
  // Exits with this process, however it ends.
  const child = spawn(
    process.execPath,
    [
      `--import=${pathToFileURL(path.join(root, 'libs/service-kit/src/process/exit-with-parent.mjs')).href}`,
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ],
    { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  tests.signal.addEventListener('abort', () => child.kill());
  return await exitCodeOf(child);
}

/**
 * The first check that fails, with its output; undefined if none does. Checks leave most of the CPU time to the tests,
 * but still finish on a busy machine.
 */
async function failedCheck(): Promise<string | undefined> {
  for (const [command, args] of checks) {
    const child = spawn('nice', ['-n', '10', bin(command), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GOMAXPROCS: '1' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    if ((await exitCodeOf(child)) !== 0) return `> ${[command, ...args].join(' ')}\n${output}`;
  }
  return undefined;
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Lists the tests that this machine cannot run, for example without a browser: they did not pass. */
function listSkipped(files: Report['testResults']): void {
  const skipped = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'skipped' || status === 'pending')
      .map(({ fullName }) => `${path.relative(root, name)}: ${fullName}`),
  );
  if (skipped.length > 0) process.stdout.write(`\nskipped here (${skipped.length}):\n${skipped.join('\n')}\n`);
}

function finish(passed: number, failed: number): never {
  rmSync(reportDir, { recursive: true, force: true });
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
