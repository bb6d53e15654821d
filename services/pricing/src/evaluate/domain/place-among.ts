import { type CompiledAdjustment, inCascadeOrder } from '../../snapshot/domain/compiled-adjustment.ts';

/** Gives `others` positions between those of `stored`. Both are in cascade order. */
export function placeAmong(stored: readonly CompiledAdjustment[], others: readonly CompiledAdjustment[]): void {
  for (const [n, adjustment] of others.entries()) {
    adjustment.position = countBefore(stored, adjustment) - 1 + (n + 1) / (others.length + 1);
  }
}

/** How many of `ordered` come before `adjustment`. */
function countBefore(ordered: readonly CompiledAdjustment[], adjustment: CompiledAdjustment): number {
  let from = 0;
  let to = ordered.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = ordered[middle];
    if (other !== undefined && inCascadeOrder(other, adjustment) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
