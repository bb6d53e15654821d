import type { CompiledAdjustment } from '../../../snapshot/domain/compiled-adjustment.ts';
import { anyOf, type Refusal } from './refusal.ts';

/** Whether an offering has one of the tags `wanted`. Decides for each line whether an adjustment applies to it. */
export function tagsMatch(wanted: ReadonlySet<string>, offeringTags: readonly string[] | undefined): boolean {
  return offeringTags !== undefined && offeringTags.some((tag) => wanted.has(tag));
}

/** Every tag that the cart has. */
export function tagsOf(lines: readonly { tags: readonly string[] | undefined }[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ tags }) => tags ?? []));
}

/** For an adjustment whose targets are in the cart, but none of them with a required tag. */
export function tagMismatch(adjustment: CompiledAdjustment, cartTags: ReadonlySet<string>): Refusal {
  const wanted = adjustment.conditions.tags ?? new Set();
  const none = [...wanted].some((tag) => cartTags.has(tag)) ? 'none that it applies to' : 'none';
  return { reason: 'tag-mismatch', detail: `needs an offering tagged ${anyOf(wanted)}, the cart has ${none}` };
}
