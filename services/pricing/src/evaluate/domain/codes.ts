import { type CodeResult, type DroppedAdjustment, codeKey } from '@event-commerce/contracts';
import type { Candidate } from './candidate.ts';
import { type CompiledAdjustment, inCascadeOrder } from '../../snapshot/domain/compiled-adjustment.ts';
import { isOpen } from './eligibility/window.ts';

/** A presented code that was issued for an adjustment, and does not count for it. */
export type SpareCode = Pick<DroppedAdjustment, 'adjustmentId' | 'reason' | 'detail'>;

/** The adjustments that `codes` redeem at `nowMs`, by code; a code that no adjustment has is left out. */
export function holdersOf(
  snapshot: { withCode(code: string): CompiledAdjustment[] },
  codes: ReadonlySet<string>,
  nowMs: number,
): ReadonlyMap<string, CompiledAdjustment> {
  const holders = new Map<string, CompiledAdjustment>();
  for (const code of codes) {
    const holder = holderAmong(snapshot.withCode(code), nowMs);
    if (holder !== undefined) holders.set(code, holder);
  }
  return holders;
}

/**
 * The adjustment that a code redeems at `nowMs`, among all that have it. First choice is one whose window is open, the
 * active one before scheduled ones; otherwise one that can explain why it does not apply, preferably one that has not
 * ended.
 */
export function holderAmong(sharing: readonly CompiledAdjustment[], nowMs: number): CompiledAdjustment | undefined {
  return sharing.reduce<CompiledAdjustment | undefined>(
    (first, each) => (first === undefined || inOrder(each, first) < 0 ? each : first),
    undefined,
  );

  function inOrder(a: CompiledAdjustment, b: CompiledAdjustment): number {
    return (
      Number(isOpen(b.conditions, nowMs)) - Number(isOpen(a.conditions, nowMs)) ||
      Number(nowMs < b.conditions.endsAtMs) - Number(nowMs < a.conditions.endsAtMs) ||
      Number(b.source.status === 'active') - Number(a.source.status === 'active') ||
      inCascadeOrder(a, b)
    );
  }
}

/** A buyer who enters a code expects a lower price. */
const SURCHARGE = 'is a surcharge: the price is higher with it';

/**
 * The result of every presented code: once for all its spellings, in the order and spelling of its first appearance.
 * `spareCode`: an issued code that does not count.
 */
export function answerCodes(
  presented: readonly string[],
  holders: ReadonlyMap<string, CompiledAdjustment>,
  counting: ReadonlySet<Candidate>,
  dropped: readonly DroppedAdjustment[],
  spareCode: (code: string) => SpareCode | undefined,
): CodeResult[] {
  if (presented.length === 0) return [];
  const applied = new Set(Array.from(counting, ({ adjustment }) => adjustment));
  const droppedById = new Map(dropped.map((adjustment) => [adjustment.adjustmentId, adjustment]));
  const answers = new Map<string, CodeResult>();
  for (const code of presented) {
    const key = codeKey(code);
    if (!answers.has(key)) answers.set(key, answerCode(code, holders.get(key)));
  }
  return [...answers.values()];

  function answerCode(code: string, holder: CompiledAdjustment | undefined): CodeResult {
    if (holder === undefined) {
      const spare = spareCode(code);
      return spare === undefined ? { code, status: 'unknown' } : { code, status: 'dropped', ...spare };
    }
    const adjustmentId = holder.source.id;
    if (applied.has(holder)) {
      const surcharge = holder.source.effect.kind.endsWith('_surcharge') ? { detail: SURCHARGE } : {};
      return { code, status: 'applied', adjustmentId, ...surcharge };
    }
    const { reason, detail } = droppedById.get(adjustmentId) ?? holder.targetMismatch;
    return { code, status: 'dropped', adjustmentId, reason, detail };
  }
}
