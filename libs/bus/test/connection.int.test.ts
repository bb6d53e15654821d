import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { expect, test } from 'vitest';

test('a process whose connection is closed for good exits, so that it is restarted', async () => {
  const index = new URL('../src/index.ts', import.meta.url).href;
  const script = `
    import { connectBus } from ${JSON.stringify(index)};
    const bus = await connectBus({ url: process.argv[1], name: 'test', logger: { warn() {}, info() {}, error() {} } });
    setInterval(() => {}, 1_000);
    await bus.nats.close();`;
  const args = ['--input-type=module', '--eval', script, natsUrlOfThisFile()];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: import.meta.dirname });
  const [[code], said] = await Promise.all([once(child, 'exit'), child.stderr.toArray()]);
  expect(code).toBe(1);
  expect(said.join('')).toContain('closed for good');
});
