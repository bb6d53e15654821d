import { gauge } from './instruments.ts';

/** A way in which the stores' setup could lose acknowledged data. */
export interface Risk {
  store: 'mongodb' | 'nats' | 'nats-disk';
  /** The name of the risk, in a word that never changes. */
  risk: string;
  /** What can be lost, when, and what to do, in a sentence. */
  message: string;
}

interface Log {
  warn(fields: object, message: string): void;
}

const found = new Map<string, Risk>();
let reported = false;

/**
 * Reports which acknowledged data could be lost according to `check` of one store: a warning each, and the metric
 * `data.at_risk`. Replaces the previous findings about the same store.
 */
export function reportRisks(log: Log, store: Risk['store'], risks: readonly Risk[]): void {
  const before = [...found.values()].filter((risk) => risk.store === store);
  for (const { risk } of before) found.delete(`${store} ${risk}`);
  for (const risk of risks) {
    found.set(`${store} ${risk.risk}`, risk);
    if (before.every(({ message }) => message !== risk.message)) log.warn({ store, risk: risk.risk }, risk.message);
  }
  if (reported) return;
  reported = true;
  gauge('data.at_risk', { description: '1 for each way the stores could lose acknowledged data.' }, () =>
    [...found.values()].map(({ store: at, risk }) => [1, { store: at, risk }]),
  );
}
