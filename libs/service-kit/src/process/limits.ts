/** How long a database operation may take before it counts as failed. */
export const DB_TIMEOUT_MS = 5_000;

/**
 * How long a request may wait for others, or for data that is still being loaded, before it is refused. Shorter than
 * callers wait for a reply, so that they learn why.
 */
export const RESPOND_WITHIN_MS = 4_000;

/** The most that a record may have when it is written. A document may have 16 MiB, and some grow afterwards. */
export const DOCUMENT_BYTES_MAX = 12 * 1024 * 1024;

/**
 * The limit of an `LRUCache` that holds `entries`, and takes memory only for those that it holds. With its own `max` it
 * takes memory for all of them at once.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
