import type { EventOverrides, OverridableField } from '@event-commerce/contracts';

/**
 * Applies `patch` to `own` as a JSON merge patch: null removes the field. For an instance that means that it inherits
 * the series' value again, the same as a revert. So an instance cannot override a field with nothing, only with another
 * value.
 */
export function patchFields(own: EventOverrides, patch: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...own, ...patch }).filter(([, value]) => value !== null));
}

/** `own` without the overrides of `fields`; other fields stay as they are. */
export function revertFields(own: EventOverrides, fields: readonly OverridableField[]): EventOverrides {
  const reverted = new Set<string>(fields);
  return Object.fromEntries(Object.entries(own).filter(([field]) => !reverted.has(field)));
}
