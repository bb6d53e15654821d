export interface NatsConfig {
  readonly listen: string;
  readonly storeDir: string;
  readonly users: readonly string[] | undefined;
}

/** The broker's configuration. */
export function natsConfig({ listen, storeDir, users }: NatsConfig): string {
  const lines = [
    `listen: "${listen}"`,
    // A body of 1 MiB must fit into a message together with its headers.
    'max_payload: 2MB',
    `jetstream { store_dir: ${JSON.stringify(storeDir)}, max_file_store: 8GB, sync_interval: "5s" }`,
    ...natsAccounts(users),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Lines of the broker's configuration that give each of `users` an account: subjects and streams of its own. Whoever
 * names no user uses one account more. No lines without users.
 */
function natsAccounts(users: readonly string[] = []): string[] {
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
