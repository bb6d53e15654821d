/** The members of `after` that differ from `before`: what a patch sends, so that it changes nothing else. */
export function changedMembers<T extends object>(after: T, before: object): Partial<T> {
  const had = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(had.get(name)),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
