import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OPERATIONS } from '@event-commerce/contracts';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, describe, expect, it } from 'vitest';
import { PROCESSES, SERVICES, settingsOf, unknownTo } from '../docker/settings-of.ts';
import { allows, type End, selects } from './allows.ts';
import type { Manifest } from './manifest.ts';
import { type Container, containersOf, render } from './render.ts';
import { problemsOf } from './problems-of.ts';

const here = import.meta.dirname;
const repository = path.resolve(here, '../..');
const source = (file: string) => readFileSync(path.join(repository, file), 'utf8');

const STORES = ['mongo', 'nats', 'redis'];
/** The container that creates the indexes before a process starts. */
const MIGRATION = 'migrate';
/** Networks of the stores in the overlay `production`. */
const STORE_ADDRESS: Record<string, string> = { mongo: '10.5.0.9', nats: '10.6.0.9', redis: '10.7.0.9' };
const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-k8s-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** What an operator of the overlay `production` writes in place of each placeholder. */
const CHOSEN: Record<string, string> = {
  IMAGE: `registry.example.com/event-commerce@sha256:${'0123456789abcdef'.repeat(4)}`,
  INGRESS_NAMESPACE: 'ingress',
  TRUSTED_PROXIES: '10.4.0.0/24,fd00::/64',
  DEFAULT_CURRENCY: 'EUR',
  MONGO_NETWORK: '10.5.0.0/24',
  NATS_NETWORK: '10.6.0.0/24',
  REDIS_NETWORK: '10.7.0.0/24',
  MONGO_URL: 'mongodb://u:p@a:27017,b:27017,c:27017/?replicaSet=rs0&authSource=admin&tls=true',
  NATS_URL: 'tls://u:p@a:4222,tls://u:p@b:4222,tls://u:p@c:4222',
  REDIS_URL: 'rediss://u:p@redis.internal:6379',
};

/** A copy of the overlay `production` with the files that its script writes, each line changed by `change`. */
function production(change?: (line: string) => string): string {
  const copy = mkdtempSync(path.join(scratch, 'copy-'));
  for (const folder of ['base', 'overlays'])
    cpSync(path.join(here, folder), path.join(copy, folder), { recursive: true });
  const dir = path.join(copy, 'overlays/production');
  for (const file of ['settings.env', 'secrets']) rmSync(path.join(dir, file), { recursive: true, force: true });
  if (change === undefined) return dir;
  execFileSync(process.execPath, [path.join(here, 'make-production-files.mjs'), dir]);
  for (const file of ['settings.env', ...PROCESSES.map((name) => `secrets/${name}.env`)]) {
    const lines = readFileSync(path.join(dir, file), 'utf8').split('\n');
    writeFileSync(path.join(dir, file), lines.map(change).join('\n'));
  }
  return dir;
}
const nameIn = (line: string) => /^([A-Z_]+)=</.exec(line)?.[1];
const chosen = (line: string) => {
  const name = nameIn(line);
  return name === undefined ? line : `${name}=${CHOSEN[name]}`;
};

const overlays = ['dev', 'production'].map((overlay) => {
  const dir = overlay === 'production' ? production(chosen) : path.join(here, 'overlays', overlay);
  const manifests = render(dir);
  return { overlay, dir, manifests, workloads: manifests.filter((manifest) => containersOf(manifest).length > 0) };
});

/** The Secrets that the manifests refer to, by name, as the script for the overlay `dev` makes them. */
const devSecrets = Object.fromEntries(
  (
    JSON.parse(execFileSync(process.execPath, [path.join(here, 'make-dev-secrets.mjs')], { encoding: 'utf8' })) as {
      items: { metadata: { name: string }; stringData: Record<string, string> }[];
    }
  ).items.map(({ metadata, stringData }) => [metadata.name, stringData]),
);

interface PodSpec {
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  terminationGracePeriodSeconds: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  volumes?: Record<string, unknown>[];
}

interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
  exec?: object;
}

