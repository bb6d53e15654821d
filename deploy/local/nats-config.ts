import { readFileSync } from 'node:fs';
import { type User, usersOfProcesses } from './users.ts';

/** What each process may do, as `MAY_<PROCESS>`: the same as everywhere else. */
const PERMISSIONS = readFileSync(new URL('../helm/stores/nats-permissions.conf', import.meta.url), 'utf8');

interface NatsConfig {
  readonly listen: string;
  readonly storeDir: string;
  /**
   * A single operator has the broker to itself. Several are isolated from each other; clients without a user get one
   * more account.
   */
  readonly operators: readonly User[];
  /** False: what is stored reaches the disk when the system writes it. */
  readonly fsync?: boolean | undefined;
}

/** The broker's configuration. */
export function natsConfig({ listen, storeDir, operators, fsync = true }: NatsConfig): string {
  const [only, ...others] = operators;
  const lines = [
    `listen: "${listen}"`,
    // A body of 1 MiB must fit into a message together with its headers.
    'max_payload: 2MB',
    `jetstream { store_dir: ${JSON.stringify(storeDir)}, max_file_store: 8GB, sync_interval: "${fsync ? '5s' : '24h'}" }`,
    PERMISSIONS,
    ...(only !== undefined && others.length === 0
      ? [`authorization { ${usersOf(only)} }`]
      : ['accounts {', ...[ANYONE, ...operators].map(accountOf), '}', `no_auth_user: ${ANYONE.user}`]),
  ];
  return `${lines.join('\n')}\n`;
}

const ANYONE: User = { user: 'anyone', password: 'anyone' };

function accountOf(operator: User): string {
  return `  ${operator.user} { jetstream: enabled, ${usersOf(operator)} }`;
}

function usersOf(operator: User): string {
  const processes = usersOfProcesses(operator).map(
    ({ name, user, password }) => `{ user: ${user}, password: "${password}", permissions: $MAY_${name.toUpperCase()} }`,
  );
  return `users: [{ user: ${operator.user}, password: "${operator.password}" }, ${processes.join(', ')}]`;
}
