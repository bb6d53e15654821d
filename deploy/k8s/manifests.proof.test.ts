import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OPERATIONS } from '@event-commerce/contracts';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, describe, expect, it } from 'vitest';
import { PROCESSES, settingsOf, unknownTo } from '../docker/settings-of.ts';
import { selects } from './allows.ts';
import type { Manifest } from './manifest.ts';
import { containersOf, render } from './render.ts';
import { problemsOf } from './problems-of.ts';
import {
  containerOf,
  devSecrets,
  envOf,
  hasKubectl,
  here,
  migrationOf,
  ofKind,
  overlaysIn,
  type Process,
  source,
  templateOf,
} from './overlays.fixture.ts';

const STORES = ['mongo', 'nats', 'redis'];

const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-k8s-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const overlays = overlaysIn(scratch);

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

    it('has three probes on its own ports, which do not fail because of a shared store', () => {
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

  it.each(PROCESSES)('starts %s with its bundle and valid settings', (name) => {
    const container = containerOf(workloads.find(({ metadata }) => metadata.name === name) as Manifest);
    expect(container.args).toEqual([`${name}.js`]);

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