interface Process extends Container {
  image: string;
  ports: { name: string; containerPort: number }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext?: Record<string, unknown>;
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
}

const templateOf = (workload: Manifest) =>
  (
    workload['spec'] as {
      template: {
        metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
        spec: PodSpec;
      };
    }
  ).template;
const containerOf = (workload: Manifest) => containersOf(workload).find(({ name }) => name !== MIGRATION) as Process;
const migrationOf = (workload: Manifest) => containersOf(workload).find(({ name }) => name === MIGRATION) as Process;
/** The environment that `manifests` and the Secrets of the overlay `dev` give a container. */
function envOf(manifests: readonly Manifest[], container: Process): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { configMapRef, secretRef } of container.envFrom) {
    const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
    const secret = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === secretRef?.name);
    const decoded = Object.entries((secret?.['data'] ?? {}) as Record<string, string>).map(
      ([key, value]) => [key, Buffer.from(value, 'base64').toString()] as const,
    );
    const secrets = secret === undefined ? devSecrets[secretRef?.name ?? ''] : Object.fromEntries(decoded);
    const given = configMapRef ? (config?.['data'] as Record<string, string>) : secrets;
    expect(given, `${configMapRef?.name ?? secretRef?.name} exists`).toBeDefined();
    for (const key of Object.keys(given ?? {})) expect(env, `${key} is given twice`).not.toHaveProperty(key);
    Object.assign(env, given);
  }
  return env;
}
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind);

