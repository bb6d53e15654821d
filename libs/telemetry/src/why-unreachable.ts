const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed out/i, 'no answer'],
];

/**
 * Why no connection could be opened, in words; undefined if the server was reached, such as one that refused the
 * password.
 */
export function whyUnreachable(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { message } = cause;
    const found = REASONS.find(([pattern]) => pattern.test(message));
    if (found !== undefined) return found[1];
  }
  return undefined;
}
