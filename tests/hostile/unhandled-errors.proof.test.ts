import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '@event-commerce/test-kit/free-port';

/** A process that runs the JavaScript it is sent. It ends with `stop`, within `closeWithinMs` or the usual time. */
async function startProcess(stop = 'async () => process.disconnect()', closeWithinMs?: number) {
  const port = await freePort();
  const module = path.resolve(import.meta.dirname, '../../libs/service-kit/src/process/run-process.ts');
  const code = `
    const { runProcess } = await import(${JSON.stringify(module)});
    process.on('message', (text) => eval(text));
    const config = { HOST: '127.0.0.1', LOG_LEVEL: 'info', METRICS_PORT: ${port} };
    await runProcess('test', () => config, async () => ${stop}, () => [], ${closeWithinMs});
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let written = '';
  child.stdout?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await once(child, 'message');
  return {
    child,
    lines: () =>
      written
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    unhandled: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      return Number(/^process_unhandled_errors_total\S* (\d+)/m.exec(await response.text())?.[1]);
    },
  };
}

test('an unhandled rejection is logged and counted, whatever its value, and does not end the process', async () => {
  const { child, lines, unhandled } = await startProcess();
  expect(await unhandled()).toBe(0);
  const reasons = [
    `new Error('lost')`,
    'undefined',
    'null',
    `'text'`,
    'Symbol()',
    'Object.create(null)',
    `{ toString() { throw new Error('again'); } }`,
    `{ password: 'secret' }`,
  ];
  for (const reason of reasons) child.send(`void Promise.reject(${reason})`);
  await expect.poll(unhandled).toBe(reasons.length);
  await expect.poll(() => lines().length).toBe(reasons.length);
  expect(lines()[0]).toMatchObject({ err: { message: 'lost' }, msg: 'unhandled rejection' });
  expect(JSON.stringify(lines())).not.toContain('secret');
  expect(child.exitCode).toBeNull();
});

test('endless rejections do not fill the log', async () => {
  const { child, lines, unhandled } = await startProcess();
  child.send(`for (let n = 0; n < 5_000; n++) void Promise.reject(new Error('lost'))`);
  await expect.poll(unhandled).toBe(5_000);
  // They are summed up after a second.
  await expect.poll(() => lines().some(({ repeated }) => repeated > 4_000), { timeout: 5_000 }).toBe(true);
  expect(lines().length).toBeLessThan(50);
});

test('an uncaught exception ends the process in order, with a line that says why', async () => {
  const { child, lines } = await startProcess();
  child.send(`setImmediate(() => { throw new Error('broken') })`);
  const [code] = (await Promise.race([once(child, 'close'), delay(10_000, ['late'])])) as [unknown];
  expect(code).toBe(1);
  expect(lines()).toMatchObject([
    { level: 60, err: { message: 'broken' }, msg: 'uncaught exception; shutting down' },
    { msg: 'stopped' },
  ]);
});

test.each([
  ['fails to stop', `async () => { throw new Error('broken') }`, 'shutdown failed'],
  ['never stops', 'async () => new Promise(() => {})', 'shutdown timed out', 1_000],
])('a process that %s ends with a line that says why', async (_, stop, why, closeWithinMs?: number) => {
  const { child, lines } = await startProcess(stop, closeWithinMs);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [unknown];
  expect(code).toBe(1);
  expect(lines()).toMatchObject([{ msg: 'stopping' }, { level: 60, msg: why }]);
});
