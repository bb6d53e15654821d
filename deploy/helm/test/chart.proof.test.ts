import { OPERATIONS } from '@event-commerce/contracts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROCESSES, settingsOf, unknownTo } from '../../docker/settings-of.ts';
import { selects } from './allows.ts';
import {
  charts,
  containerOf,
  devSecrets,
  envOf,
  migrationOf,
  missing,
  ofKind,
  type Process,
  source,
  templateOf,
} from './charts.fixture.ts';
import { containersOf, type Manifest } from './manifest.ts';
import { problemsOf } from './problems-of.ts';

const STORES = ['mongo', 'nats', 'redis'];

describe.skipIf(missing !== undefined).each(charts)('the chart, $chart', ({ chart, manifests, workloads }) => {
  it('fits the schemas of Kubernetes and of the operators that it can use', async () => {
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

  it('has every process, and the stores in dev only', () => {
    const names = workloads.map(({ metadata }) => metadata.name);
    expect(names.toSorted()).toEqual([...PROCESSES, ...(chart === 'dev' ? STORES : [])].toSorted());
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
        expect(chart === 'dev' ? Object.keys(devSecrets) : made).toContain(name);
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

describe('the files for production', () => {
  it('are ignored by git and by the chart, because they hold secrets', () => {
    const ignoredByGit = source('.gitignore').split('\n');
    const ignoredByHelm = source('deploy/helm/.helmignore').split('\n');
    for (const name of ['production.yaml', 'secrets.yaml']) {
      expect(ignoredByGit).toContain(`deploy/helm/${name}`);
      expect(ignoredByHelm).toContain(`/${name}`);
    }
  });

  it('have the version of the release', () => {
    const { version } = JSON.parse(source('package.json')) as { version: string };
    expect(parse(source('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });
});

describe.skipIf(missing !== undefined)('what can be switched on', () => {
  const { manifests } = charts.at(-1) as (typeof charts)[number];
  const specOf = (kind: string) => ofKind(manifests, kind)[0]?.['spec'] as any;

  it('routes traffic to the gateway', () => {
    expect(specOf('Ingress').rules[0].http.paths[0].backend.service).toEqual({
      name: 'gateway',
      port: { name: 'http' },
    });
    expect(specOf('HTTPRoute').rules[0].backendRefs).toEqual([{ name: 'gateway', port: 8080 }]);
  });

  it('scrapes every process under the labels that the alerts rely on, and has the alerts and dashboards of Compose', () => {
    const { selector, podMetricsEndpoints } = specOf('PodMonitor');
    const processes = ofKind(manifests, 'Deployment').filter((one) =>
      selects(selector, templateOf(one).metadata.labels),
    );
    expect(processes.map(({ metadata }) => metadata.name).toSorted()).toEqual([...PROCESSES].toSorted());
    const targets = podMetricsEndpoints[0].relabelings.map(({ targetLabel }: { targetLabel: string }) => targetLabel);
    expect([podMetricsEndpoints[0].port, targets]).toEqual(['metrics', ['job', 'service']]);
    expect(specOf('PrometheusRule')).toEqual(parse(source('deploy/docker/observability/alerts.yml')));
    const dashboards = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.labels?.['grafana_dashboard']);
    const shipped = source('deploy/docker/observability/dashboards/event-commerce.json');
    expect(dashboards).toMatchObject({ data: { 'event-commerce.json': shipped } });
  });

  it.each(PROCESSES)('creates the indexes of %s before an upgrade, in a pod that no Service leads to', (name) => {
    const job = ofKind(manifests, 'Job').find(({ metadata }) => metadata.name === `migrate-${name}`) as Manifest;
    const process = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name) as Manifest;
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-upgrade' });
    expect(containersOf(job)).toEqual([migrationOf(process)]);
    const { labels } = templateOf(job).metadata;
    for (const service of ofKind(manifests, 'Service')) {
      const { selector } = service['spec'] as { selector: Record<string, string> };
      expect(selects({ matchLabels: selector }, labels)).toBe(false);
    }
  });

  it('repairs in Jobs that run when somebody asks, with the settings of the process whose data they repair', () => {
    const repairs = ofKind(manifests, 'CronJob').map(({ metadata, spec }) => {
      const { suspend, jobTemplate } = spec as { suspend: boolean; jobTemplate: Manifest };
      const [container] = containersOf(jobTemplate) as [Process];
      return { name: metadata.name, suspend, args: container.args, container };
    });
    expect(repairs).toMatchObject([
      { name: 'repair-seats', suspend: true, args: ['repair-seats.js'] },
      { name: 'repair-tickets', suspend: true, args: ['repair-tickets.js'] },
      { name: 'repair-usage', suspend: true, args: ['repair-usage.js', '--orders', '--repair'] },
    ]);
    for (const [at, process] of (['cart', 'events', 'pricing'] as const).entries()) {
      const { container } = repairs[at] as (typeof repairs)[number];
      expect(settingsOf(process, envOf(manifests, container))).toBeDefined();
    }
  });
});
