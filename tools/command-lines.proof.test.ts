import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, script] = /bootstrap\.mjs (\S+\.ts)$/.exec(line) ?? [];
  return script === undefined ? [] : [{ name, script }];
});

interface Outcome {
  code: unknown;
  out: string;
  err: string;
}

async function run(script: string, option: string): Promise<Outcome> {
  // If a command overlooks the option, this port stops it before it starts a server or sends a request.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: 'none' };
  return await new Promise((resolve) => {
    execFile(process.execPath, [script, option], { cwd: root, env, timeout: 20_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    );
  });
}

test('package.json has the commands', () => {
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'test', 'keys', 'migrate']));
});

test.each(commands)('npm run $name -- --help prints the usage', async ({ name, script }) => {
  const { code, out, err } = await run(script, '--help');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: npm (run )?${name}\\b`));
});

// All of them parse their options with one function. vitest knows those of npm test.
test.each(commands.filter(({ name }) => name !== 'test').slice(0, proofSize(3, Infinity)))(
  'npm run $name refuses an unknown option, and prints the usage',
  async ({ name, script }) => {
    const { code, out, err } = await run(script, '--unknown');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^.*Unknown option '--unknown'.*\n\nUsage: npm (run )?${name}\\b`));
    expect(err).not.toMatch(/^ +at /m);
  },
);

test.each([
  'libs/service-kit/src/process/parked-events.ts',
  'services/cart/src/repair-seats.ts',
  'services/commerce/src/repair-coupons.ts',
  'services/events/src/repair-tickets.ts',
  'services/pricing/src/repair-usage.ts',
])('node %s prints its usage', async (script) => {
  const { code, out, err } = await run(script, '--help');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`^Usage: node ${script} `));
});
