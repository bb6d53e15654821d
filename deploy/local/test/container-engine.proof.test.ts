import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { findContainerEngine } from '../container-engine.ts';
import { serverNames } from '../infrastructure.ts';
import { type Answers, startFakeEngine } from './fake-engine.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-engine-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const folder = (): string => mkdtempSync(path.join(scratch, 'f-'));
const ANSWERS: Answers = { 'GET /_ping': [200, 'OK'], 'GET /info': [200, {}] };

async function fakeEngine(answers: Answers, headers = {}) {
  const engine = await startFakeEngine(path.join(folder(), 'engine.sock'), { ...ANSWERS, ...answers }, headers);
  onTestFinished(() => engine.stop());
  return engine;
}

/** What the servers print before they run; they are stopped then. */
async function started(env: NodeJS.ProcessEnv): Promise<string[]> {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../infra.ts'), '--data', folder()], {
    env: { ...process.env, MONGO_URL: '', NATS_URL: '', REDIS_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise((resolve) => child.once('exit', resolve));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('export REDIS_URL=')) child.kill('SIGTERM');
    });
  }
  await exited;
  return output.split('\n');
}

test('an image that cannot be pulled falls back to the next way, with the reason', { timeout: 120_000 }, async () => {
  const message = 'Get "https://registry-1.docker.io/v2/": lookup registry-1.docker.io: no such host';
  const { host } = await fakeEngine({ 'POST /images/create': [500, { message }] });
  const lines = await started({ DOCKER_HOST: host });
  expect(lines).toContain(`Docker: the image mongo:8.0 cannot be pulled (${message}). Using Debian’s packages instead`);
  expect(lines).toContainEqual(expect.stringMatching(/^export MONGO_URL=/));
});

test('an interrupted pull falls back to the next way too', { timeout: 120_000 }, async () => {
  const { host } = await fakeEngine({ 'POST /images/create': [200, { error: 'unexpected EOF' }] });
  const lines = await started({ DOCKER_HOST: host });
  expect(lines).toContain(
    'Docker: the image mongo:8.0 cannot be pulled (it was interrupted). Using Debian’s packages instead',
  );
});

test(
  'containers listen on 127.0.0.1 only, keep data in named volumes, and need no other image',
  { timeout: 120_000 },
  async () => {
    const images = ['mongo:8.0', 'nats:2.15-alpine', 'redis:8.10-alpine'];
    const engine = await fakeEngine({
      ...Object.fromEntries(images.map((image) => [`GET /images/${image}/json`, [200, {}] as const])),
      'GET /containers/json': [200, []],
      'GET /volumes': [200, { Volumes: [] }],
      'POST /volumes/create': [201, {}],
      'POST /containers/create': [500, { message: 'enough seen' }],
    });
    const lines = await started({ DOCKER_HOST: engine.host });
    expect(lines).toContainEqual(expect.stringMatching(/cannot be run \(enough seen\)\. Using Debian/));

    interface Created {
      Image: string;
      HostConfig: { PortBindings: Record<string, { HostIp: string; HostPort: string }[]>; Binds?: string[] };
    }
    const created = engine.created as Created[];
    expect(created.map(({ Image }) => Image).toSorted()).toEqual(images);
    const bindings = created.flatMap(({ HostConfig }) => Object.values(HostConfig.PortBindings).flat());
    expect(bindings.map(({ HostIp }) => HostIp)).toEqual(serverNames.map(() => '127.0.0.1'));
    const volumes = created.flatMap(({ HostConfig }) => HostConfig.Binds ?? []).toSorted();
    expect(volumes).toEqual([
      expect.stringMatching(/^event-commerce-[0-9a-f]{12}-mongo:\/data\/db:rw$/),
      expect.stringMatching(/^event-commerce-[0-9a-f]{12}-nats:\/data:rw$/),
    ]);
  },
);

test('an engine that is not running is skipped silently', { timeout: 120_000 }, async () => {
  const lines = await started({ DOCKER_HOST: `unix://${folder()}/none.sock` });
  expect(lines.join('\n')).not.toMatch(/docker/i);
});

test('an engine that refuses the user is named, with the command that grants access', async () => {
  const { host } = await fakeEngine({});
  chmodSync(new URL(host).pathname, 0o000);
  const module = path.resolve(import.meta.dirname, '../container-engine.ts');
  const code = `const { findContainerEngine } = await import('${module}'); console.log((await findContainerEngine(process.env)).reasons[0])`;
  const node = [process.execPath, '--input-type=module', '--eval', code];
  // Root may open every socket, unless it gives that right up. Another user might not be able to read this file.
  const bounded = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
  const [command = '', ...args] = [...bounded, ...node];
  const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, DOCKER_HOST: host } });
  expect(stdout).toMatch(
    /^Docker does not accept the user \w+ \(no permission on \/.+\/engine\.sock; "sudo usermod -aG docker \w+" and a new login grants it\)\n$/,
  );
});

test('the engine of the chosen context is found, and identified by its response', async () => {
  const { host } = await fakeEngine({}, { 'libpod-api-version': '5.4.0' });
  const config = folder();
  const meta = path.join(config, 'contexts/meta', createHash('sha256').update('mine').digest('hex'));
  mkdirSync(meta, { recursive: true });
  writeFileSync(path.join(config, 'config.json'), '{ "currentContext": "mine" }');
  writeFileSync(path.join(meta, 'meta.json'), JSON.stringify({ Name: 'mine', Endpoints: { docker: { Host: host } } }));
  expect(await findContainerEngine({ DOCKER_CONFIG: config })).toEqual({ engine: { name: 'Podman', host } });
});

test.skipIf(existsSync('/var/run/docker.sock'))('the machine of Podman is found in the home of the user', async () => {
  const home = folder();
  const socket = path.join(home, '.local/share/containers/podman/machine/podman.sock');
  mkdirSync(path.dirname(socket), { recursive: true });
  const engine = await startFakeEngine(socket, ANSWERS, { 'libpod-api-version': '5.4.0' });
  onTestFinished(() => engine.stop());
  const env = { HOME: home, XDG_RUNTIME_DIR: folder() };
  expect(await findContainerEngine(env)).toEqual({ engine: { name: 'Podman', host: `unix://${socket}` } });
});

test.each([
  ['tcp://build.example.com:2375', 'DOCKER_HOST names an engine on another machine'],
  ['ssh://me@build.example.com', 'DOCKER_HOST names an engine on another machine'],
  ['nonsense', 'DOCKER_HOST is not the address of an engine'],
])('DOCKER_HOST=%s is skipped with a reason', async (host, reason) => {
  const { reasons } = await findContainerEngine({ DOCKER_HOST: host });
  expect(reasons).toEqual([expect.stringContaining(reason) as string]);
});
