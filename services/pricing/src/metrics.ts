import { claimCounter } from '@event-commerce/claims';
import type { DropReason } from '@event-commerce/contracts';
import { counter, gauge } from '@event-commerce/telemetry';
import type { SnapshotCache } from './snapshot/snapshot-cache.ts';

const countEvaluations = counter('pricing.evaluations', 'Offerings and carts that were priced.');
const countDrops = counter('pricing.drops', 'Adjustments that evaluations answered as dropped, by reason.');

/** Counts requested redemptions. */
export const countingClaims = claimCounter(
  'redemption.claims',
  'Redemptions that were asked for: claimed, repeated (the first one was answered again), refused, or failed.',
);

/** Reports what an operator must know about `snapshots`. */
export function reportSnapshots(snapshots: Pick<SnapshotCache, 'bytes' | 'unreadable'>): void {
  gauge(
    'pricing.cache.size',
    { unit: 'By', description: 'Memory that adjustments take, of ADJUSTMENT_CACHE_MB.' },
    () => [[snapshots.bytes]],
  );
  const description = 'Live adjustments that are left out, because this version cannot read them.';
  gauge('pricing.adjustments.unreadable', { description }, () => [[snapshots.unreadable]]);
}

/** Counts `evaluation` and its dropped adjustments, including `mismatches` that it does not list, and returns it. */
export function countEvaluation<T extends { droppedAdjustments: readonly { reason: DropReason }[] }>(
  evaluation: T,
  mismatches = 0,
): T {
  countEvaluations(1);
  // Summed first: a company can have thousands, nearly all of them dropped for the same reason.
  const drops = new Map<DropReason, number>(mismatches === 0 ? [] : [['target-mismatch', mismatches]]);
  for (const { reason } of evaluation.droppedAdjustments) drops.set(reason, (drops.get(reason) ?? 0) + 1);
  for (const [reason, count] of drops) countDrops(count, { reason });
  return evaluation;
}
