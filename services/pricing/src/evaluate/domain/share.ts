/** The size limit of the cache. When it is full, it is emptied; strings that are already shared stay shared. */
const KEPT_MAX = 10_000;

const texts = new Map<string, string>();

/** The one shared copy of `text`: thousands of adjustments of one company contain the same text. */
export function shareText(text: string): string {
  return share(texts, text, () => text);
}

/** The cached result of `make` for `key`. */
export function share<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, made);
  return made;
}
