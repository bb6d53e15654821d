import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// `npm test`: the checks, then the unit and the integration tests; the last line counts them.

const root = path.resolve(import.meta.dirname, '..');
const reportDir = mkdtempSync(path.join(tmpdir(), 'event-commerce-report-'));
// `npm run flakes` passes its own file, to read which tests failed.
const report = process.env['TEST_REPORT'] ?? path.join(reportDir, 'tests.json');
const bin = (name: string) => path.join(root, 'node_modules/.bin', name);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
}

const checks: [string, string[]][] = [
  ['tsc', []],
  ['tsc', ['-p', 'console']],
  ['oxlint', ['--type-aware', '--deny-warnings']],
  ['prettier', ['--check', '--log-level', 'warn', '.']],
];

try {
  for (const [command, args] of checks) {
    process.stdout.write(`> ${[command, ...args].join(' ')}\n`);
    if ((await run(bin(command), args)) !== 0) finish(0, 1);
  }
  const filters = process.argv.slice(2);
  // Exits with this process, however it ends.
  const code = await run(process.execPath, [
    `--import=${pathToFileURL(path.join(root, 'deploy/local/exit-with-parent.mjs')).href}`,
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ]);
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  // A file that could not be loaded, or a run that ended badly, is a failure even if no single test failed.
  finish(numPassedTests, numFailedTests || (code === 0 ? 0 : Math.max(1, numFailedTestSuites)));
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  finish(0, 1);
}

async function run(command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function finish(passed: number, failed: number): never {
  rmSync(reportDir, { recursive: true, force: true });
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
