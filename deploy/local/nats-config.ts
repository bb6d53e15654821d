import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PROCESS_NAMES, type ProcessName } from './process-names.ts';

/** What each process may do, by the name `MAY_<PROCESS>`: the same as everywhere else. */
const PERMISSIONS = readFileSync(new URL('../k8s/stores/nats-permissions.conf', import.meta.url), 'utf8');

/** Who may do everything in the account it is in; the processes of the platform have users beside it. */
export interface NatsOperator {
  readonly user: string;
  readonly password: string;
}

export interface NatsConfig {
  readonly listen: string;
  readonly storeDir: string;
  /** One has the broker to itself. Several do not hear each other, and whoever names no user has one account more. */
  readonly operators: readonly NatsOperator[];
}

/** The broker's configuration. */
export function natsConfig({ listen, storeDir, operators }: NatsConfig): string {
  const [only, ...others] = operators;
  const lines = [
    `listen: "${listen}"`,
    // A body of 1 MiB must fit into a message together with its headers.
    'max_payload: 2MB',
    `jetstream { store_dir: ${JSON.stringify(storeDir)}, max_file_store: 8GB, sync_interval: "5s" }`,
    PERMISSIONS,
    ...(only !== undefined && others.length === 0
      ? [`authorization { ${usersOf(only)} }`]
      : ['accounts {', ...[ANYONE, ...operators].map(accountOf), '}', `no_auth_user: ${ANYONE.user}`]),
  ];
  return `${lines.join('\n')}\n`;
}

const ANYONE: NatsOperator = { user: 'anyone', password: 'anyone' };

function accountOf(operator: NatsOperator): string {
  return `  ${operator.user} { jetstream: enabled, ${usersOf(operator)} }`;
}

function usersOf(operator: NatsOperator): string {
  const processes = PROCESS_NAMES.map((name) => {
    const { user, password } = userOfProcess(operator, name);
    return `{ user: ${user}, password: "${password}", permissions: $MAY_${name.toUpperCase()} }`;
  });
  return `users: [{ user: ${operator.user}, password: "${operator.password}" }, ${processes.join(', ')}]`;
}

/** A process's password tells nothing of the operator's, nor of another's. */
function userOfProcess({ user, password }: NatsOperator, name: ProcessName): NatsOperator {
  return { user: `${user}_${name}`, password: createHmac('sha256', password).update(name).digest('hex') };
}

/** `url` with the name and the password of `operator`. */
export function natsUrlOf(url: string, { user, password }: NatsOperator): string {
  const own = new URL(url);
  own.username = user;
  own.password = password;
  return own.href;
}

/** `url`, an operator's, with the name and the password of the process's user beside it. */
export function natsUrlOfProcess(url: string, name: ProcessName): string {
  const { username: user, password } = new URL(url);
  return user === '' ? url : natsUrlOf(url, userOfProcess({ user, password }, name));
}
