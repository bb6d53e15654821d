import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as Client from './index.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
let built: string;

beforeAll(async () => {
  // Inside the package, so that the build finds its dependencies.
  built = await mkdtemp(path.join(root, 'node_modules/package-'));
  await run('tsc', ['-p', path.join(root, 'tsconfig.build.json'), '--outDir', built]);
}, 60_000);
afterAll(async () => rm(built, { recursive: true, force: true }));

it('the package is plain JavaScript, which a runtime without TypeScript can load', async () => {
  const script = `import(${JSON.stringify(path.join(built, 'index.js'))}).then((client) => console.log(Object.keys(client).join()))`;
  const { stdout } = await run(process.execPath, ['--no-strip-types', '-e', script]);
  expect(stdout.trim()).toBe('ApiError,createClient,dataOf');
});

it('the README has the examples as they are compiled and run, and links to the long one', async () => {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  const folder = path.join(root, 'examples');
  const examples = await readdir(folder);
  expect(examples).toHaveLength(6);
  for (const file of examples.filter((name) => name !== 'shop.ts'))
    expect(readme).toContain(`\`\`\`ts\n${await readFile(path.join(folder, file), 'utf8')}\`\`\``);
  expect(readme).toContain('(examples/shop.ts)');
});

it('the package needs nothing that only Node.js has', async () => {
  const files = (await readdir(built)).filter((file) => file.endsWith('.js'));
  const sources = await Promise.all(files.map(async (file) => readFile(path.join(built, file), 'utf8')));
  expect(sources.join('\n')).not.toMatch(/from 'node:|\bprocess\.|\bBuffer\b/);
});

it('the packed package can be bundled into one file for browsers, and works there', async () => {
  const lib = { entry: path.join(built, 'index.js'), formats: ['es' as const] };
  const bundled = await build({ configFile: false, logLevel: 'silent', root: built, build: { lib, write: false } });
  const [{ output }] = bundled as [Rollup.RollupOutput];
  expect(output).toHaveLength(1);
  expect([...output[0].imports, ...output[0].dynamicImports]).toEqual([]);

  const { createClient } = (await import(
    `data:text/javascript,${encodeURIComponent(output[0].code)}`
  )) as typeof Client;
  const alive = { status: 'ok', data: { alive: true, version: '1.2.3' } };
  const client = createClient({ baseUrl: 'https://platform.test', fetch: async () => Response.json(alive) });
  expect(await client.health.get()).toEqual({ alive: true, version: '1.2.3' });
});
