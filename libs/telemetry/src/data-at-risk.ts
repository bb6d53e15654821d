import { gauge } from './instruments.ts';

/** A way in which the stores are set up to lose data that was acknowledged. */
export interface Risk {
  store: 'mongodb' | 'nats' | 'nats-disk';
  /** Which one, in a word that does not change. */
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
 * Says of what `check` finds out about one store which acknowledged data could be lost: a warning each, and the metric
 * `data.at_risk`. What the same store was found with before is replaced.
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
  gauge('data.at_risk', { description: '1 for each way in which the stores could lose acknowledged data.' }, () =>
    [...found.values()].map(({ store: at, risk }) => [1, { store: at, risk }]),
  );
}