describe.each(overlays)('overlay $overlay', ({ overlay, dir, manifests, workloads }) => {
  it('fits the schemas of Kubernetes', async () => {
    const problems = await Promise.all(
      manifests.map(async (manifest) =>
        (await problemsOf(manifest)).map((problem) => `${manifest.kind} ${manifest.metadata.name}: ${problem}`),
      ),
    );
    expect(problems.flat()).toEqual([]);
  });

  it('defines every object once', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });

  it.skipIf(!hasKubectl)('matches the output of kubectl kustomize', () => {
    const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', dir], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    // Generated names end in a hash of their content.
    const unhashed = stdout.replaceAll(/(-(?:settings|secrets|files|first-start))-[a-z0-9]{10}$/gm, '$1');
    const theirs = parseAllDocuments(unhashed).map((document) => document.toJS() as Manifest);
    // It breaks long lines of a Secret.
    for (const secret of ofKind(theirs, 'Secret')) {
      const data = secret['data'] as Record<string, string>;
      for (const [key, value] of Object.entries(data)) data[key] = value.replaceAll(/\s/g, '');
    }
    const sorted = (list: readonly Manifest[]) =>
      list.toSorted((a, b) => `${a.kind}/${a.metadata.name}`.localeCompare(`${b.kind}/${b.metadata.name}`));
    expect(sorted(manifests)).toEqual(sorted(theirs));
  });

  it('has every process, and the stores in dev only', () => {
    const names = workloads.map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual([...PROCESSES, ...(overlay === 'dev' ? STORES : [])].toSorted());
  });

  it('enforces restricted pod security in its namespace', () => {
    const [namespace] = ofKind(manifests, 'Namespace');
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    for (const manifest of manifests) {
      if (manifest !== namespace) expect(manifest.metadata.namespace).toBe(namespace?.metadata.name);
    }
  });

  describe.each(workloads.map((workload) => [workload.metadata.name, workload] as const))('%s', (name, workload) => {
    const pod = templateOf(workload).spec;
    const container = containerOf(workload);

    it('runs without privileges: restricted pod security, a read-only root file system, no access to the cluster', () => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.securityContext?.runAsUser).toBeGreaterThan(0);
      expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined]);
      for (const volume of pod.volumes ?? []) expect(Object.keys(volume)).not.toContain('hostPath');
      for (const each of containersOf(workload) as Process[]) {
        expect(each.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });

    it('has a pinned image, resources and a memory limit', () => {
      expect(container.image).toMatch(/:(?!latest$)[\w.-]+$/);
      expect(container.resources).toEqual({
        requests: { cpu: expect.any(String) as unknown, memory: expect.any(String) as unknown },
        limits: { memory: expect.any(String) as unknown },
      });
    });

    it('has three probes on its own ports, none of which fails for what all pods share', () => {
      const ports = container.ports.map((port) => port.name);
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        expect(Object.keys(probe ?? {}).filter((key) => ['httpGet', 'tcpSocket', 'exec'].includes(key))).toHaveLength(
          1,
        );
        const port = probe?.httpGet?.port ?? probe?.tcpSocket?.port;
        if (port !== undefined) expect(ports).toContain(port);
      }
      if (!STORES.includes(name)) {
        for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
          expect(probe?.httpGet?.path).toBe(OPERATIONS.getHealth.url);
        }
      }
    });
  });

  it.each(PROCESSES)('starts %s with an existing script and valid settings', (name) => {
    const container = containerOf(workloads.find(({ metadata }) => metadata.name === name) as Manifest);
    expect(container.args).toHaveLength(1);
    expect(source(container.args?.[0] ?? '')).toMatch(/\brun(Process|Service)\(/);

    const env = envOf(manifests, container);
    expect(settingsOf(name, env)).toBeDefined();
    // All services get the currency; two of them do not use it.
    expect(unknownTo(name, env).filter((key) => key !== 'DEFAULT_CURRENCY')).toEqual([]);
  });

  it.each(PROCESSES)('creates the indexes of %s before it starts, from the same image and as the same user', (name) => {
    const workload = workloads.find(({ metadata }) => metadata.name === name) as Manifest;
    const [migration, container] = [migrationOf(workload), containerOf(workload)];
    expect(migration.image).toBe(container.image);
    expect(migration.args).toEqual([...(container.args ?? []), 'migrate']);
    // Where the database is, and its name.
    expect(envOf(manifests, container)).toMatchObject(envOf(manifests, migration));
    const references = migration.envFrom.map(({ configMapRef, secretRef }) => (configMapRef ?? secretRef)?.name);
    expect(references).toEqual(['process-settings', `${name}-secrets`]);
    expect(envOf(manifests, container)).not.toHaveProperty('MONGO_INDEXES');
  });

  it('refers only to Secrets that the script creates and to existing ConfigMaps', () => {
    const configMaps = ofKind(manifests, 'ConfigMap').map(({ metadata }) => metadata.name);
    for (const workload of workloads) {
      const references = JSON.stringify(workload);
      for (const [, name] of references.matchAll(/"secretRef":\{"name":"([^"]+)"/g)) {
        const made = ofKind(manifests, 'Secret').map(({ metadata }) => metadata.name);
        expect(overlay === 'dev' ? Object.keys(devSecrets) : made).toContain(name);
      }
      for (const [, name] of references.matchAll(/"configMap(?:Ref)?":\{"name":"([^"]+)"\}/g)) {
        expect(configMaps).toContain(name);
      }
    }
  });

  it.each(PROCESSES)('gives %s time to stop: the sleep before SIGTERM and the whole deadline of a process', (name) => {
    const workload = workloads.find(({ metadata }) => metadata.name === name) as Manifest;
    const deadlineMs = /CLOSE_DEADLINE_MS = ([\d_]+)/.exec(source('libs/service-kit/src/process/run-process.ts'))?.[1];
    const sleepS = containerOf(workload).lifecycle?.preStop.sleep.seconds ?? 0;
    expect(sleepS).toBeGreaterThan(0);
    expect(templateOf(workload).spec.terminationGracePeriodSeconds).toBeGreaterThan(
      sleepS + Number(deadlineMs?.replaceAll('_', '')) / 1000,
    );
  });

  it('selects the intended pods with every selector', () => {
    for (const workload of workloads) {
      const { selector } = workload['spec'] as { selector: { matchLabels: Record<string, string> } };
      const selected = workloads.filter((other) => selects(selector, templateOf(other).metadata.labels));
      expect(selected).toEqual([workload]);
    }
    for (const service of ofKind(manifests, 'Service')) {
      const { selector, ports } = service['spec'] as {
        selector: Record<string, string>;
        ports: { port: number; targetPort: string }[];
      };
      const selected = workloads.filter((other) =>
        selects({ matchLabels: selector }, templateOf(other).metadata.labels),
      );
      expect(selected.map(({ metadata }) => metadata.name)).toEqual([service.metadata.name]);
      for (const { port, targetPort } of ports) {
        expect(containerOf(selected[0] as Manifest).ports).toContainEqual({ name: targetPort, containerPort: port });
      }
    }
    for (const budget of ofKind(manifests, 'PodDisruptionBudget')) {
      const { selector } = budget['spec'] as { selector: object };
      const selected = workloads.filter((other) => selects(selector, templateOf(other).metadata.labels));
      expect(selected.map(({ metadata }) => metadata.name)).toEqual([budget.metadata.name]);
    }
  });

  describe('network policies', () => {
    const namespace = ofKind(manifests, 'Namespace')[0]?.metadata.name ?? '';
    const end = (name: string): End => {
      const workload = workloads.find(({ metadata }) => metadata.name === name);
      return workload === undefined
        ? { namespace: '', labels: {}, outside: true, address: STORE_ADDRESS[name] }
        : { namespace, labels: templateOf(workload).metadata.labels };
    };
    const stranger: End = { namespace: 'elsewhere', labels: {} };
    const intruder: End = { namespace, labels: { 'app.kubernetes.io/name': 'intruder' } };
    const prometheus: End = { namespace: 'monitoring', labels: { 'app.kubernetes.io/name': 'prometheus' } };
    const internet: End = { namespace: '', labels: {}, outside: true, address: '203.0.113.7' };
    const PORTS: Record<string, number> = { mongo: 27_017, nats: 4222, redis: 6379 };

    it('let the gateway reach the services, and nobody else', () => {
      for (const service of SERVICES) {
        const others = [...SERVICES, ...(overlay === 'dev' ? STORES : [])].map(end);
        const allowed = [end('gateway'), prometheus, stranger, intruder, internet, ...others].filter((from) =>
          allows(manifests, from, end(service), 8080),
        );
        expect(allowed).toEqual([end('gateway')]);
        expect(allows(manifests, end('gateway'), end(service), 9229)).toBe(false);
      }
    });

    it('let Prometheus, and nobody else, read the metrics of every process, where the pods say they are', () => {
      for (const name of PROCESSES) {
        const workload = workloads.find(({ metadata }) => metadata.name === name) as Manifest;
        const port = Number(templateOf(workload).metadata.annotations?.['prometheus.io/port']);
        expect(containerOf(workload).ports).toContainEqual({ name: 'metrics', containerPort: port });
        const settings = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === 'process-settings');
        expect(settings).toMatchObject({ data: { METRICS_PORT: String(port) } });
        const everybody = [prometheus, stranger, intruder, internet, ...PROCESSES.map(end)];
        expect(everybody.filter((from) => allows(manifests, from, end(name), port))).toEqual([prometheus]);
      }
    });

    it('let every process send its spans to the collector', () => {
      const collector: End = {
        namespace: 'monitoring',
        labels: { 'app.kubernetes.io/name': 'opentelemetry-collector' },
      };
      for (const name of PROCESSES) expect(allows(manifests, end(name), collector, 4318)).toBe(true);
    });

    it('let everybody reach the gateway on its port; in production only the ingress, which it trusts to name the client', () => {
      const ingress: End = { namespace: 'ingress', labels: {} };
      expect(allows(manifests, ingress, end('gateway'), 8080)).toBe(true);
      expect(allows(manifests, stranger, end('gateway'), 8080)).toBe(overlay === 'dev');
      expect(allows(manifests, internet, end('gateway'), 8080)).toBe(overlay === 'dev');
      expect(allows(manifests, stranger, end('gateway'), 9229)).toBe(false);
      expect(allows(manifests, end('pricing'), end('gateway'), 8080)).toBe(false);
    });

    it('let every process reach MongoDB and NATS, the gateway Redis, and nobody else the stores', () => {
      for (const store of STORES) {
        const port = PORTS[store] ?? 0;
        const everybody = [...PROCESSES.map(end), intruder, ...(overlay === 'dev' ? [stranger, internet] : [])];
        const allowed = everybody.filter((from) => allows(manifests, from, end(store), port));
        expect(allowed).toEqual(store === 'redis' ? [end('gateway')] : PROCESSES.map(end));
      }
    });

    it('let no pod connect outside, except for DNS and its stores', () => {
      for (const workload of workloads) {
        const pod = end(workload.metadata.name);
        expect(allows(manifests, pod, internet, 443)).toBe(false);
        expect(allows(manifests, pod, { namespace: 'kube-system', labels: {} }, 53)).toBe(true);
        expect(allows(manifests, pod, { namespace: 'kube-system', labels: {} }, 443)).toBe(false);
        // A cache on the node, and OpenShift's resolver.
        expect(allows(manifests, pod, { namespace: '', labels: {}, outside: true, address: '169.254.20.10' }, 53)).toBe(
          true,
        );
        expect(allows(manifests, pod, { namespace: 'openshift-dns', labels: {} }, 5353)).toBe(true);
        expect(allows(manifests, pod, internet, 53)).toBe(false);
      }
    });
  });
});

