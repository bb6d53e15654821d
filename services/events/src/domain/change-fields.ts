import type { EventOverrides, OverridableField } from '@event-commerce/contracts';

/**
 * `own` with `patch` on top, as JSON merge patch has it: null removes the field. For an instance that means: takes the series'
 * value again, the same as a revert. So an instance cannot override a field with nothing, only with another value.
 */
export function patchFields(own: EventOverrides, patch: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...own, ...patch }).filter(([, value]) => value !== null));
}

/** `own` without the overrides of `fields`; a field that is not overridden stays as it is. */
export function revertFields(own: EventOverrides, fields: readonly OverridableField[]): EventOverrides {
  const reverted = new Set<string>(fields);
  return Object.fromEntries(Object.entries(own).filter(([field]) => !reverted.has(field)));
}
