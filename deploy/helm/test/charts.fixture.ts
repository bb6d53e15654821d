import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Container, containersOf, type Manifest } from './manifest.ts';
import { provideHelm } from './provide-helm.ts';

export const here = path.resolve(import.meta.dirname, '..');
const repository = path.resolve(here, '../..');
export const source = (file: string) => readFileSync(path.join(repository, file), 'utf8');

/** The container that creates the indexes before a process starts. */
const MIGRATION = 'migrate';
const NAMESPACE = 'event-commerce';

const helm = provideHelm();
/** Why there is no Helm here, if so. */
export const missing = 'missing' in helm ? helm.missing : undefined;
if (missing !== undefined) process.stdout.write(`  the tests of the chart are skipped: ${missing}\n`);

/** Runs `helm template`; `args` are values files and settings. */
export function helmTemplate(...args: string[]) {
  const command = 'path' in helm ? helm.path : 'helm';
  return spawnSync(command, ['template', 'event-commerce', here, '--namespace', NAMESPACE, ...args], {
    encoding: 'utf8',
    maxBuffer: 100e6,
  });
}

/** What the chart becomes with these values, in its namespace. */
export function render(...args: string[]): Manifest[] {
  if (missing !== undefined) return [];
  const { status, stdout, stderr } = helmTemplate(...args);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
    .map((manifest) => ({ ...manifest, metadata: { ...manifest.metadata, namespace: NAMESPACE } }));
}

/** What an operator writes in place of each placeholder. */
const CHOSEN: readonly (readonly [placeholder: string | RegExp, value: string])[] = [
  [
    '<registry/event-commerce@sha256:digest>',
    `registry.example.com/event-commerce@sha256:${'0123456789abcdef'.repeat(4)}`,
  ],
  ['<currency>', 'EUR'],
  ['<networks of the ingress>', "'10.4.0.0/24,fd00::/64'"],
  ['<namespace of the ingress>', 'ingress'],
  ['<network of MongoDB>', '10.5.0.0/24'],
  ['<network of NATS>', '10.6.0.0/24'],
  ['<network of Redis>', '10.7.0.0/24'],
  [/<mongodb:[^>]+>/g, 'mongodb://u:p@a:27017,b:27017,c:27017/?replicaSet=rs0&authSource=admin&tls=true'],
  [/<tls:[^>]+>/g, 'tls://u:p@a:4222,tls://u:p@b:4222,tls://u:p@c:4222'],
  [/<rediss:[^>]+>/g, 'rediss://u:p@redis.internal:6379'],
];
export const chosen = (text: string) =>
  CHOSEN.reduce((done, [placeholder, value]) => done.replaceAll(placeholder, value), text);

/** The options that name the files which the script for production writes, changed by `change`. */
export function production(change: (text: string) => string = chosen): string[] {
  const dir = mkdtempSync(path.join(tmpdir(), 'event-commerce-helm-'));
  execFileSync(process.execPath, [path.join(here, 'make-production-files.mjs'), dir]);
  return ['production.yaml', 'secrets.yaml'].flatMap((name) => {
    const file = path.join(dir, name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    return ['--values', file];
  });
}

/** Everything that can be switched on, for which a cluster needs other operators. */
const EVERYTHING = [
  'monitoring.podMonitor=true',
  'monitoring.prometheusRule=true',
  'monitoring.dashboards=true',
  'monitoring.labels.release=prometheus',
  'migrationJobs=true',
  'repairs.enabled=true',
  'repairs.arguments.repair-usage={--orders,--repair}',
  'ingress.enabled=true',
  'ingress.host=tickets.example.com',
  'ingress.className=nginx',
  'ingress.tlsSecret=tickets-tls',
  'httpRoute.enabled=true',
  'httpRoute.hostnames={tickets.example.com}',
  'httpRoute.parentRefs[0].name=public',
].flatMap((setting) => ['--set', setting]);

export const charts = [
  { chart: 'dev', args: ['--values', path.join(here, 'values-dev.yaml')] },
  { chart: 'production', args: production() },
  { chart: 'everything', args: [...production(), ...EVERYTHING] },
].map(({ chart, args }) => {
  const manifests = render(...args);
  const isWorkload = (manifest: Manifest) => containersOf(manifest).length > 0 && manifest.kind !== 'Job';
  return { chart, args, manifests, workloads: manifests.filter(isWorkload) };
});

/** The Secrets that the manifests refer to, by name, as the script for trying out makes them. */
export const devSecrets = Object.fromEntries(
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

export interface Process extends Container {
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

export const templateOf = (workload: Manifest) =>
  (
    workload['spec'] as {
      template: {
        metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
        spec: PodSpec;
      };
    }
  ).template;
export const containerOf = (workload: Manifest) =>
  containersOf(workload).find(({ name }) => name !== MIGRATION) as Process;
export const migrationOf = (workload: Manifest) =>
  containersOf(workload).find(({ name }) => name === MIGRATION) as Process;
/** The environment that `manifests` and the Secrets for trying out give a container. */
export function envOf(manifests: readonly Manifest[], container: Process): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { configMapRef, secretRef } of container.envFrom) {
    const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
    const secret = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === secretRef?.name);
    const made = secret?.['stringData'] as Record<string, string> | undefined;
    const secrets = made ?? devSecrets[secretRef?.name ?? ''];
    const given = configMapRef ? (config?.['data'] as Record<string, string>) : secrets;
    expect(given, `${configMapRef?.name ?? secretRef?.name} exists`).toBeDefined();
    for (const key of Object.keys(given ?? {})) expect(env, `${key} is given twice`).not.toHaveProperty(key);
    Object.assign(env, given);
  }
  return env;
}
export const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);
