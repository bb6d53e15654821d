/** How long a database operation may take before it counts as failed. */
export const DB_TIMEOUT_MS = 5_000;

/**
 * How long a request may be held up by others, or by what is still being loaded, before it is refused: shorter than
 * callers wait for a responder that works, so that they are told why.
 */
export const RESPOND_WITHIN_MS = 4_000;
