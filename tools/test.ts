import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCommandLine } from '@event-commerce/service-kit/command-line';
import { parseCLI } from 'vitest/node';
import { testsOfCases } from './tests-of-cases.ts';

// `npm test`: the integration and the unit tests, and at the same time the checks; the last line counts the tests.

const USAGE = `Usage: npm test -- [PATH-PART ...] [OPTION ...]

Runs the test files whose path contains one of the words, or all of them, and at the same time the checks. The options
are those of vitest, such as --testNamePattern 'sold out'; node_modules/.bin/vitest --help lists them.
`;

// vitest reads and refuses the others.
readCommandLine(USAGE, { strict: false });
const root = path.resolve(import.meta.dirname, '..');
const reportDir = mkdtempSync(path.join(tmpdir(), 'event-commerce-report-'));
// `npm run flakes` passes its own file, to read which tests failed.
const report = process.env['TEST_REPORT'] ?? path.join(reportDir, 'tests.json');
const bin = (name: string) => path.join(root, 'node_modules/.bin', name);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}

// Each further checker of tsc, and each further thread of a check, does again some of what the others did.
const checks: [string, string[]][] = [
  ['tsc', ['--checkers', '1']],
  ['tsc', ['-p', 'console', '--checkers', '1']],
  ['oxlint', ['--type-aware', '--deny-warnings']],
  ['oxfmt', ['--check', '--threads', '1']],
];

const tests = new AbortController();
try {
  const args = process.argv.slice(2);
  const { filter } = parseCLI(['vitest', 'run', ...args], { allowUnknownOptions: true });
  const running = runTests([...testsOfCases(root, filter), ...args]);
  const failed = await failedCheck();
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
  if (args.length === 0) tellSkipped(testResults);
  // A file that could not be loaded, or a run that ended badly, is a failure even if no single test failed.
  finish(numPassedTests, numFailedTests || (code === 0 ? 0 : Math.max(1, numFailedTestSuites)));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  finish(0, 1);
}

async function runTests(args: string[]): Promise<number> {
  // Exits with this process, however it ends.
  const child = spawn(
    process.execPath,
    [
      `--import=${pathToFileURL(path.join(root, 'libs/service-kit/src/process/exit-with-parent.mjs')).href}`,
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  tests.signal.addEventListener('abort', () => child.kill());
  return await exitCodeOf(child);
}

/**
 * The first check that fails, with what it says; undefined if none does. Checks leave most of the time to the tests,
 * but end on a busy machine too.
 */
async function failedCheck(): Promise<string | undefined> {
  for (const [command, args] of checks) {
    const child = spawn('nice', ['-n', '10', bin(command), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GOMAXPROCS: '1' },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    if ((await exitCodeOf(child)) !== 0) return `> ${[command, ...args].join(' ')}\n${said}`;
  }
  return undefined;
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** What this machine cannot test, such as for want of a browser: nobody should take it for tested. */
function tellSkipped(files: Report['testResults']): void {
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
