export interface TraceOptions {
  /** As in `OTEL_TRACES_SAMPLER`. */
  sampler: string | undefined;
  samplerArg: number | undefined;
  sendEveryMs: number | undefined;
}

export interface TelemetryOptions {
  /** The process's name: `gateway`, `pricing`, ... */
  service: string;
  /** Where `/metrics` is served; without a port it is not, and nothing is measured. */
  metrics: { host: string; port: number | undefined };
  /** Undefined: no spans. Where they go says the exporter's own setting, `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  traces: TraceOptions | undefined;
  /** Told what goes wrong in reporting, which the process itself does not fail by. */
  warn: (message: string) => void;
}

/**
 * Starts what this process reports about itself; once a process, and before anything is connected. What is not asked for is
 * not even loaded. The function that comes back reports what is left, and ends it.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<() => Promise<void>> {
  const stops = await Promise.all([
    options.metrics.port === undefined
      ? undefined
      : import('./serve-metrics.ts').then(({ serveMetrics }) =>
          serveMetrics(options.service, { host: options.metrics.host, port: options.metrics.port as number }),
        ),
    options.traces === undefined
      ? undefined
      : import('./report-traces.ts').then(({ reportTraces }) =>
          reportTraces(options.service, options.traces as TraceOptions, options.warn),
        ),
  ]);
  return async () => {
    await Promise.all(stops.map(async (stop) => stop?.()));
  };
}
