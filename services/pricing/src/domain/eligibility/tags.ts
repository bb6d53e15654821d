import type { CompiledAdjustment } from '../compiled-adjustment.ts';
import { anyOf } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/** Whether an offering carries one of the tags `wanted`. It decides line by line what an adjustment applies to. */
export function tagsMatch(wanted: ReadonlySet<string>, offeringTags: readonly string[] | undefined): boolean {
  return offeringTags !== undefined && offeringTags.some((tag) => wanted.has(tag));
}

/** For an adjustment whose targets are in the cart, none of them with a tag it asks for. */
export function tagMismatch(adjustment: CompiledAdjustment): Refusal {
  const wanted = anyOf(adjustment.conditions.tags ?? new Set());
  return { reason: 'tag-mismatch', detail: `needs an offering tagged ${wanted}, the cart has none` };
}
