import { type Attributes, type Counter, type Histogram, metrics, type MetricOptions } from '@opentelemetry/api';

const SCOPE = 'event-commerce';
/** The semantic conventions' advice for HTTP, plus one below: most measured operations take a few milliseconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

// Modules are loaded before the process has its SDK, and an instrument created before that would stay silent for ever:
// so each is created on first use.

/** Records how long something took that began at `beganMs` (of `performance.now()`). Reuse the attributes object. */
export type RecordDuration = (beganMs: number, attributes: Attributes) => void;

export function durationHistogram(name: string, description: string): RecordDuration {
  let histogram: Histogram | undefined;
  return (beganMs, attributes) => {
    histogram ??= metrics.getMeter(SCOPE).createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    });
    histogram.record((performance.now() - beganMs) / 1000, attributes);
  };
}

type Count = (count: number, attributes?: Attributes) => void;

export function counter(name: string, description: string): Count {
  let made: Counter | undefined;
  return (count, attributes) => {
    made ??= metrics.getMeter(SCOPE).createCounter(name, { description });
    made.add(count, attributes);
  };
}

type Values = Iterable<[number, Attributes?]>;

/**
 * Values that are computed when the metrics are read, and cost nothing in between. All metrics wait for a promise: it
 * must settle soon.
 */
export function gauge(name: string, options: MetricOptions, read: () => Values | Promise<Values>): void {
  metrics
    .getMeter(SCOPE)
    .createObservableGauge(name, options)
    .addCallback(async (result) => {
      for (const [value, attributes] of await read()) result.observe(value, attributes);
    });
}

/** Counts what is in flight, by one attribute; read when the metrics are. */
export function upDownCounts(
  name: string,
  description: string,
  attribute: string,
): { change(value: string, by: 1 | -1): void } {
  const counts = new Map<string, number>();
  metrics
    .getMeter(SCOPE)
    .createObservableUpDownCounter(name, { description })
    .addCallback((result) => {
      for (const [value, count] of counts) result.observe(count, { [attribute]: value });
    });
  return {
    change: (value, by) => {
      counts.set(value, (counts.get(value) ?? 0) + by);
    },
  };
}
