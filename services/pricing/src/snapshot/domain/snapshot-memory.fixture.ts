import type { Adjustment } from '@event-commerce/contracts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { anAdjustment, targeting } from '../../evaluate/domain/adjustments.fixture.ts';
import { CompanySnapshot } from './snapshot.ts';

const namesOf = (n: number, length: number) => Array.from({ length }, (_, at) => `name_${n}_${at}`);
const tiered = (n: number, length: number): Adjustment['effect'] => ({
  kind: 'tiered',
  tiers: Array.from({ length }, (_, at) => ({ minQuantity: at + 1, percent: 1 + at / 100 + n / 10_000 })),
  per: 'unit',
});

/** What the adjustments of a kind have beyond `anAdjustment`, by their number. */
export const KINDS: Record<string, (n: number) => Partial<Adjustment>> = {
  coupons: (n) => ({ conditions: { code: `SUMMER-${n}`, maxRedemptions: 9, endsAt: '2027-06-01T00:00:00.000Z' } }),
  events: (n) => ({ conditions: { customerSegments: ['vip'] }, targets: [targeting(`event/evt_${n}`)] }),
  'many events with long ids': (n) => ({
    targets: Array.from({ length: 20 }, (_, at) => targeting(`event/${`evt_${n}_${at}`.padEnd(256, 'e')}`)),
  }),
  tiers: (n) => ({ effect: tiered(n, 50) }),
  'a few tiers': (n) => ({ effect: tiered(n, 3) }),
  'times of the week': (n) => ({
    conditions: {
      recurring: Array.from({ length: 5 }, (_, at) => ({
        days: ['mon' as const, 'tue' as const],
        from: `1${at}:${10 + (n % 50)}`,
        to: '20:00',
        timezone: 'Europe/Berlin',
      })),
    },
  }),
  'many segments': (n) => ({ conditions: { customerSegments: namesOf(n, 100), channelIds: namesOf(n, 100) } }),
  'many offerings and tags': (n) => ({ conditions: { offeringIds: namesOf(n, 100), tags: namesOf(n, 100) } }),
  'a few segments': (n) => ({ conditions: { customerSegments: namesOf(n, 3) } }),
  'many events': (n) => ({ targets: Array.from({ length: 50 }, (_, at) => targeting(`event/evt_${n}_${at}`)) }),
};

/**
 * In bytes: what a snapshot reports; what the heap grew by; what it grew by once each adjustment was replaced three
 * times and nothing was priced; what the snapshot reports once everything is removed.
 */
export interface Measurement {
  estimated: number;
  measured: number;
  replaced: number;
  afterwards: number;
}

function measure(changes: (n: number) => Partial<Adjustment>): Measurement {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const ids = Array.from({ length: 1_000 }, (_, n) => `adj_${String(n).padStart(26, '0')}`);
  const before = used();
  const snapshot = new CompanySnapshot();
  const applyAll = (version: number) => {
    for (const [n, id] of ids.entries()) {
      // Parsed, like documents from the database, so that no more strings are shared than there.
      snapshot.apply([JSON.parse(JSON.stringify(anAdjustment({ id, version, ...changes(n) }))) as Adjustment]);
    }
  };
  applyAll(1);
  snapshot.candidates([]);
  const measured = used() - before;
  const estimated = snapshot.bytes;
  for (const version of [2, 3, 4]) applyAll(version);
  const replaced = used() - before;
  for (const id of ids) snapshot.remove(id);
  return { estimated, measured, replaced, afterwards: snapshot.bytes };
}

const kind = KINDS[workerData as string];
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has none
if (kind !== undefined) parentPort?.postMessage(measure(kind));
