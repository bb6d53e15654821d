import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

const PORTS_EACH = 200;
const PROCESSES = 4;

test('processes that look for ports at the same time never get the same one', async () => {
  const script = `
    import { freePort } from ${JSON.stringify(path.join(import.meta.dirname, 'free-port.ts'))};
    const ports = [];
    for (let n = 0; n < ${PORTS_EACH}; n++) ports.push(await freePort());
    console.log(ports.join());
    process.stdin.resume();`;
  // Each lives until all have their ports: what a process has is free once it ends.
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const taken = await Promise.all(
    children.map(async ({ stdout }) => {
      const [line] = (await once(stdout.setEncoding('utf8'), 'data')) as [string];
      return line.trim().split(',');
    }),
  );
  for (const { stdin } of children) stdin.end();
  expect(new Set(taken.flat()).size).toBe(PROCESSES * PORTS_EACH);
});

test('a port is not given twice', async () => {
  const ports = await Promise.all(Array.from({ length: PORTS_EACH }, freePort));
  expect(new Set(ports).size).toBe(PORTS_EACH);
});
