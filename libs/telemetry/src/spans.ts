import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isTraceparent } from './trace-context.ts';

export { SpanKind };

let tracing = false;

/** Whether this process reports spans. If not, nothing here costs more than this check. */
export function isTracing(): boolean {
  return tracing;
}

export function setTracing(on: boolean): void {
  tracing = on;
}

/** Whether the current code runs inside a span. */
export function isInSpan(): boolean {
  return trace.getSpan(context.active()) !== undefined;
}

interface SpanOptions {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
  /** The traceparent that it continues; by default the current span's. */
  parent?: string | undefined;
  /** When it began, in ms since 1970; now by default. */
  startTime?: number | undefined;
}

export interface OpenSpan {
  /** The traceparent to send along, so that others continue this span. */
  readonly traceparent: string;
  /** Runs `work` inside this span: what it starts without a parent of its own belongs here. */
  run<T>(work: () => T): T;
  end(more?: { attributes?: Attributes; errorType?: string | undefined }): void;
}

/** Begins a span; only while `isTracing()`. It contains nothing but its attributes: no messages, no bodies. */
export function openSpan({ name, kind, attributes, parent, startTime }: SpanOptions): OpenSpan {
  const within = isTraceparent(parent) ? remoteContext(parent) : context.active();
  const span = trace
    .getTracer('event-commerce')
    .startSpan(name, { kind, attributes, ...(startTime === undefined ? {} : { startTime }) }, within);
  const inside = trace.setSpan(within, span);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    run: (work) => context.with(inside, work),
    end: (more) => {
      if (more?.attributes !== undefined) span.setAttributes(more.attributes);
      if (more?.errorType !== undefined) {
        span.setAttribute('error.type', more.errorType);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/**
 * Runs `work` in a span, and passes it the traceparent to send along. Without tracing that is the parent itself, so the
 * trace's id is still propagated.
 */
export async function inSpan<T>(
  options: SpanOptions,
  work: (traceparent: string | undefined) => Promise<T> | T,
): Promise<T> {
  if (!tracing) return await work(options.parent);
  const span = openSpan(options);
  try {
    const result = await span.run(() => work(span.traceparent));
    span.end();
    return result;
  } catch (error) {
    span.end({ errorType: errorTypeOf(error) });
    throw error;
  }
}

/** The name of `error` where values must be few; undefined for an expected error, which is a response like others. */
export function errorTypeOf(error: unknown): string | undefined {
  const { statusCode, code, name } = error as { statusCode?: number; code?: unknown; name?: string };
  if (statusCode !== undefined && statusCode < 500) return undefined;
  return typeof code === 'string' ? code : (name ?? 'Error');
}

function remoteContext(traceparent: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53), 16),
    isRemote: true,
  });
}