describe('production', () => {
  it('keeps events on three brokers, bounds connections, and outlives the idle connections of load balancers', () => {
    const dataOf = (name: string) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === name)?.['data'] as Record<string, string>;
    expect(dataOf('process-settings')).toMatchObject({ NATS_STREAM_REPLICAS: '3', MONGO_CONNECTIONS_MAX: '32' });
    expect(Number(dataOf('gateway-settings')['KEEP_ALIVE_MS'])).toBeGreaterThan(600_000);
  });

  const { manifests, workloads } = overlays.find(
    ({ overlay }) => overlay === 'production',
  ) as (typeof overlays)[number];

  it.each(PROCESSES)('scales %s within bounds, and draining a node never stops its last replica', (name) => {
    const workload = workloads.find(({ metadata }) => metadata.name === name) as Manifest;
    const named = (kind: string) => ofKind(manifests, kind).find(({ metadata }) => metadata.name === name) as Manifest;
    const autoscaler = named('HorizontalPodAutoscaler')['spec'] as {
      minReplicas: number;
      maxReplicas: number;
      scaleTargetRef: object;
      behavior: object;
    };
    expect(autoscaler.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name });
    expect(autoscaler.behavior).toBeDefined();
    expect(autoscaler.maxReplicas).toBeGreaterThan(autoscaler.minReplicas);
    // A number here would undo the autoscaler's choice at every rollout.
    expect(workload['spec']).not.toHaveProperty('replicas');
    const { minAvailable } = named('PodDisruptionBudget')['spec'] as { minAvailable: number };
    expect(minAvailable).toBeGreaterThan(0);
    expect(minAvailable).toBeLessThan(autoscaler.minReplicas);
  });
});

