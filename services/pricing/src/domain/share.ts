/** What is kept at once; when it is full, it begins anew, and what was shared stays so. */
const KEPT_MAX = 10_000;

const texts = new Map<string, string>();

/** The one copy of `text`: thousands of adjustments of one company say the same. */
export function shareText(text: string): string {
  return share(texts, text, () => text);
}

/** What `make` made for `key` before, or makes now. */
export function share<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, made);
  return made;
}
