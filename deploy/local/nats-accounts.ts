/**
 * Lines of the broker's configuration that give each of `users` an account: subjects and streams of its own. Whoever
 * names no user uses one account more. No lines without users.
 */
export function natsAccounts(users: readonly string[] = []): string[] {
  if (users.length === 0) return [];
  const accounts = ['anyone', ...users].map(
    (user) => `  ${user} { jetstream: enabled, users: [{ user: ${user}, password: ${user} }] }`,
  );
  return ['accounts {', ...accounts, '}', 'no_auth_user: anyone'];
}

/** `url` as `user` of one of those accounts. */
export function natsUrlOf(url: string, user: string): string {
  const own = new URL(url);
  own.username = user;
  own.password = user;
  return own.href;
}
