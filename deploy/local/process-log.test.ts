import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openProcessLog } from './process-log.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-log-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** More than a pipe holds. */
const LINES = 20_000;

/** The notices about the log `file` while a process prints to it and ends. */
async function saidOf(file: string): Promise<string[]> {
  const said: string[] = [];
  const log = openProcessLog(file, (sentence) => said.push(sentence));
  const script = `for (let n = 0; n < ${LINES}; n++) { console.log('line', n); console.error('error', n); }`;
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  log.keep(child);
  expect(await once(child, 'close')).toEqual([0, null]);
  log.end();
  const isWhole = () => {
    const text = readFileSync(file, 'utf8');
    return ['line', 'error'].every((stream) => text.includes(`${stream} ${LINES - 1}\n`));
  };
  await expect.poll(() => said.length > 0 || isWhole()).toBe(true);
  return said;
}

it('keeps everything that a process prints, and nothing of an earlier start', async () => {
  const file = path.join(scratch, 'cart.log');
  writeFileSync(file, 'an earlier start\n');
  expect(await saidOf(file)).toEqual([]);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(2 * LINES);
  expect(lines[0]).not.toBe('an earlier start');
});

it.each([
  // Only on Linux.
  ...(existsSync('/dev/full') ? [['on a full disk', '/dev/full', 'ENOSPC: no space left on device']] : []),
  ['that cannot be opened', scratch, 'EISDIR: illegal operation on a directory'],
] as [string, string, string][])(
  'a log %s is reported once, and its process continues',
  async (_which, file, reason) => {
    const said = await saidOf(file);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`A log cannot be written; its process continues without it: ${reason}`);
  },
);

it('returns the last fatal message of a process, and not that of an earlier one', async () => {
  const log = openProcessLog(path.join(scratch, 'events.log'), () => undefined);
  const run = async (...lines: object[]): Promise<void> => {
    const script = lines.map((line) => `console.log(${JSON.stringify(JSON.stringify(line))});`).join('');
    const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    log.keep(child);
    await once(child, 'close');
  };
  await run(
    { level: 30, msg: 'serving' },
    { level: 60, err: { message: 'The records are old.' }, msg: 'could not start' },
  );
  expect(log.lastFatal()).toBe('The records are old.');
  await run({ level: 60, msg: 'these settings are missing' });
  expect(log.lastFatal()).toBe('these settings are missing');
  await run({ level: 30, msg: 'serving' });
  expect(log.lastFatal()).toBeUndefined();
  log.end();
});
