import type { CompiledAdjustment } from '../compiled-adjustment.ts';
import { anyOf, type Refusal } from './refusal.ts';

/** Whether an offering has one of the tags `wanted`. Decides for each line whether an adjustment applies to it. */
export function tagsMatch(wanted: ReadonlySet<string>, offeringTags: readonly string[] | undefined): boolean {
  return offeringTags !== undefined && offeringTags.some((tag) => wanted.has(tag));
}

/** For an adjustment whose targets are in the cart, but none of them with a required tag. */
export function tagMismatch(adjustment: CompiledAdjustment): Refusal {
  const wanted = anyOf(adjustment.conditions.tags ?? new Set());
  return { reason: 'tag-mismatch', detail: `needs an offering tagged ${wanted}, the cart has none` };
}