describe('production, before an operator has chosen', () => {
  it('renders nothing, and names the missing file', () => {
    const dir = production();
    expect(() => render(dir)).toThrow('settings.env');
    if (hasKubectl)
      expect(spawnSync('kubectl', ['kustomize', dir], { encoding: 'utf8' }).stderr).toContain('settings.env');
  });

  it.each(Object.keys(CHOSEN).filter((name) => !name.endsWith('_URL')))('renders nothing without %s', (name) => {
    const dir = production((line) => (line.startsWith(`${name}=`) ? '' : chosen(line)));
    expect(() => render(dir)).toThrow(`data.${name}`);
    if (hasKubectl) {
      expect(spawnSync('kubectl', ['kustomize', dir], { encoding: 'utf8' }).stderr).toContain(`data.${name}`);
    }
  });

  it.each(PROCESSES)('is rejected by %s, which names each setting that is still a placeholder', (process) => {
    const manifests = render(production((line) => line));
    const workload = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === process);
    const env = envOf(manifests, containerOf(workload as Manifest));
    const placeholders = Object.keys(env).filter((name) => env[name]?.startsWith('<'));
    expect(placeholders).toEqual(expect.arrayContaining(['MONGO_URL', 'NATS_URL']));
    // Two of the services need no currency.
    const read = placeholders.filter((name) => !unknownTo(process, { [name]: '' }).includes(name));
    for (const name of read) expect(() => settingsOf(process, env)).toThrow(`\n  ${name}: `);
    if (process === 'gateway') expect(read).toEqual(expect.arrayContaining(['TRUSTED_PROXIES', 'REDIS_URL']));
    if (process === 'pricing') expect(read).toContain('DEFAULT_CURRENCY');
  });

  it('is rejected by the cluster where no process reads it: networks, the namespace, the image', () => {
    const text = JSON.stringify(render(production((line) => line)));
    const cidrs = [...text.matchAll(/"cidr":"([^"]+)"/g)].map(([, cidr = '']) => cidr);
    expect(cidrs.filter((cidr) => isIP(cidr.split('/')[0] ?? '') === 0)).toHaveLength(3);
    expect(/"kubernetes.io\/metadata.name":"([^"]*ingress[^"]*)"/.exec(text)?.[1]).not.toMatch(/^[\w.-]+$/);
    for (const [, image] of text.matchAll(/"image":"([^"]+)"/g)) expect(image).not.toMatch(/^[\w./:@-]+$/);
  });

  it('keeps the generated keys, and overwrites no file', () => {
    const dir = production((line) => line);
    const again = spawnSync(process.execPath, [path.join(here, 'make-production-files.mjs'), dir], {
      encoding: 'utf8',
    });
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('settings.env exists');
  });
});

