import { setTimeout as delay } from 'node:timers/promises';
import { context, diag, DiagLogLevel, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Reporter, resourceOf } from './resource.ts';
import { setTracing } from './spans.ts';

export interface TraceOptions {
  /** A sampler's name, as OpenTelemetry's `OTEL_TRACES_SAMPLER` takes it. */
  sampler: string | undefined;
  samplerArg: number | undefined;
  sendEveryMs: number | undefined;
}

const PARENT_BASED = 'parentbased_';
const SEND_EVERY_MS = 5_000;
/** How long an exiting process waits for the collector to accept the last spans. */
const FLUSH_MAX_MS = 1_500;

/** Sends spans to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT` (OTLP over HTTP, JSON), in batches. */
export function reportTraces(
  reporter: Reporter,
  { sampler = 'parentbased_always_on', samplerArg = 1, sendEveryMs = SEND_EVERY_MS }: TraceOptions,
  warn: (message: string) => void,
): () => Promise<void> {
  diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: resourceOf(reporter),
    sampler: samplerOf(sampler, samplerArg),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: sendEveryMs })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  setTracing(true);
  return async () => {
    setTracing(false);
    trace.disable();
    context.disable();
    const flushed = provider
      .shutdown()
      .catch((error: unknown) => warn(`the last spans could not be sent: ${String(error)}`));
    await Promise.race([flushed, delay(FLUSH_MAX_MS, undefined, { ref: false })]);
  };
}

/** The sampler of that name in OpenTelemetry's `OTEL_TRACES_SAMPLER`. */
function samplerOf(name: string, ratio: number): Sampler {
  if (name.startsWith(PARENT_BASED)) {
    return new ParentBasedSampler({ root: samplerOf(name.slice(PARENT_BASED.length), ratio) });
  }
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return new AlwaysOnSampler();
}
