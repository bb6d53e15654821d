import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '@event-commerce/contracts';
import { parse } from 'yaml';
import { PROCESSES, SERVICES, settingsOf, unknownTo } from './settings-of.ts';

interface Service {
  image: string;
  build?: { dockerfile: string };
  command?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  user?: string;
  environment?: Record<string, string>;
  healthcheck?: { test: string[]; interval: string; start_interval?: string };
  depends_on?: Record<string, { condition: string }>;
  networks: string[];
  ports?: string[];
  volumes?: string[];
}

const repository = path.resolve(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const text = source('docker-compose.yml');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal?: boolean } | null>;
};
const services = Object.entries(compose.services);
const front = source('deploy/docker/front.cfg');
const ON_A_NETWORK = (network: string) =>
  services.filter(([, service]) => service.networks.includes(network)).map(([name]) => name);

const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-secrets-'));
const envFile = path.join(scratch, '.env');
const script = path.join(import.meta.dirname, 'make-secrets.mjs');
execFileSync(process.execPath, [script, envFile]);
const secrets = Object.fromEntries(
  readFileSync(envFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
);

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe('docker-compose.yml', () => {
  it.each(services)('gives %s a health check, a restart policy, limits and a pinned image', (_name, service) => {
    expect(service.healthcheck?.test[0]).toMatch(/^CMD/);
    // Each check starts a process: no Node, no mongosh, and rarely once the service runs.
    expect(service.healthcheck?.test.join(' ')).not.toMatch(/node|mongosh/);
    expect(parseInt(service.healthcheck?.interval ?? '0')).toBeGreaterThanOrEqual(10);
    expect(service.restart).toBe('unless-stopped');
    expect(service.mem_limit).toBeDefined();
    expect(service.pids_limit).toBeGreaterThan(0);
    if (service.build === undefined) expect(service.image).toMatch(/:(?!latest$)v?\d+\.\d+[\w.-]*$/);
    else expect(existsSync(path.join(repository, service.build.dockerfile))).toBe(true);
  });

  it.each(services)('runs %s without privileges, on a read-only root file system', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  });

  it.each(PROCESSES)('starts %s with its bundle and valid settings', (name) => {
    const { command = [], environment = {} } = compose.services[name] as Service;
    expect(command).toEqual([`${name}.js`]);
    const env = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, interpolated(value)] as const),
    );
    expect(settingsOf(name, env)).toBeDefined();
    expect(unknownTo(name, env)).toEqual([]);
  });

  it('contains no secrets: they come from the environment, and nothing starts without them', () => {
    const secretNames = /(?:PASSWORD|SECRET|KEY|KEYS|AUTH|TOKEN|_URL)$/;
    for (const [name, { environment = {} }] of services) {
      for (const [key, value] of Object.entries(environment)) {
        const service = /^http:\/\/(\w+):8080$/.exec(value)?.[1];
        if (!secretNames.test(key) || SERVICES.some((known) => known === service)) continue;
        expect(value, `${name} ${key}`).toMatch(/\$\{[A-Z_]+:\?[^}]+\}/);
      }
    }
    expect(source('.gitignore').split('\n')).toContain('*.env');
  });

  it('needs no environment variables besides those that the script writes', () => {
    const needed = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name));
    expect([...needed].toSorted()).toEqual(Object.keys(secrets).toSorted());
    const optional = [...text.matchAll(/\$\{[A-Z_]+[^}]*\}/g)].filter(([use]) => !/:[?-]/.test(use));
    expect(optional).toEqual([]);
  });

  it('gives each process its own user in MongoDB and NATS, and its passwords only to the store', () => {
    for (const name of PROCESSES) {
      const { MONGO_URL = '', NATS_URL = '' } = compose.services[name]?.environment ?? {};
      for (const [url, store] of [[MONGO_URL, 'MONGO'] as const, [NATS_URL, 'NATS'] as const]) {
        const password = `${store}_${name.toUpperCase()}_PASSWORD`;
        expect(url).toMatch(new RegExp(`^${store === 'MONGO' ? 'mongodb' : 'nats'}://${name}:\\$\\{${password}:`));
        const holders = services.filter(([, { environment = {} }]) =>
          Object.values(environment).some((value) => value.includes(`{${password}:`)),
        );
        expect(holders.map(([holder]) => holder)).toEqual([name, store.toLowerCase()]);
      }
      expect(source('deploy/helm/stores/nats.conf')).toContain(
        `{ user: ${name}, password: $NATS_${name.toUpperCase()}_PASSWORD, permissions: $MAY_${name.toUpperCase()} }`,
      );
    }
    const setUp = source('deploy/helm/stores/mongo-set-up.js');
    expect(setUp).toContain(`const processes = [${PROCESSES.map((name) => `'${name}'`).join(', ')}];`);
    expect(setUp).toContain("const roles = [{ role: 'readWrite', db: `event_commerce_${name}` }];");
  });

  it('responds from `front` in the common error format when no gateway does', () => {
    const answers = [...front.matchAll(/http-error status (\d+) .* string '(.*)'/g)];
    expect(answers.map(([, status]) => status)).toEqual(['502', '503', '504']);
    for (const [, status, body = ''] of answers) {
      const { status: outcome, message, error } = JSON.parse(body);
      expect([outcome, error.message]).toEqual(['error', message]);
      expect(ERROR_STATUS[error.code as ErrorCode]).toBe(Number(status));
    }
  });

  it('lets requests wait in `front` until the gateway has an address, and never loops them back to `front`', () => {
    const [, port] = /^frontend front\n(?: .*\n)*? {2}bind :(\d+)$/m.exec(front) ?? [];
    expect(compose.services['front']?.ports?.map((published) => published.split(':').at(-1))).toEqual([port]);
    const [, refused] = /^ {2}server gateway gateway:(\d+) .* init-addr 127\.0\.0\.1$/m.exec(front) ?? [];
    expect(refused).toBe('8080');
    expect([...front.matchAll(/ bind \S*:(\d+)/g)].map(([, bound]) => bound)).not.toContain(refused);
    // Otherwise a request waits for the address that it tried first, even if the gateway has lost that address.
    expect(front).toContain('\n  option redispatch 1\n');
    expect(front).not.toContain('hold obsolete');
  });

  it('opens only the ports of `front` and of the dashboards, and only on this machine', () => {
    const open = services.filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['front', 'prometheus', 'grafana']);
    for (const [, { ports = [] }] of open) {
      for (const port of ports) expect(interpolated(port)).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
  });

  it('connects only containers that need each other: only the gateway to Redis, only `edge` and `webhooks` to the outside', () => {
    expect(ON_A_NETWORK('limits')).toEqual(['gateway', 'redis']);
    expect(ON_A_NETWORK('services')).toEqual([...PROCESSES, 'prometheus']);
    expect(ON_A_NETWORK('stores')).toEqual([...PROCESSES, 'mongo', 'nats']);
    expect(ON_A_NETWORK('edge')).toEqual(['front', 'prometheus', 'grafana']);
    expect(ON_A_NETWORK('entry')).toEqual(['front', 'gateway']);
    const outward = Object.entries(compose.networks).filter(([, network]) => network?.internal !== true);
    expect(outward.map(([name]) => name)).toEqual(['edge', 'webhooks']);
    expect(ON_A_NETWORK('webhooks')).toEqual(['activity']);
  });

  it('mounts files that exist, read only, and keeps data in named volumes', () => {
    const used = new Set<string>();
    for (const [name, { volumes = [] }] of services) {
      for (const volume of volumes) {
        const [from = '', , mode] = volume.split(':');
        if (from.startsWith('./')) {
          expect(existsSync(path.join(repository, from)), `${name} mounts ${from}`).toBe(true);
          expect(mode).toBe('ro');
        } else used.add(from);
      }
    }
    expect([...used].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(used).toContain('mongo');
    expect(used).toContain('nats');
  });
});

