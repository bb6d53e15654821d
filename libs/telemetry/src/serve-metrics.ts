import { once } from 'node:events';
import { createServer } from 'node:http';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { type Reporter, resourceOf } from './resource.ts';

const UNIT_SUFFIX: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };

/** Measures, and serves `GET /metrics` in Prometheus's text format on its own port. */
export async function serveMetrics(
  reporter: Reporter,
  address: { host: string; port: number },
): Promise<() => Promise<void>> {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const provider = new MeterProvider({
    resource: resourceOf(reporter),
    readers: [reader],
  });
  metrics.setGlobalMeterProvider(provider);

  // Not the exporter's own server, which omits the unit from the names that Prometheus expects.
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    reader
      .collect()
      .then(({ resourceMetrics }) => {
        const text = serializer.serialize(withUnits(resourceMetrics));
        response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
        response.end(text);
      })
      .catch(() => response.writeHead(500).end());
  });
  server.listen(address);
  await once(server, 'listening');
  server.unref();
  return async () => {
    server.close();
    server.closeAllConnections();
    metrics.disable();
    await provider.shutdown();
  };
}

/** `http.server.request.duration` in `s` is `http_server_request_duration_seconds` in Prometheus. */
function withUnits(collected: ResourceMetrics): ResourceMetrics {
  return {
    ...collected,
    scopeMetrics: collected.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => ({
        ...metric,
        descriptor: {
          ...metric.descriptor,
          name: metric.descriptor.name + (UNIT_SUFFIX[metric.descriptor.unit] ?? ''),
        },
      })),
    })),
  };
}
