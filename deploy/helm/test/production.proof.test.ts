import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROCESSES } from '../../docker/settings-of.ts';
import { charts, chosen, helmTemplate, here, missing, ofKind, production, render } from './charts.fixture.ts';
import type { Manifest } from './manifest.ts';
import { problemsOf } from './problems-of.ts';

describe.skipIf(missing !== undefined)('production', () => {
  const { manifests, workloads, args } = charts[1] as (typeof charts)[number];

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

  it('rolls out a changed setting and a changed secret, and nothing else', () => {
    const rolledOut = (...changed: string[]) => {
      const templates = (all: readonly Manifest[]) => ofKind(all, 'Deployment').map(({ spec }) => JSON.stringify(spec));
      const before = templates(manifests);
      const names = ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name);
      const after = templates(render(...args, ...changed));
      return names.filter((_, index) => before[index] !== after[index]).toSorted();
    };
    expect(rolledOut('--set', 'monitoring.dashboards=true')).toEqual([]);
    expect(rolledOut('--set-string', 'settings.gateway.RATE_LIMIT_BURST=300')).toEqual([...PROCESSES].toSorted());
    expect(rolledOut('--set', 'secrets.cart.NATS_URL=tls://u:other@a:4222')).toEqual(['cart']);
  });

  it('gets its Secrets from a store that the External Secrets Operator knows, or from whoever makes them', async () => {
    const external = render(...args, '--set', 'externalSecrets.enabled=true,externalSecrets.store.name=vault');
    expect(ofKind(external, 'Secret')).toEqual([]);
    const [first] = ofKind(external, 'ExternalSecret');
    expect(await problemsOf(first as Manifest)).toEqual([]);
    expect(
      ofKind(external, 'ExternalSecret')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(PROCESSES.map((name) => `${name}-secrets`).toSorted());
    expect(first?.['spec']).toMatchObject({
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
      target: { name: first?.metadata.name },
      dataFrom: [{ extract: { key: `event-commerce/${first?.metadata.name.replace('-secrets', '')}` } }],
    });
    const own = render(...args.slice(0, 2));
    expect([...ofKind(own, 'Secret'), ...ofKind(own, 'ExternalSecret')]).toEqual([]);
  });

  it('leaves the user to OpenShift', () => {
    const [gateway] = ofKind(render(...args, '--set', 'runAs=null'), 'Deployment');
    expect(JSON.stringify(gateway)).not.toMatch(/runAsUser|runAsGroup/);
  });
});

describe.skipIf(missing !== undefined)('production, before an operator has chosen', () => {
  const CHOICES = ['/image', '/defaultCurrency', '/trustedProxies', '/callers', '/stores/mongo/networks'];

  it('renders nothing, and names everything that is missing', () => {
    const { status, stderr } = helmTemplate();
    expect(status).not.toBe(0);
    for (const place of [...CHOICES, '/stores/nats/networks', '/stores/redis/networks'])
      expect(stderr).toContain(`at '${place}'`);
  });

  it('renders nothing while a placeholder is left, and names each', () => {
    const { status, stderr } = helmTemplate(...production((text) => text));
    expect(status).not.toBe(0);
    for (const place of CHOICES) expect(stderr).toContain(`at '${place}`);
    for (const name of PROCESSES) {
      for (const setting of ['MONGO_URL', 'NATS_URL']) expect(stderr).toContain(`at '/secrets/${name}/${setting}'`);
    }
    expect(stderr).toContain("at '/secrets/gateway/REDIS_URL'");
  });

  it('refuses a value that it does not know, so that none is misspelt', () => {
    const { status, stderr } = helmTemplate(...production(chosen), '--set', 'autoscaler=false');
    expect([status, stderr]).toEqual([1, expect.stringContaining("'autoscaler' not allowed")]);
  });

  it('keeps the generated keys, and overwrites no file', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'event-commerce-helm-'));
    const make = () =>
      spawnSync(process.execPath, [path.join(here, 'make-production-files.mjs'), dir], { encoding: 'utf8' });
    expect(make().status).toBe(0);
    expect(make()).toMatchObject({ status: 1, stderr: expect.stringContaining('production.yaml exists') });
  });
});