describe('the secrets script', () => {
  it('writes a file that only its owner can read, and never overwrites one', () => {
    expect(statSync(envFile).mode & 0o777).toBe(0o600);
    const before = readFileSync(envFile, 'utf8');
    const again = spawnSync(process.execPath, [script, envFile], { encoding: 'utf8' });
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('stays as it is');
    expect(readFileSync(envFile, 'utf8')).toBe(before);
  });

  it('adds what this release needs to the file of an earlier one, and changes nothing else', () => {
    const old = path.join(scratch, 'old.env');
    const kept = readFileSync(envFile, 'utf8').replaceAll(
      /^(MONGO_CART_PASSWORD|NATS_.*|CART_PRIVATE_KEY|PRICING_PRIVATE_KEY|EVENTS_PRIVATE_KEY|ACTIVITY_PRIVATE_KEY|SERVICE_PUBLIC_KEYS)=.*\n/gm,
      '',
    );
    writeFileSync(old, kept, { mode: 0o600 });
    const { stdout } = spawnSync(process.execPath, [script, old], { encoding: 'utf8' });
    const now = readFileSync(old, 'utf8');
    expect(now.startsWith(kept)).toBe(true);
    const names = (lines: string) => new Set(lines.split('\n').map((line) => line.split('=', 1)[0]));
    expect(names(now)).toEqual(names(readFileSync(envFile, 'utf8')));
    expect(stdout).toContain('MONGO_CART_PASSWORD');
  });

  it('creates a matching key pair, and passwords that need no quoting anywhere', () => {
    const { IDENTITY_PRIVATE_KEY = '', IDENTITY_PUBLIC_KEYS, ...more } = secrets;
    const { PRICING_PRIVATE_KEY = '', CART_PRIVATE_KEY = '', EVENTS_PRIVATE_KEY = '', ...rest } = more;
    const { ACTIVITY_PRIVATE_KEY = '', SERVICE_PUBLIC_KEYS, ...others } = rest;
    expect(publicKeyOf(IDENTITY_PRIVATE_KEY)).toBe(IDENTITY_PUBLIC_KEYS);
    const privateKeys = [PRICING_PRIVATE_KEY, CART_PRIVATE_KEY, EVENTS_PRIVATE_KEY, ACTIVITY_PRIVATE_KEY];
    const [pricing, cart, events, activity] = privateKeys.map(publicKeyOf);
    expect(SERVICE_PUBLIC_KEYS).toBe(`pricing=${pricing},cart=${cart},events=${events},activity=${activity}`);
    for (const value of Object.values(others)) expect(value).toMatch(/^[A-Za-z0-9_]{64,}$/);
    // NATS reads it as configuration, and could take a value with a leading digit for a number.
    for (const user of ['operator', ...PROCESSES]) {
      expect(others[`NATS_${user.toUpperCase()}_PASSWORD`]).toMatch(/^[a-z]/);
    }
    expect(new Set(Object.values(others)).size).toBe(Object.values(others).length);
  });
});

function publicKeyOf(privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  expect(key.asymmetricKeyType).toBe('ed25519');
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** `value` as Compose expands it with the secrets alone. */
function interpolated(value: string): string {
  return value.replaceAll(/\$\{([A-Z_]+)(?::\?[^}]*|:-([^}]*))\}/g, (_use, name: string, otherwise?: string) => {
    return secrets[name] ?? otherwise ?? '';
  });
}
