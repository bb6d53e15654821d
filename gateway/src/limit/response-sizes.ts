import { LRUCache } from 'lru-cache';

/** For how many kinds of requests the size of the response is remembered. */
const KINDS_MAX = 20_000;
/** What is remembered of a large response has halved after this time: the next ones may be as large, or small again. */
const HALF_LIFE_MS = 10_000;

/** How large the next response of a kind may be: a response's own size is known too late. */
export function createResponseSizes() {
  const largest = new LRUCache<string, { bytes: number; atMs: number }>({ max: KINDS_MAX });

  /** In bytes; undefined if there was none of this kind. */
  function expected(kind: string): number | undefined {
    const known = largest.get(kind);
    return known && known.bytes * 0.5 ** ((performance.now() - known.atMs) / HALF_LIFE_MS);
  }

  return {
    expected,

    /** Small responses in between do not make a large one less likely: only time does. */
    note(kind: string, bytes: number): void {
      if (bytes >= (expected(kind) ?? 0)) largest.set(kind, { bytes, atMs: performance.now() });
    },
  };
}