describe('files', () => {
  const directories = readdirSync(here, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'kustomization.yaml')
    .map((entry) => entry.parentPath);

  it.each(directories)('are all used: %s', (dir) => {
    const text = readFileSync(path.join(dir, 'kustomization.yaml'), 'utf8');
    const used = JSON.stringify(parse(text));
    const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile());
    const unused = files.map(({ name }) => name).filter((name) => !used.includes(`"${name}"`));
    expect(unused).toEqual(['kustomization.yaml']);
  });

  it('contain no secret: those of production are ignored by git', () => {
    expect(ofKind(render(path.join(here, 'overlays/dev')), 'Secret')).toEqual([]);
    const ignored = source('.gitignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['settings.env', 'secrets/'].map((file) => `deploy/k8s/overlays/production/${file}`)),
    );
  });
});

describe('the schema check', () => {
  const broken = (change: (deployment: Manifest, container: Process) => void) => {
    const deployment = render(path.join(here, 'base')).find(({ kind }) => kind === 'Deployment') as Manifest;
    change(deployment, containerOf(deployment));
    return problemsOf(deployment);
  };

  it('finds a field that does not exist, a wrong type, a missing field, an unknown kind', async () => {
    expect(
      await broken((_deployment, container) => {
        container.securityContext = { readOnlyRootFileSystem: true };
      }),
    ).toEqual([expect.stringContaining('/securityContext/readOnlyRootFileSystem')]);
    expect(
      await broken((deployment) => {
        (deployment['spec'] as Record<string, unknown>)['revisionHistoryLimit'] = '5';
      }),
    ).toEqual([expect.stringContaining('/spec/revisionHistoryLimit')]);
    expect(
      await broken((deployment) => {
        delete (deployment['spec'] as Record<string, unknown>)['selector'];
      }),
    ).toEqual([expect.stringContaining('selector')]);
    expect(
      await broken((deployment) => {
        deployment.kind = 'Deploiment';
      }),
    ).toEqual(['no kind Deploiment in apps/v1']);
  });
});
