import type { components } from '@event-commerce/client';

type Schemas = components['schemas'];
type Change = Schemas['RehearsalInput']['changes'][number];

/** What is rehearsed. `proposed`: what is in the form; undefined while it cannot be saved. */
export interface Rehearsed {
  proposed: Schemas['ProposedAdjustment'] | undefined;
  before: Schemas['Adjustment'] | undefined;
}

/** The change that turns `before` into what is in the form, or takes it away. Undefined while there is none. */
export function changeTo({ proposed, before }: Rehearsed, without: boolean): Change | undefined {
  if (without && before !== undefined) return { archive: { id: before.id } };
  if (proposed === undefined) return undefined;
  const { id: _, ...members } = proposed;
  if (before === undefined) return { create: members };
  const { uniqueCodes } = before.conditions;
  // The form previews a coupon whose buyers have codes of their own with one code for all.
  const { code, ...asked } = proposed.conditions ?? {};
  const given =
    uniqueCodes === true ? { ...asked, uniqueCodes } : { ...asked, ...(code === undefined ? {} : { code }) };
  // A patch keeps what it does not name.
  const removed = Object.keys(before.conditions).filter((name) => !(name in given));
  const conditions = { ...Object.fromEntries(removed.map((name) => [name, null])), ...given };
  // A campaign that is paused shows what it would have done.
  return { patch: { ...members, conditions, status: 'active', id: before.id } };
}
