/** How long a database operation may take before it counts as failed. */
export const DB_TIMEOUT_MS = 5_000;
