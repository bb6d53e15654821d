import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROCESSES, settingsOf, unknownTo } from '../docker/settings-of.ts';
import type { Manifest } from './manifest.ts';
import { render } from './render.ts';
import {
  chosen,
  CHOSEN,
  containerOf,
  envOf,
  hasKubectl,
  here,
  ofKind,
  overlaysIn,
  production,
} from './overlays.fixture.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'event-commerce-k8s-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const overlays = overlaysIn(scratch);

describe('production', () => {
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
    const dir = production(scratch);
    expect(() => render(dir)).toThrow('settings.env');
    if (hasKubectl)
      expect(spawnSync('kubectl', ['kustomize', dir], { encoding: 'utf8' }).stderr).toContain('settings.env');
  });

  it.each(Object.keys(CHOSEN).filter((name) => !name.endsWith('_URL')))('renders nothing without %s', (name) => {
    const dir = production(scratch, (line) => (line.startsWith(`${name}=`) ? '' : chosen(line)));
    expect(() => render(dir)).toThrow(`data.${name}`);
    if (hasKubectl) {
      expect(spawnSync('kubectl', ['kustomize', dir], { encoding: 'utf8' }).stderr).toContain(`data.${name}`);
    }
  });

  it.each(PROCESSES)('is rejected by %s, which names each setting that is still a placeholder', (process) => {
    const manifests = render(production(scratch, (line) => line));
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
    const text = JSON.stringify(render(production(scratch, (line) => line)));
    const cidrs = [...text.matchAll(/"cidr":"([^"]+)"/g)].map(([, cidr = '']) => cidr);
    expect(cidrs.filter((cidr) => isIP(cidr.split('/')[0] ?? '') === 0)).toHaveLength(4);
    expect(/"kubernetes.io\/metadata.name":"([^"]*ingress[^"]*)"/.exec(text)?.[1]).not.toMatch(/^[\w.-]+$/);
    for (const [, image] of text.matchAll(/"image":"([^"]+)"/g)) expect(image).not.toMatch(/^[\w./:@-]+$/);
  });

  it('keeps the generated keys, and overwrites no file', () => {
    const dir = production(scratch, (line) => line);
    const again = spawnSync(process.execPath, [path.join(here, 'make-production-files.mjs'), dir], {
      encoding: 'utf8',
    });
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('settings.env exists');
  });
});
