import { describe, expect, it } from 'vitest';
import { PROCESSES, SERVICES } from '../../docker/settings-of.ts';
import { allows, type End } from './allows.ts';
import type { Manifest } from './manifest.ts';
import { charts, containerOf, missing, ofKind, templateOf } from './charts.fixture.ts';

const STORES = ['mongo', 'nats', 'redis'];

/** Addresses of the stores in production. */
const STORE_ADDRESS: Record<string, string> = { mongo: '10.5.0.9', nats: '10.6.0.9', redis: '10.7.0.9' };

describe.skipIf(missing !== undefined).each(charts)('the chart, $chart', ({ chart, manifests, workloads }) => {
  describe('network policies', () => {
    const namespace = manifests[0]?.metadata.namespace ?? '';
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
        const others = [...SERVICES, ...(chart === 'dev' ? STORES : [])].map(end);
        const allowed = [end('gateway'), prometheus, stranger, intruder, internet, ...others].filter((from) =>
          allows(manifests, from, end(service), 8080),
        );
        expect(allowed).toEqual([end('gateway')]);
        expect(allows(manifests, end('gateway'), end(service), 9229)).toBe(false);
      }
    });

    it('let Prometheus, and nobody else, read the metrics of every process, at the port in the annotations of its pods', () => {
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
      expect(allows(manifests, stranger, end('gateway'), 8080)).toBe(chart === 'dev');
      expect(allows(manifests, internet, end('gateway'), 8080)).toBe(chart === 'dev');
      expect(allows(manifests, stranger, end('gateway'), 9229)).toBe(false);
      expect(allows(manifests, end('pricing'), end('gateway'), 8080)).toBe(false);
    });

    it('let every process reach MongoDB and NATS, the gateway Redis, and nobody else the stores', () => {
      for (const store of STORES) {
        const port = PORTS[store] ?? 0;
        const everybody = [...PROCESSES.map(end), intruder, ...(chart === 'dev' ? [stranger, internet] : [])];
        const allowed = everybody.filter((from) => allows(manifests, from, end(store), port));
        expect(allowed).toEqual(store === 'redis' ? [end('gateway')] : PROCESSES.map(end));
      }
    });

    it('let the Jobs of an upgrade and of repairs reach MongoDB and NATS, and nobody else', () => {
      for (const component of ['migration', 'repair']) {
        const job: End = { namespace, labels: { 'app.kubernetes.io/component': component } };
        const reached = STORES.filter((store) => allows(manifests, job, end(store), PORTS[store] ?? 0));
        expect(reached).toEqual(['mongo', 'nats']);
        for (const name of PROCESSES) expect(allows(manifests, end(name), job, 8080)).toBe(false);
      }
    });

    it('let the gateway, and nobody else, reach the port of NATS that NATS_MONITORING_URL names', () => {
      const everybody = [...PROCESSES.map(end), intruder, ...(chart === 'dev' ? [stranger, internet] : [])];
      expect(everybody.filter((from) => allows(manifests, from, end('nats'), 8222))).toEqual([end('gateway')]);
    });

    it('let no pod connect outside, except for DNS and its stores, and for activity, which sends webhooks', () => {
      const metadata: End = { namespace: '', labels: {}, outside: true, address: '169.254.169.254' };
      expect(allows(manifests, end('activity'), metadata, 443)).toBe(false);
      for (const workload of workloads) {
        const pod = end(workload.metadata.name);
        expect(allows(manifests, pod, internet, 443)).toBe(workload.metadata.name === 'activity');
        expect(allows(manifests, pod, { namespace: 'kube-system', labels: {} }, 53)).toBe(true);
        expect(allows(manifests, pod, { namespace: 'kube-system', labels: {} }, 443)).toBe(false);
        // A cache on the node, and OpenShift's resolver.
        expect(allows(manifests, pod, { namespace: '', labels: {}, outside: true, address: '169.254.20.10' }, 53)).toBe(
          true,
        );
        expect(allows(manifests, pod, { namespace: 'openshift-dns', labels: {} }, 5353)).toBe(true);
        expect(allows(manifests, pod, internet, 53)).toBe(workload.metadata.name === 'activity');
      }
    });
  });
});
