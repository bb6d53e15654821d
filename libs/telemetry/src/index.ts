export { reportRisks, type Risk } from './data-at-risk.ts';
export { counter, durationHistogram, gauge, type RecordDuration, upDownCounts } from './instruments.ts';
export { errorTypeOf, inSpan, isInSpan, isTracing, type OpenSpan, openSpan, SpanKind } from './spans.ts';
export { startTelemetry } from './start-telemetry.ts';
export { isTraceparent, newTraceparent, setTraceparent, traceIdOf, traceparentOf } from './trace-context.ts';
export { whyUnreachable } from './why-unreachable.ts';
