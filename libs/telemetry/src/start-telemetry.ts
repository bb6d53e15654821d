import type { TraceOptions } from './report-traces.ts';
import type { Reporter } from './resource.ts';

interface TelemetryOptions extends Reporter {
  /** The port of `/metrics`. Without a port it is not served, and nothing is measured. */
  metrics: { host: string; port: number | undefined };
  /** Undefined: no spans. The exporter's own setting `OTEL_EXPORTER_OTLP_ENDPOINT` names their destination. */
  traces: TraceOptions | undefined;
  /** Receives errors of the reporting itself, which never make the process fail. */
  warn: (message: string) => void;
}

/**
 * Starts this process's telemetry. Call it once, before anything is connected. Disabled parts are not even
 * loaded. Returns a function that reports what is left and stops.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<() => Promise<void>> {
  const stops = await Promise.all([
    options.metrics.port === undefined
      ? undefined
      : import('./serve-metrics.ts').then(({ serveMetrics }) =>
          serveMetrics(options, { host: options.metrics.host, port: options.metrics.port as number }),
        ),
    options.traces === undefined
      ? undefined
      : import('./report-traces.ts').then(({ reportTraces }) =>
          reportTraces(options, options.traces as TraceOptions, options.warn),
        ),
  ]);
  return async () => {
    await Promise.all(stops.map(async (stop) => stop?.()));
  };
}
