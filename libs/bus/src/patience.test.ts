import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { patience } from './patience.ts';

const MS = 200;

test('a process that was busy for longer than it waits reads what arrived meanwhile before it gives up', async () => {
  const source =
    "require('node:worker_threads').parentPort.on('message', (it) => setTimeout(() => it.reply.postMessage(1), 50))";
  const worker = new Worker(source, { eval: true });
  await once(worker, 'online');
  const { port1, port2 } = new MessageChannel();
  const first = new Promise((resolve) => {
    const end = patience(MS, () => resolve('gave up'));
    port1.on('message', () => {
      end();
      resolve('heard');
    });
  });
  worker.postMessage({ reply: port2 }, [port2]);
  for (const untilMs = performance.now() + 2 * MS; performance.now() < untilMs;);
  expect(await first).toBe('heard');
  port1.close();
  await worker.terminate();
});

test('a wait gives up when nothing arrives, and never after it was ended', async () => {
  const beganMs = performance.now();
  await new Promise<void>((resolve) => patience(MS, resolve));
  expect(performance.now() - beganMs).toBeGreaterThan(MS - 5);
  let gaveUp = false;
  const end = patience(MS / 2, () => (gaveUp = true));
  end();
  await new Promise<void>((resolve) => patience(MS, resolve));
  expect(gaveUp).toBe(false);
});
