import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { PROCESSES } from '../docker/settings-of.ts';
import type { Manifest } from './manifest.ts';
import { type Container, containersOf, render } from './render.ts';

export const here = import.meta.dirname;
const repository = path.resolve(here, '../..');
export const source = (file: string) => readFileSync(path.join(repository, file), 'utf8');

/** The container that creates the indexes before a process starts. */
const MIGRATION = 'migrate';

/** What an operator of the overlay `production` writes in place of each placeholder. */
export const CHOSEN: Record<string, string> = {
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
export function production(scratch: string, change?: (line: string) => string): string {
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
export const chosen = (line: string) => {
  const name = nameIn(line);
  return name === undefined ? line : `${name}=${CHOSEN[name]}`;
};

export const overlaysIn = (scratch: string) =>
  ['dev', 'production'].map((overlay) => {
    const dir = overlay === 'production' ? production(scratch, chosen) : path.join(here, 'overlays', overlay);
    const manifests = render(dir);
    return { overlay, dir, manifests, workloads: manifests.filter((manifest) => containersOf(manifest).length > 0) };
  });

/** The Secrets that the manifests refer to, by name, as the script for the overlay `dev` makes them. */
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
/** The environment that `manifests` and the Secrets of the overlay `dev` give a container. */
export function envOf(manifests: readonly Manifest[], container: Process): Record<string, string> {
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
export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
export const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);
